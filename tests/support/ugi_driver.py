"""`nestline ugi` through two pipes, as a program that runs engines sees it."""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

COMMAND = [sys.executable, "-m", "nestline", "ugi"]
TIMEOUT = 120  # seconds for an answer; the first start on a machine compiles


class Conversation:
    """A running program; its output is read line by line, and it is killed if it hangs."""

    def __init__(self, folder: Path | None = None, **environment: str) -> None:
        variables: Mapping[str, str] = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            **environment,
        }
        self.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=variables,
        )
        assert self.process.stdin
        assert self.process.stdout
        self.input, self.output = self.process.stdin, self.process.stdout

    def __enter__(self) -> "Conversation":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def say(self, *lines: str) -> None:
        self.say_bytes("".join(f"{line}\n" for line in lines).encode())

    def say_bytes(self, content: bytes) -> None:
        self.input.write(content)
        self.input.flush()

    def hear(self, last: str) -> list[str]:
        """Read the lines up to the one that begins with these words."""
        heard: list[str] = []
        alarm = threading.Timer(TIMEOUT, self.process.kill)
        alarm.start()
        try:
            while not heard or not f"{heard[-1]} ".startswith(f"{last} "):
                line = self.output.readline()
                assert line, f"the program ended after {heard}"
                heard.append(line.decode().rstrip("\n"))
        finally:
            alarm.cancel()
        return heard

    def ask(self, *lines: str) -> list[str]:
        """The answers to lines that start no search."""
        self.say(*lines, "isready")
        return self.hear("readyok")[:-1]

    def think(self, *lines: str) -> list[str]:
        """The answers to lines, the last of which starts a search."""
        self.say(*lines)
        return self.hear("bestmove")

    def leave(self, *lines: str) -> tuple[list[str], str]:
        """Send some last lines and end the input; returns the remaining output and errors."""
        said, errors = self.process.communicate(
            "".join(f"{line}\n" for line in lines).encode(), timeout=TIMEOUT
        )
        return said.decode().splitlines(), errors.decode()
