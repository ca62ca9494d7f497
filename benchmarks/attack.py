"""How long somebody waits for `GET /status` while another client attacks the server.

The server, the attacker and the victim are processes of their own, and the server has its default
limits. The victim asks again and again over new connections; its worst wait is what counts. The
server's memory is measured at its peak. `tests/support/attacks.py` has the attacks.
"""

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.attacks import ATTACKS, Target, request
from support.web_driver import Server, running, usual_limits

ATTACKER, VICTIM = "127.0.0.2", "127.0.0.3"
SECONDS_BETWEEN_LOOKS = 0.03
AFTERWARDS = 0.5
"""Seconds for which the victim goes on looking when the attack is over."""


def attack(name: str, port: int) -> None:
    ATTACKS[name](Target(port, ATTACKER))


def look(port: int, told: "Connection[list[float], str]") -> None:
    """The victim: measure its waits until told to stop."""
    waits: list[float] = []
    target = Target(port, VICTIM)
    while not told.poll():
        began = time.perf_counter()
        status, _answer = request(target, "GET", "/status")
        waits.append(time.perf_counter() - began)
        assert status in (200, 429), f"the victim got {status}"
        time.sleep(SECONDS_BETWEEN_LOOKS)
    told.send(waits)


def resident_megabytes(server: Server) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text("ascii")
    found = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(found.split()[1]) / 1024


class Memory:
    """The largest memory of a server while it is looked at."""

    def __init__(self, server: Server) -> None:
        self.most = 0.0
        self._server, self._is_over = server, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._is_over.wait(0.1):
            self.most = max(self.most, resident_megabytes(self._server))

    def close(self) -> None:
        self._is_over.set()
        self._thread.join()


def measure(server: Server, name: str) -> tuple[float, float, float]:
    """The victim's median and worst wait in milliseconds, and the server's memory in megabytes."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    victim = spawn.Process(target=look, args=(server.port, theirs))
    victim.start()
    time.sleep(1)
    memory = Memory(server)
    attacker = spawn.Process(target=attack, args=(name, server.port))
    attacker.start()
    attacker.join()
    time.sleep(AFTERWARDS)
    ours.send("stop")
    waits = ours.recv()
    victim.join()
    memory.close()
    return 1000 * statistics.median(waits), 1000 * max(waits), memory.most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="attacks with this in their name")
    chosen = parser.parse_args()
    print("attack: the victim's median wait, its worst wait, the server's memory")
    for name in ATTACKS:
        if chosen.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            database = str(Path(folder) / "games.sqlite3")
            with running(database, Path(folder), usual_limits()) as server:
                median, worst, memory = measure(server, name)
        print(f"  {name}: {median:.0f} ms, {worst:.0f} ms, {memory:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
