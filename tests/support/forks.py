"""Starts `nestline` commands as processes of their own, without the second that imports take.

They are forks of `fork_server.py`, one for each test process.
"""

import atexit
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def _server() -> socket.socket:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = Path(__file__).with_name("fork_server.py")
    with there:
        process = subprocess.Popen(
            [sys.executable, str(program), str(there.fileno())],
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end() -> None:
        here.close()
        process.wait()

    atexit.register(end)
    return here


class Fork:
    """`python -m nestline` with these arguments, in a session of its own.

    It can be asked, told and awaited like a `subprocess.Popen`. Its streams are either a terminal,
    which then controls it, or an empty input, and this process's output and errors unless given.
    """

    def __init__(
        self,
        *arguments: str,
        environment: Mapping[str, str],
        folder: Path | None = None,
        terminal: int | None = None,
        output: int = 1,
        errors: int = 2,
    ) -> None:
        request = {
            "arguments": arguments,
            "environment": dict(environment),
            "folder": str(folder or Path.cwd()),
        }
        # Each message by itself: its id and its exit status may be there before the first is read.
        self._end, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there, open(os.devnull) as nothing:
            streams = (nothing.fileno(), output, errors) if terminal is None else (terminal,) * 3
            handles = [*streams, there.fileno()]
            socket.send_fds(_server(), [json.dumps(request).encode()], handles)
        self.pid: int = int(self._receive())
        self.returncode: int | None = None

    def _receive(self) -> bytes:
        received = self._end.recv(16)
        assert received, "the process that forks is gone"
        return received

    def poll(self) -> int | None:
        """The exit status, or minus the signal that killed it; None while it runs."""
        return self._await(0)

    def wait(self, timeout: float | None = None) -> int:
        status = self._await(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("nestline", timeout or 0)
        return status

    def _await(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._end], [], [], seconds)[0]:
            self.returncode = int(self._receive())
            self._end.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def start_server(
    *arguments: str, environment: Mapping[str, str], output: int = 1, errors: int = 2
) -> "Fork | subprocess.Popen[bytes]":
    """`nestline web` as a fork, or as a new process where it changes more than its own settings.

    Python and the compiler have read the environment before the fork, and worker processes are no
    forks.
    """
    others = environment.items() ^ os.environ.items()
    is_usual = all(name.startswith("NESTLINE_WEB_") for name, _ in others)
    if is_usual and "--workers" not in arguments:
        return Fork("web", *arguments, environment=environment, output=output, errors=errors)
    return subprocess.Popen(
        [sys.executable, "-m", "nestline", "web", *arguments],
        stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment,
        start_new_session=True,
    )  # fmt: skip
