"""Runs matches as a user would, and watches the processes they start from outside."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from support.command_line import nestline

TIMEOUT = 300  # seconds; the first run on a machine compiles
MARK = "NESTLINE_TEST_RUN"


class Run:
    """A command in the background; every process it starts carries a mark."""

    def __init__(self, *arguments: str, folder: Path | None = None) -> None:
        self.mark = uuid.uuid4().hex
        self._began = time.time()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nestline", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, MARK: self.mark},
            start_new_session=True,
        )

    def processes(self) -> dict[int, str]:
        """Its running processes: their ids and command lines."""
        found = {}
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                # A second of doubt, since the system counts in ticks; older ones need no reading.
                if process.create_time() < self._began - 1:
                    continue
                if process.environ().get(MARK) == self.mark and (command := process.cmdline()):
                    found[process.pid] = " ".join(command)
        return found

    def workers(self, word: str) -> list[int]:
        """The ids of its processes with this word in the command line."""
        return [number for number, command in self.processes().items() if word in command]

    def finish(self) -> tuple[int, str, str]:
        """Wait for the end: status, output, errors. No process may be left behind."""
        try:
            output, errors = self.process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            for number in self.processes():
                os.kill(number, signal.SIGKILL)
            self.process.communicate()
            raise
        until(lambda: not self.processes())
        assert "Traceback" not in errors, errors
        return self.process.returncode, output, errors


def until(condition: Callable[[], Any]) -> Any:
    """Wait until a condition holds, and return what it says."""
    deadline = time.monotonic() + TIMEOUT
    while not (found := condition()):
        assert time.monotonic() < deadline, "this did not happen"
        time.sleep(0.05)
    return found


def finish(*arguments: str, folder: Path | None = None) -> str:
    """Run a command that must succeed, in this process; returns its output."""
    done = nestline(*arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    assert not multiprocessing.active_children()
    return done.stdout


def facts(*arguments: str, folder: Path | None = None) -> Any:
    return json.loads(finish(*arguments, "--json", folder=folder))


def lines(folder: Path) -> list[str]:
    """The lines of the games finished so far."""
    path = folder / "games.jsonl"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def records(folder: Path) -> dict[str, str]:
    """The records in a folder, by file name."""
    return {path.name: path.read_text("utf-8") for path in (folder / "games").iterdir()}
