# The server: docker build --tag nestline . && docker run --publish 8000:8000 --volume games:/data nestline
# See docs/host/deployment.md.
FROM python:3.12-slim

COPY . /source
RUN pip install --no-cache-dir --constraint /source/constraints.txt '/source[web]' \
    && rm -r /source \
    && useradd --create-home --home-dir /data nestline

USER nestline
VOLUME /data
# Games, tablebases and compiled code stay in the volume: a new container continues where the old one stopped.
ENV NESTLINE_WEB_DATABASE=/data/games.sqlite3 \
    NESTLINE_TABLES=/data/tables \
    XDG_CACHE_HOME=/data/cache
EXPOSE 8000
HEALTHCHECK --start-period=5m \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz')"]
# Without a shell, so that the server itself receives the signal to stop.
CMD ["nestline", "web", "--host", "0.0.0.0"]
