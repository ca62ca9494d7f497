"""The command `nestline web`: reads its options and runs the server until it is told to stop.

Options become settings in the environment, where worker processes find them too.
"""

import os
import signal
import socket
import sys
import tempfile
from typing import Any

import click

from nestline.errors import NestlineError
from nestline.system import STOP_SIGNALS, claim_address, keep_files_private, raise_open_files

MISSING = "the server needs some more packages; install them with: pip install 'nestline[web]'"


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="The port; 0 is any free one.")  # fmt: skip
@click.option("--database", help="A file for SQLite, or postgresql://USER@HOST/NAME; "
              "by default a file in your data folder.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True,
              help="Processes; more than one with PostgreSQL only.")  # fmt: skip
@click.option("--tables", help="The folder of the tablebases.")
@click.option("--engine-threads", type=click.IntRange(0, 256),
              help="Threads in which the computer thinks; 0 is one per core.")  # fmt: skip
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]),
              help="How much to write to the log.")  # fmt: skip
def web(
    host: str, port: int, database: str | None, workers: int, tables: str | None,
    engine_threads: int | None, log_level: str | None,
) -> None:  # fmt: skip
    """Serve games, study and the API to browsers and programs.

    The database, the tablebases, the threads and the log level can also be set by environment
    variables. docs/host/settings.md lists these and all other settings.
    """
    serve(
        host, port, workers, database=database, tables=tables, engine_threads=engine_threads,
        log_level=log_level,
    )  # fmt: skip


def serve(host: str, port: int, workers: int = 1, **given: object) -> None:
    """Run a server until it is told to stop; the settings in `given` override the environment."""
    try:
        import uvicorn

        from nestline.web.logs import log_config
        from nestline.web.settings import read_settings, variables
    except ImportError as error:
        raise NestlineError(f"{MISSING} ({error.name} is missing)") from None
    names = variables()
    for name, value in given.items():
        if value is not None:
            os.environ[names[name]] = str(value)
    settings = read_settings()
    if workers > 1 and not settings.is_shared:
        raise NestlineError(
            "with SQLite there is one process; several need --database postgresql://…"
        )
    _require_address(host, port)
    from nestline.web.app import create_app
    from nestline.web.running import noted_address
    from nestline.web.storage.database import Database

    raise_open_files()
    keep_files_private()
    # Checked before the server starts, so that a wrong setting gives one clear line.
    app = create_app(settings) if workers == 1 else None
    if app is None:
        Database(settings).close()
    # uvicorn shuts down gracefully and then raises the signal again; there is nothing left to do.
    for number in {*STOP_SIGNALS} - {signal.SIGINT}:
        signal.signal(number, lambda *_arguments: sys.exit(0))
    options: dict[str, Any] = {
        "host": host,
        "port": port,
        "log_config": log_config(settings.log_level),
        "access_log": False,
        "proxy_headers": True,
        "forwarded_allow_ips": settings.trusted_proxies,
        "server_header": False,
        "http": "nestline.web.transport.http_protocol:HttpProtocol",
        "ws": "nestline.web.transport.websocket_protocol:WebSocketProtocol",
        "ws_max_size": settings.message_bytes,
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": settings.shutdown_seconds,
    }
    if app is not None:
        with noted_address(settings, host, port, app.services.instance):
            uvicorn.run(app, **options)
        return
    # Windows cannot remove a file that is still mapped into memory; that is no reason to fail.
    with tempfile.TemporaryDirectory(
        prefix="nestline-metrics-", ignore_cleanup_errors=True
    ) as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        uvicorn.run("nestline.web.app:create_app", factory=True, workers=workers, **options)


def _require_address(host: str, port: int) -> None:
    """Refuse an address that the server cannot listen on, before doing any slow work."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _name, address in found:
            with socket.socket(family, kind, protocol) as probe:
                claim_address(probe)
                probe.bind(address)
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise NestlineError(f"the server cannot listen at {host}, port {port}: {reason}") from None
