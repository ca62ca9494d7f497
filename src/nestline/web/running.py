"""Finds the server that already uses a database, for whoever starts a second one.

A server writes its address into a small file beside its SQLite database. A killed server leaves
that file behind, so it is trusted only if the server at that address confirms it.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from nestline.web.settings import Settings

SECONDS_FOR_AN_ANSWER = 5.0


def _note(settings: Settings) -> Path:
    return Path(f"{settings.database_file}.server")


@contextmanager
def noted_address(settings: Settings, host: str, port: int, instance: str) -> Iterator[None]:
    """Let others find the server that runs inside this block; only for SQLite and a fixed port."""
    note = _note(settings)
    if settings.is_shared or port == 0:
        yield
        return
    # Without the file others cannot find this server; that is no reason not to serve.
    with suppress(OSError):
        fresh = note.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({"host": host, "port": port, "instance": instance}), "utf-8")
        fresh.replace(note)
    try:
        yield
    finally:
        with suppress(OSError):
            note.unlink()


def address_of_running(settings: Settings) -> str | None:
    """The address of the server that uses this database, if it responds."""
    try:
        noted = json.loads(_note(settings).read_text("utf-8"))
        host, port, instance = str(noted["host"]), int(noted["port"]), str(noted["instance"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    if _instance_at(reached, port) != instance:
        return None
    shown = f"[{reached}]" if ":" in reached else reached
    return f"http://{shown}:{port}/"


def _instance_at(host: str, port: int) -> str | None:
    connection = HTTPConnection(host, port, timeout=SECONDS_FOR_AN_ANSWER)
    try:
        connection.request("GET", "/api/v1/status")
        return str(json.loads(connection.getresponse().read())["instance"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()
