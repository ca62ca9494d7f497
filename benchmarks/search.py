"""The engine's speed on twenty positions of each 4x4 set, and the signature of the search.

The signature is the number of nodes one thread searches in all of them at a fixed depth. It depends
only on the search and its weights, so it reveals a change that was not meant to affect them. After
an intended change, `python benchmarks/search.py sign` writes the new one.
"""

import sys
import threading
import time
from pathlib import Path

from nestline import Game, Position
from nestline.engine.search.engine import Engine, Limits

HERE = Path(__file__).parent
POSITIONS = HERE / "search.positions"
SIGNATURE = HERE / "search.signature"
SIGNATURE_DEPTH = 4
DEPTH = 7
START_DEPTH = 10
SEEDS = range(1, 6)
MEMORY = 64


def positions() -> dict[str, list[Position]]:
    """The benchmark positions, by rule set."""
    found: dict[str, list[Position]] = {}
    for line in POSITIONS.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            rules, text = line.split(maxsplit=1)
            found.setdefault(rules, []).append(Position(text, rules))
    return found


def to_depth(
    rules: str, places: list[Position], depth: int, threads: int, seed: int = 1
) -> tuple[int, float]:
    """Nodes and seconds for all positions, each with a new transposition table."""
    engine = Engine(rules, threads=threads, memory=MEMORY, seed=seed, tables=False)
    engine.think(Game(rules), Limits(depth=2))  # Loads the compiled search.
    nodes, seconds = 0, 0.0
    for place in places:
        engine.forget()
        began = time.perf_counter()
        nodes += engine.think(Game(start=place), Limits(depth=depth)).nodes
        seconds += time.perf_counter() - began
    return nodes, seconds


def faster(rules: str, places: list[Position]) -> float:
    """How many times as fast two threads are as one; seeds differ, so there are several."""
    one, two = (
        sum(to_depth(rules, places[::2], DEPTH + 1, threads, seed)[1] for seed in SEEDS)
        for threads in (1, 2)
    )
    return one / two


def slowest_stop(rules: str, places: list[Position]) -> float:
    """The longest time, in seconds, a search with two threads takes to stop when asked."""
    engine = Engine(rules, threads=2, memory=MEMORY, seed=1, tables=False)
    slowest = 0.0
    for place in places:
        asked: list[float] = []

        def ask(asked: list[float] = asked) -> None:
            asked.append(time.perf_counter())
            engine.stop()

        timer = threading.Timer(0.2, ask)
        timer.start()
        engine.think(Game(start=place), Limits())
        answered = time.perf_counter()
        timer.cancel()
        timer.join()
        if asked:  # A forced win ends a search by itself.
            slowest = max(slowest, answered - asked[0])
    return slowest


def signature() -> dict[str, int]:
    """The nodes of a shallow search with one thread, by rule set."""
    found = {}
    for rules, places in positions().items():
        engine = Engine(rules, memory=4, seed=1, tables=False)
        nodes = 0
        for place in places:
            engine.forget()
            nodes += engine.think(Game(start=place), Limits(depth=SIGNATURE_DEPTH)).nodes
        found[rules] = nodes
    return found


def committed_signature() -> dict[str, int]:
    lines = SIGNATURE.read_text("utf-8").splitlines()
    return {rules: int(nodes) for rules, nodes in (line.split() for line in lines)}


def main() -> None:
    if sys.argv[1:] == ["sign"]:
        lines = [f"{rules} {nodes}\n" for rules, nodes in signature().items()]
        SIGNATURE.write_text("".join(lines), "utf-8")
    signed = signature()
    print("signature", signed, "as committed" if signed == committed_signature() else "CHANGED")
    for rules, places in positions().items():
        nodes, seconds = to_depth(rules, places, DEPTH, 1)
        print(
            f"{rules}: 20 positions to depth {DEPTH}, one thread: {nodes:,} nodes, "
            f"{seconds:.1f} s, {nodes / seconds / 1e6:.2f} million nodes/s"
        )
        print(
            f"{rules}: two threads {faster(rules, places):.2f} times as fast to depth {DEPTH + 1}"
        )
        nodes, seconds = to_depth(rules, [Position.start(rules)], START_DEPTH, 1)
        print(f"{rules}: start to depth {START_DEPTH}: {seconds:.2f} s, {nodes:,} nodes")
        slowest = slowest_stop(rules, places)
        print(f"{rules}: asked to stop, the slowest of 20 searches took {1000 * slowest:.1f} ms")


if __name__ == "__main__":
    main()
