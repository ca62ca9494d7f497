"""What several threads gain where the machine cannot tell: their searches, made to keep in step.

Each thread searches as many nodes as the others, a few hundred at a time, one thread after another.
The speed-up is then the nodes of one thread alone, divided by those of the first of several: what
they would reach if each were as fast as one alone. Other programs on the machine do not matter, one
core is enough, and the same seeds give the same figures.

The search must be changed for that: a copy of the package, with a line more, is compiled.
"""

import argparse
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, cast

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "src" / "nestline"
SEARCH = Path("engine") / "search" / "alphabeta.py"

STEP = """
import ctypes

_give_way = ctypes.CDLL(None).sched_yield
_give_way.argtypes, _give_way.restype = [], ctypes.c_int


@inlined
def _keep_in_step(control: Numbers, turns: Numbers) -> None:
    if control[NODES] < control[15]:
        return
    me, count = control[13], control[14]
    if turns[-1] == me:
        for step in range(1, count + 1):
            other = (me + step) % count
            if turns[-2 - other]:
                turns[-1] = other
                break
    while turns[-1] != me:
        _give_way()
    control[15] = control[NODES] + 256


@recursive
def search("""
CALL = """
    control[NODES] += 1
    if control[SHARED]:
        _keep_in_step(control, work.busy)
    if control"""


def changed_package(folder: Path) -> None:
    """A copy of the package whose threads keep in step."""
    shutil.copytree(PACKAGE, folder / PACKAGE.name)
    path = folder / PACKAGE.name / SEARCH
    source = path.read_text("utf-8")
    for old, new in (
        ("\n@recursive\ndef search(", STEP),
        ("\n    control[NODES] += 1\n    if control", CALL),
    ):
        assert source.count(old) == 1, f"{SEARCH} has changed: {old}"
        source = source.replace(old, new)
    path.write_text(source, "utf-8")


def speed_ups(rules: str, options: argparse.Namespace) -> None:
    import numpy as np
    import search as benchmark

    from nestline import Game
    from nestline.engine.search import engine as engines
    from nestline.engine.search import workspace
    from nestline.engine.search.search_thread import SearchThread

    usual = workspace.make_marks

    class InStep(SearchThread):
        """A thread that passes the turn on when it ends, and knows what its last depth took."""

        spent = 0

        def help(self) -> None:
            super().help()
            self.leave()

        def advance(self) -> Any:
            before = self.depth
            found = super().advance()
            if self.depth > before:  # A search for nearer wins comes after that.
                self.spent = self.nodes
            # The first depth is searched before the others have begun.
            self._work.control[15] = min(self._work.control[15], self.nodes)
            return found

        def stop(self) -> None:
            super().stop()
            if self._work.control[13] == 0:
                self.leave()

        def leave(self) -> None:
            control, turns = self._work.control, self._work.busy
            me, count = int(control[13]), int(control[14])
            turns[-2 - me] = 0
            if turns[-1] == me:
                waiting = (
                    other for other in range(me + 1, me + count) if turns[-2 - other % count]
                )
                turns[-1] = next(waiting, me) % count

    class Engine(engines.Engine):
        first: InStep

        def _begin(self, *given: Any) -> list[SearchThread]:
            threads = super()._begin(*given)
            for number, work in enumerate(self._workspaces):
                work.control[13:16] = number, len(threads), workspace.NEVER if number == 0 else 0
                work.busy[-2 - number] = 1
            self.first = cast(InStep, threads[0])
            return threads

    def nodes(threads: int, seed: int) -> int:
        """What the first thread searches until all positions are searched to the depth."""
        room = np.zeros(threads + 1, np.int64)
        workspace.make_marks = lambda: np.concatenate((usual(), room))
        engine = Engine(rules, threads=threads, memory=64, seed=seed, tables=False)
        total = 0
        for place in benchmark.positions()[rules][: options.positions]:
            engine.forget()
            engine.think(Game(start=place), engines.Limits(depth=options.depth))
            total += engine.first.spent
        return total

    engines.SearchThread = InStep  # type: ignore[misc]
    seeds = range(1, options.seeds + 1)
    alone = sum(nodes(1, seed) for seed in seeds)
    for threads in options.threads:
        gain = alone / sum(nodes(threads, seed) for seed in seeds)
        print(f"{rules} to depth {options.depth}: {threads} threads in step {gain:.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["gobblet", "gobblet-house"])
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--positions", type=int, default=14)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        changed_package(Path(folder))
        sys.path[:0] = [folder, str(HERE)]
        warnings.simplefilter("ignore")  # What calls ctypes is not kept in the cache.
        for rules in options.rules:
            speed_ups(rules, options)


if __name__ == "__main__":
    main()
