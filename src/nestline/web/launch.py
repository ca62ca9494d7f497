"""The page for the person at this machine: starts a server here, and the browser to see it.

It is what `nestline` does without a command. The server itself is left to `command`.
"""

import os
import socket
import sys
import threading
import time
import webbrowser
from http.client import HTTPConnection, HTTPException

import click

from nestline.errors import NestlineError
from nestline.web.command import web

HOST, USUAL_PORT = "127.0.0.1", 8000
LONGEST_START = 300.0  # compiling for the first time takes minutes on a slow machine


def open_page() -> None:
    """Serve the page until Ctrl-C; say its address, and open it where there is a browser."""
    port = _free_port()
    threading.Thread(target=_show, args=(port,), daemon=True).start()
    run = web.callback
    assert run is not None
    try:
        run(
            host=HOST, port=port, database=None, workers=1, tables=None, engine_threads=None,
            log_level="warning",
        )  # fmt: skip
    except NestlineError as error:
        raise NestlineError(f"{error}; or play in the terminal with: nestline play") from None


def _free_port() -> int:
    """The usual port, so that the address stays the same, or any other that is free."""
    for port in (USUAL_PORT, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            free: int = probe.getsockname()[1]
            return free
    raise NestlineError("there is no free port for the server")


def _show(port: int) -> None:
    """When the server answers, tell the person."""
    address = f"http://{HOST}:{port}/"
    deadline = time.monotonic() + LONGEST_START
    while not _answers(port):
        if time.monotonic() > deadline:
            return
        time.sleep(0.1)
    is_open = _has_screen() and webbrowser.open(address)
    how = "is open in your browser:" if is_open else "runs at"
    click.echo(f"nestline {how} {address}  (Ctrl-C ends it)", err=True)


def _answers(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _has_screen() -> bool:
    """Whether a browser would open in a window, and not in this very terminal."""
    if os.environ.get("BROWSER"):
        return True
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
