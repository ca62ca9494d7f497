"""A subprocess behind three pipes: lines to it, lines from it, and never a long wait.

Others interpret the lines. Nothing here blocks for longer than it is told to, even if the program
does not read, floods its output or its errors, or refuses to exit. Each pipe has a thread that may
block instead, since not every system has non-blocking pipes.
"""

import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from nestline.system import Program

CHUNK = 65_536
"""Bytes read or written at a time, and the maximum length of a line."""

MOST_LINES = 1000
"""Lines buffered until they are read; a program that writes more is blocked."""

LAST_WORDS = 400
"""Bytes kept of a program's standard error."""

GLANCE = 0.1
"""Seconds between checks whether a silent program still runs: a child that outlives it may keep its
output open."""

KILLING = 10.0
"""Seconds within which the system reaps a killed process."""


class Pipes:
    """A command's process, with pipes for its standard input, output and error.

    `OSError` if it cannot be started. Times are seconds of `time.monotonic`.
    """

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._program = Program(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        self._changed = threading.Condition()
        self._unsent = bytearray()
        self._lines: deque[str] = deque()
        self._last_words = b""
        self._is_reading = True
        self._is_closed = False
        process = self._program.process
        self._threads = [
            _start(work, stream)
            for work, stream in (
                (self._write, process.stdin),
                (self._read, process.stdout),
                (self._hear_errors, process.stderr),
            )
        ]

    @property
    def has_ended(self) -> bool:
        """Whether the program will send nothing more."""
        return not self._is_reading and not self._lines

    @property
    def last_words(self) -> str:
        """The last line of its standard error."""
        lines = self._last_words.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def send(self, line: str, deadline: float) -> bool:
        """Send a line; false if the program has not read it in time."""
        with self._changed:
            self._unsent += line.encode("utf-8", "surrogateescape") + b"\n"
            self._changed.notify_all()
            while self._unsent and not self.has_ended and time.monotonic() < deadline:
                self._wait(deadline)
            return not self._unsent

    def receive(self, deadline: float) -> str | None:
        """The next line as soon as it arrives; None if the time is up or the output ended."""
        with self._changed:
            while time.monotonic() < deadline and not self.has_ended:
                if self._lines:
                    self._changed.notify_all()
                    return self._lines.popleft()
                self._wait(deadline)
        return None

    def status(self, deadline: float) -> int | None:
        """The exit status if the program exits by itself in time, else None."""
        with self._changed:
            while self._is_reading and time.monotonic() < deadline:
                self._lines.clear()
                self._changed.notify_all()
                self._wait(deadline)
        while (status := self._program.status()) is None and time.monotonic() < deadline:
            time.sleep(0.005)
        if status is not None:
            # It has written its last words, but perhaps we have not read them yet.
            self._threads[-1].join(GLANCE)
        return status

    def close(self) -> None:
        """Kill the program and everything it has started; nothing is left of them."""
        self._program.kill(KILLING)
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        # Another process may hold a pipe open; the thread then ends when that one does.
        deadline = time.monotonic() + KILLING * GLANCE
        for thread in self._threads:
            thread.join(max(deadline - time.monotonic(), 0))

    def _wait(self, deadline: float) -> None:
        """Wait until something has changed, but never for long."""
        seconds = min(max(deadline - time.monotonic(), 0), GLANCE)
        if not self._changed.wait(seconds) and self._program.status() is not None:
            self._is_reading = False

    def _write(self, stream: IO[bytes]) -> None:
        with stream:
            while True:
                with self._changed:
                    while not self._unsent and not self._is_closed:
                        self._changed.wait()
                    if self._is_closed:
                        return
                    chunk = bytes(self._unsent[:CHUNK])
                try:
                    written = stream.write(chunk)
                except OSError:
                    # It has stopped reading; its output tells the rest.
                    written = len(self._unsent)
                with self._changed:
                    del self._unsent[:written]
                    self._changed.notify_all()

    def _read(self, stream: IO[bytes]) -> None:
        begun = b""
        with stream:
            while chunk := _read_some(stream):
                *lines, begun = (begun + chunk).split(b"\n")
                if len(begun) > CHUNK:
                    lines.append(begun)
                    begun = b""
                self._add_lines(lines)
        self._add_lines([begun] if begun else [], is_end=True)

    def _add_lines(self, lines: list[bytes], is_end: bool = False) -> None:
        with self._changed:
            self._lines.extend(line.decode("utf-8", "replace").strip() for line in lines)
            self._is_reading = self._is_reading and not is_end
            self._changed.notify_all()
            while len(self._lines) >= MOST_LINES and not self._is_closed:
                self._changed.wait()

    def _hear_errors(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := _read_some(stream):
                self._last_words = (self._last_words + chunk)[-LAST_WORDS:]


def _start(work: Callable[[IO[bytes]], None], stream: IO[bytes] | None) -> threading.Thread:
    assert stream is not None
    thread = threading.Thread(target=work, args=(stream,), daemon=True)
    thread.start()
    return thread


def _read_some(stream: IO[bytes]) -> bytes:
    """Whatever can be read, as soon as there is something; empty at the end."""
    with suppress(OSError):
        return stream.read(CHUNK)
    return b""
