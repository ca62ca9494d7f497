"""A program at the other end of three pipes: lines to it, lines from it, and never a long wait.

What the lines mean is left to others. Nothing here blocks for longer than it is told to: not a
program that does not read, nor one that floods its output or its errors, nor one that will not go.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence

CHUNK = 65_536
"""Bytes read or written at a time, and the most that counts as one line."""

MOST_LINES = 1000
"""Lines kept until somebody wants them; whoever floods us beyond has to wait."""

LAST_WORDS = 400
"""Bytes kept of what a program says on its standard error."""

GLANCE = 0.1
"""Seconds between looks at whether a silent program still runs: a child of it that outlives it may
keep its output open."""

KILLING = 10.0
"""Seconds in which the system buries what was killed."""


class Pipes:
    """The program of a command, with pipes for its standard input, output and error.

    `OSError` if it cannot be started. Times are seconds of `time.monotonic`.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            # A group of its own: Ctrl-C is for us, and what it has started can be ended with it.
            start_new_session=True,
        )
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._input, self._output, self._errors = (file.fileno() for file in streams if file)
        self._selector = selectors.DefaultSelector()
        for number in (self._output, self._errors):
            os.set_blocking(number, False)
            self._selector.register(number, selectors.EVENT_READ)
        os.set_blocking(self._input, False)
        self._unsent = bytearray()
        self._begun = bytearray()
        self._lines: deque[str] = deque()
        self._last_words = b""
        self._is_reading = True

    @property
    def has_ended(self) -> bool:
        """Whether there is nothing more to come from the program."""
        return not self._is_reading and not self._lines

    @property
    def last_words(self) -> str:
        """The last line on its standard error."""
        lines = self._last_words.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def send(self, line: str, deadline: float) -> bool:
        """Send a line; false if the program has not taken it in time."""
        self._unsent += line.encode("utf-8", "surrogateescape") + b"\n"
        while self._unsent and not self.has_ended and time.monotonic() < deadline:
            self._exchange(deadline)
        return not self._unsent

    def receive(self, deadline: float) -> str | None:
        """The next line, as soon as it is there; None if the time is up or the output ended."""
        while time.monotonic() < deadline and not self.has_ended:
            if self._lines:
                return self._lines.popleft()
            self._exchange(deadline)
        return None

    def status(self, deadline: float) -> int | None:
        """The exit status of a program that ends by itself; None if it does not in time."""
        while self._is_reading and time.monotonic() < deadline:
            self._lines.clear()
            self._exchange(deadline)
        while (status := self._present_status()) is None and time.monotonic() < deadline:
            time.sleep(0.005)
        return status

    def _present_status(self) -> int | None:
        """The status, if it has one; the program stays unburied, so that its number stays its own.

        Signals are negative, as with `subprocess`.
        """
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        found = os.waitid(os.P_PID, self._process.pid, options)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def close(self) -> None:
        """End the program and what it has started, whatever they do; nothing is left of them."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(KILLING)
        self._selector.close()
        for file in (self._process.stdin, self._process.stdout, self._process.stderr):
            if file:
                file.close()

    def _exchange(self, deadline: float) -> None:
        """Write and read what can be, or wait until something can."""
        self._listen_to(self._input, selectors.EVENT_WRITE, bool(self._unsent))
        is_wanted = self._is_reading and len(self._lines) < MOST_LINES
        self._listen_to(self._output, selectors.EVENT_READ, is_wanted)
        seconds = min(max(deadline - time.monotonic(), 0), GLANCE)
        events = self._selector.select(seconds)
        if not events and self._present_status() is not None:
            self._is_reading = False
        for key, _ in events:
            if key.fd == self._input:
                self._write()
            elif key.fd == self._output:
                self._read()
            else:
                self._hear_errors()

    def _listen_to(self, number: int, event: int, wanted: bool) -> None:
        if wanted != (number in self._selector.get_map()):
            if wanted:
                self._selector.register(number, event)
            else:
                self._selector.unregister(number)

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._input, self._unsent[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            # It does not listen any more; its output tells the rest.
            self._unsent.clear()

    def _read(self) -> None:
        chunk = _read_some(self._output)
        if chunk is None:
            return
        self._is_reading = bool(chunk)
        *lines, rest = (self._begun + chunk).split(b"\n")
        if len(rest) > CHUNK or (rest and not chunk):
            lines.append(rest)
            rest = bytearray()
        self._begun = rest
        self._lines.extend(line.decode("utf-8", "replace").strip() for line in lines)

    def _hear_errors(self) -> None:
        chunk = _read_some(self._errors)
        if chunk:
            self._last_words = (self._last_words + chunk)[-LAST_WORDS:]
        elif chunk is not None:
            self._selector.unregister(self._errors)


def _read_some(number: int) -> bytes | None:
    """What there is to read; empty at the end, None if there is nothing just now."""
    try:
        return os.read(number, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
