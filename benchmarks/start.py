"""How long commands take to start, and the server on a machine that has compiled nothing yet."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil

COMMANDS = (
    ("python -c pass", ["-c", "pass"]),
    ("nestline --version", ["-m", "nestline", "--version"]),
    ("nestline rules list", ["-m", "nestline", "rules", "list"]),
    ("nestline perft gobblers 1", ["-m", "nestline", "perft", "gobblers", "1"]),
)
REPEATS = 5
ADDRESSES = (
    ("the page", "/"),
    ("the rule sets", "/api/v1/rules"),
    ("the computer is ready", "/healthz"),
)


def seconds(arguments: list[str]) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        best = min(best, time.perf_counter() - began)
    return best


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=60):
            return True
    except OSError:
        return False


def processor_seconds(server: psutil.Process) -> float:
    """What the server's own process has used of a core: on idle cores it waits for little else.

    The compilation, which runs beside it, is a process of its own.
    """
    used = server.cpu_times()
    return float(used.user + used.system)


def first_and_second_start() -> None:
    """Start the server with an empty cache of compiled code, and again with a full one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            **os.environ,
            "NUMBA_CACHE_DIR": str(folder / "cache"),
            "NESTLINE_WEB_DATABASE": str(folder / "games.sqlite3"),
            "NESTLINE_WEB_TABLES": str(folder / "tables"),
            "NESTLINE_WEB_BUILD_TABLES": "no",
        }
        for what in ("first", "second"):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            command = [sys.executable, "-m", "nestline", "web", "--port", str(port)]
            began = time.perf_counter()
            server = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
            process = psutil.Process(server.pid)
            for told, path in ADDRESSES:
                while not answers(f"http://127.0.0.1:{port}{path}"):
                    time.sleep(0.02)
                waited, used = time.perf_counter() - began, processor_seconds(process)
                print(f"{what} start, {told:22} {waited:6.2f} s, {used:5.2f} s of a core")
            server.send_signal(signal.SIGTERM)
            server.wait()


def main() -> None:
    print("start-up, best of", REPEATS)
    for name, arguments in COMMANDS:
        print(f"{name:26} {seconds(arguments):6.3f} s")
    first_and_second_start()


if __name__ == "__main__":
    main()
