"""What browsers load: one HTML page and its static files.

The page decides by its address what to show, so all its addresses serve the same HTML. The files
are held in memory and served under a prefix that changes with their content, so that browsers may
cache them forever. The page gets its data from the API.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from nestline.web.http.previews import preview_of
from nestline.web.page import FOLDER, read_page

SHARED = "/game/{id}", "/study", "/embed", "/embed/{id}"
"""The addresses that people send to each other."""
ADDRESSES = (
    "/", *SHARED, "/learn", "/puzzles", "/puzzles/{rules}", "/rules", "/rules/{name}", "/workshop",
    "/help", "/about",
)  # fmt: skip
FOR_EVER = "public, max-age=31536000, immutable"
LEAST_TO_COMPRESS = 500
# Not from `mimetypes`: on Windows any program may have changed its table.
TYPES = {
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True)
class File:
    """A static file, plain and compressed with gzip."""

    content: bytes
    compressed: bytes
    media_type: str
    tag: str

    def response(self, request: Request, caching: str) -> Response:
        headers = {"cache-control": caching, "etag": self.tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        content = self.content
        takes_gzip = "gzip" in request.headers.get("accept-encoding", "")
        if takes_gzip and len(content) >= LEAST_TO_COMPRESS:
            content = self.compressed
            headers["content-encoding"] = "gzip"
        return Response(content, media_type=self.media_type, headers=headers)


def _file(name: str, content: bytes) -> File:
    suffix = name[name.rfind(".") :]
    media_type = TYPES.get(suffix, "application/octet-stream")
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return File(content, gzip.compress(content, mtime=0), media_type, tag)


@cache
def page_files() -> tuple[str, File, dict[str, File]]:
    """The URL prefix with the hash of the content, the page's HTML, and its files by name."""
    page = read_page()
    folder = f"{FOLDER}{page.version}/"
    files = {name: _file(name, content) for name, content in page.files.items()}
    return folder, _file("index.html", page.html(folder).encode()), files


def is_for_people(request: Request) -> bool:
    """Whether a browser asks for a page, rather than a program for the API."""
    is_page = not request.url.path.startswith(("/api/", FOLDER))
    takes_html = "text/html" in request.headers.get("accept", "")
    return is_page and takes_html and request.method == "GET"


def no_page() -> Response:
    """The page for an address that does not exist."""
    page = page_files()[1]
    return Response(page.content, 404, {"cache-control": "no-store"}, page.media_type)


def add_pages(api: FastAPI) -> None:
    """Serve the page and its files."""
    folder, page, files = page_files()

    async def show_page(request: Request) -> Response:
        return page.response(request, "no-cache")

    async def show_file(request: Request) -> Response:
        file = files.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        return file.response(request, FOR_EVER)

    async def show_shared_page(request: Request) -> Response:
        tags = await preview_of(request)
        if not tags:
            return page.response(request, "no-cache")
        content = page.content.replace(b"</head>", f"{tags}\n</head>".encode(), 1)
        return _file("index.html", content).response(request, "no-cache")

    for address in ADDRESSES:
        show = show_shared_page if address in SHARED else show_page
        api.add_route(address, show, ["GET", "HEAD"], include_in_schema=False)
    api.add_route(folder + "{name:path}", show_file, ["GET", "HEAD"], include_in_schema=False)
