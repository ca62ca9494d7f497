"""`nestline` without a command: starts a server on this machine and opens its page in the browser.

`command` runs the server itself.
"""

import socket
import threading
import time
import webbrowser
from http.client import HTTPConnection, HTTPException

import click

from nestline.errors import DatabaseInUse, NestlineError
from nestline.system import claim_address, has_screen
from nestline.web.command import serve

HOST, USUAL_PORT = "127.0.0.1", 8000
LONGEST_START, SECONDS_BETWEEN_LOOKS = 60.0, 0.1


def open_page() -> None:
    """Serve the page until Ctrl-C; print its address, and open it if there is a browser.

    If a server with the same games is already running, open its page instead.
    """
    if _open_running():
        return
    port = _free_port()
    threading.Thread(target=_show_when_ready, args=(port,), daemon=True).start()
    try:
        serve(HOST, port, log_level="warning")
    except DatabaseInUse:
        # The other server has just been started and does not answer yet.
        deadline = time.monotonic() + LONGEST_START
        while not _open_running():
            if time.monotonic() > deadline:
                raise
            time.sleep(SECONDS_BETWEEN_LOOKS)
    except NestlineError as error:
        raise NestlineError(f"{error}; or play in the terminal with: nestline play") from None


def _open_running() -> bool:
    """Open the page of a server that is already running; returns whether there is one."""
    try:
        from nestline.web.running import address_of_running
        from nestline.web.settings import read_settings
    except ImportError:
        return False  # Whoever starts the server reports the error in a moment.
    address = address_of_running(read_settings())
    if address is None:
        return False
    _show(address, "runs already, and is open in your browser:", "runs already, at")
    return True


def _free_port() -> int:
    """The usual port, so that the address stays the same, or any free one."""
    for port in (USUAL_PORT, 0):
        with socket.socket() as probe:
            claim_address(probe)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            free: int = probe.getsockname()[1]
            return free
    raise NestlineError("there is no free port for the server")


def _show_when_ready(port: int) -> None:
    """Show the page as soon as the server serves it."""
    deadline = time.monotonic() + LONGEST_START
    while not _answers(port):
        if time.monotonic() > deadline:
            return
        time.sleep(SECONDS_BETWEEN_LOOKS)
    address = f"http://{HOST}:{port}/"
    _show(address, "is open in your browser:", "runs at", "  (Ctrl-C ends it)")


def _show(address: str, if_open: str, if_not: str, hint: str = "") -> None:
    """Open a page if there is a browser, and print its address."""
    is_open = has_screen() and webbrowser.open(address)
    click.echo(f"nestline {if_open if is_open else if_not} {address}{hint}", err=True)


def _answers(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
