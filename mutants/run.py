"""Mutation testing: put small faults into the sources and see whether the tests notice each.

The faults come from Cosmic Ray's operators (`<` for `<=`, `+` for `-`, a number off by one, a
condition negated, a loop that never runs …). Each is tried in a copy of the sources with the tests
that `targets.toml` names for its module; a mutant that no test kills is a survivor. `harmless.toml`
lists equivalent mutants, which change nothing observable, each with the reason; every other
survivor fails the run.

Run by `make mutants`. The mutants of all modules are spread over the processor's cores. Finished
ones are kept in a file, so an interrupted run resumes where it stopped. Each mutant runs in a fork
of a process that has imported the libraries already, and first without compiling: compiled
functions run as plain Python in the tests that are quick that way.
"""

import argparse
import gc
import json
import os
import resource
import shutil
import signal
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from importlib import import_module
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numba
import pytest
from faults import Mutant, is_in, mutants_of

HERE = Path(__file__).parent
ROOT = HERE.parent
FOLDER = ROOT / ".mutants"
"""Copies of the sources, which keep their compiled code, and the tablebases of the tests."""

LIBRARIES = ("filelock", "httpx", "hypothesis.stateful", "numba.np.arraymath", "pdb",
             "unittest", "websockets.sync.client", "zstandard")  # fmt: skip
"""What tests import, beside the package itself; imported once, before the forks."""

LIMITS = {"interpreted": 10, "compiled": 300}
"""Seconds of computing, beside four times what tests take without a mutant; compiling takes long.
Tests that take longer are in an endless loop, which counts as noticing."""

REHEARSAL = 900
"""Seconds of computing that tests without a mutant may take."""

LATE = "out of time"

LIKELY = 60
"""Of the tests that call a mutant's function, so many of the quickest run before all others."""

MEMORY = 4 << 30
"""Bytes that the tests of a mutant may take."""

ARGUMENTS = (
    "-x", "-q", "--tb=no", "-rfE", "--assert=plain", "-o", "addopts=", "-p", "no:cacheprovider",
    "-p", "no:unraisableexception", "-m", "not full",
    "-k", "not on_postgresql and not two_processes",
)  # fmt: skip
"""What pytest is told: to stop at the first failure, to do without what takes time before the first
test, and to try servers on SQLite only."""


class Stage(NamedTuple):
    """Tests to run, with compiled functions as plain Python or not, and how long they may take."""

    tests: list[str]
    interpreted: bool
    seconds: float = REHEARSAL


class Call(NamedTuple):
    """A test of an interpreted stage."""

    test: str
    seconds: float
    called: list[int]
    """The first lines of the functions of the module that it calls."""


class Rehearsal(NamedTuple):
    """What the tests of a module do without any mutant."""

    failing: str
    """A test that fails, or ""."""
    stages: list[Stage]
    """With the time that they may take."""
    calls: list[Call]
    """The quickest first."""

    def stages_for(self, mutant: Mutant) -> list[Stage]:
        """First the quickest tests that call the mutant's function."""
        likely = [call for call in self.calls if mutant.function in call.called][:LIKELY]
        if not likely:
            return self.stages
        seconds = 5 + 4 * sum(call.seconds for call in likely)
        return [Stage([call.test for call in likely], True, seconds), *self.stages]


class Recorder:
    """A plugin of pytest that records which functions of a module each test calls."""

    def __init__(self, source: Path) -> None:
        self._source = str(source)
        self._calls: list[Call] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        called: set[int] = set()

        def trace(frame: Any, _event: str, _argument: object) -> None:
            if frame.f_code.co_filename == self._source:
                called.add(frame.f_code.co_firstlineno)

        began = time.process_time()
        sys.settrace(trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self._calls.append(Call(item.nodeid, time.process_time() - began, sorted(called)))

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self._calls))


class Laboratory:
    """A copy of the sources in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number = 0
        folder.mkdir(parents=True, exist_ok=True)
        # A copy keeps the times of its files, so that Python's and numba's caches stay valid.
        shutil.copytree(ROOT / "src", folder / "src", dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
        for item in ROOT.iterdir():
            if item.name not in ("src", ".git", ".mutants") and not (folder / item.name).exists():
                (folder / item.name).symlink_to(item)

    def rehearse(self, module: str, stages: list[Stage]) -> Rehearsal:
        """Run the tests without a mutant."""
        recorder = Recorder(self.folder / "src" / "nestline" / module)
        path = self.folder / "calls.json"
        path.write_text("[]")
        timed = []
        for stage in stages:
            before = _seconds_of_children()
            if failing := self._run(stage, recorder if stage.interpreted else None):
                (self.folder / "log").rename(FOLDER / f"{module.replace('/', '.')}.log")
                return Rehearsal(failing, [], [])
            limit = LIMITS["interpreted" if stage.interpreted else "compiled"]
            timed.append(stage._replace(seconds=limit + 4 * (_seconds_of_children() - before)))
        calls = [Call(*each) for each in json.loads(path.read_text())]
        return Rehearsal("", timed, sorted(calls, key=lambda call: call.seconds))

    def try_out(self, mutant: Mutant, stages: list[Stage]) -> str:
        """The test that notices the mutant, or "" if none does."""
        source = self.folder / "src" / "nestline" / mutant.module
        original, status = source.read_text("utf-8"), source.stat()
        self._number += 1
        source.write_text(mutant.code, "utf-8")
        # Python tells sources apart by their time, in seconds.
        os.utime(source, (status.st_atime, status.st_mtime + self._number))
        try:
            return next(filter(None, map(self._run, stages)), "")
        finally:
            source.write_text(original, "utf-8")
            os.utime(source, (status.st_atime, status.st_mtime))

    def _run(self, stage: Stage, recorder: Recorder | None = None) -> str:
        """The first test that fails, or ""."""
        log = self.folder / "log"
        child = os.fork()
        if child == 0:
            status = 1  # Where the package cannot even be imported.
            try:
                self._become_a_test_run(log, stage)
                status = pytest.main([*ARGUMENTS, *stage.tests], [recorder] if recorder else [])
                if recorder:
                    recorder.write(self.folder / "calls.json")
            finally:
                sys.stdout.flush()
                os._exit(status)
        try:
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        finally:
            with suppress(ProcessLookupError):  # Whatever the tests have left running.
                os.killpg(child, signal.SIGKILL)
        if status == 0:
            return ""
        lines = log.read_text("utf-8", "replace").splitlines()
        failures = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
        what = failures[0].split(" ")[1] if failures else f"exit status {status}"
        return f"{what} ({LATE})" if LATE in lines else what

    def _become_a_test_run(self, log: Path, stage: Stage) -> None:
        os.setsid()
        os.chdir(self.folder)
        # Whatever waits much longer than it computes waits for ever.
        signal.setitimer(signal.ITIMER_REAL, 60 + 3 * stage.seconds, 10)
        resource.setrlimit(resource.RLIMIT_CPU, (int(stage.seconds), int(stage.seconds) + 20))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

        def fail(number: int, _frame: object) -> None:
            """End an endless loop by an exception, so that tests stop the servers they started."""
            os.write(output, f"\n{LATE}\n".encode())
            raise TimeoutError(signal.Signals(number).name)

        for late in (signal.SIGXCPU, signal.SIGALRM):
            signal.signal(late, fail)
        for stream, file in enumerate((os.open(os.devnull, os.O_RDONLY), output, output)):
            os.dup2(file, stream)
        source = str(self.folder / "src")
        os.environ.update(
            PYTHONPATH=os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")])),
            NUMBA_CACHE_DIR=str(self.folder / "cache"), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
            NESTLINE_TEST_TABLES=str(FOLDER / "tables"),
        )  # fmt: skip
        sys.path[:0] = [source]
        if stage.interpreted:
            _interpret()


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _interpret() -> None:
    """Let compiled functions run as plain Python, whose integers do not wrap around."""
    numba.config.DISABLE_JIT = 1
    import nestline.words

    nestline.words.popcount = lambda word: (int(word) & (1 << 64) - 1).bit_count()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="below src/nestline; all of targets.toml")
    parser.add_argument("--share", type=float, default=1.0, help="the part of the mutants to try")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, default=ROOT / ".mutants.jsonl")
    parser.add_argument("--again", action="store_true", help="try the survivors again")
    parser.add_argument("--quick", action="store_true", help="only what needs no compiling")
    parser.add_argument("--list", action="store_true", help="count the mutants and stop")
    options = parser.parse_args()
    targets = tomllib.loads((HERE / "targets.toml").read_text("utf-8"))
    harmless = tomllib.loads((HERE / "harmless.toml").read_text("utf-8"))
    unknown = [module for module in options.modules if module not in targets]
    if unknown:
        parser.error(f"{unknown[0]} is not in targets.toml; there are {', '.join(targets)}")
    noticed = _earlier(options.results)
    modules = options.modules or list(targets)
    found: dict[str, list[Mutant]] = {}
    with ProcessPoolExecutor(options.workers, get_context("fork")) as pool:
        for module, mutants in zip(modules, pool.map(_all_mutants_of, modules), strict=True):
            found[module] = [mutant for mutant in mutants if is_in(options.share, mutant)]
    failing = False
    if not options.list:
        kinds = ("interpreted",) if options.quick else ("interpreted", "compiled")
        trials = Trials(options.workers)
        for module, mutants in found.items():
            left = [
                mutant for mutant in mutants
                if not _excuse(mutant, harmless)
                and (mutant.name not in noticed or (options.again and not noticed[mutant.name]))
            ]  # fmt: skip
            stages = [
                Stage(targets[module][kind], kind == "interpreted")
                for kind in kinds
                if kind in targets[module]
            ]
            if left and stages:
                trials.add(module, left, stages)
        with options.results.open("a", encoding="utf-8") as results:
            for mutant, by in trials.results():
                noticed[mutant.name] = by
                results.write(json.dumps({"mutant": mutant.name, "noticed": by}) + "\n")
                results.flush()
                if not by:
                    print(f"survived: {mutant.module}:{mutant.line}: {mutant.numbered}", flush=True)
        failing = trials.failing
    sys.exit(_report(found, noticed, harmless) or failing)


def _all_mutants_of(module: str) -> list[Mutant]:
    return list(mutants_of(module))


def _earlier(results: Path) -> dict[str, str]:
    """For each mutant that was tried the test that noticed it, or ""; the last trial counts."""
    lines = results.read_text("utf-8").splitlines() if results.exists() else []
    return {trial["mutant"]: trial["noticed"] for trial in map(json.loads, lines)}


def _excuse(mutant: Mutant, harmless: dict[str, dict[str, str]]) -> str:
    """Why a mutant is harmless, or ""; without a number all equal changes are."""
    known = harmless.get(mutant.module, {})
    return known.get(mutant.change) or known.get(f"{mutant.change} ({mutant.number})", "")


_laboratory: Laboratory


def _begin_work(names: Any) -> None:
    """In a worker process: take a laboratory."""
    global _laboratory
    _laboratory = Laboratory(FOLDER / names.get())


def _rehearse(module: str, stages: list[Stage]) -> Rehearsal:
    return _laboratory.rehearse(module, stages)


def _work(mutant: Mutant, stages: list[Stage]) -> tuple[Mutant, str]:
    return mutant, _laboratory.try_out(mutant, stages)


class Trials:
    """Mutants of several modules, tried side by side by worker processes."""

    def __init__(self, workers: int) -> None:
        self.failing = False
        """Whether tests of a module fail without any mutant; its mutants are not tried."""
        for library in LIBRARIES:
            import_module(library)
        gc.freeze()
        context = get_context("fork")
        names = context.SimpleQueue()
        for number in range(workers):
            names.put(str(number))
        self._pool = ProcessPoolExecutor(workers, context, _begin_work, (names,))
        self._rehearsals: dict[Future[Rehearsal], list[Mutant]] = {}
        self._trials: set[Future[tuple[Mutant, str]]] = set()

    def add(self, module: str, mutants: list[Mutant], stages: list[Stage]) -> None:
        self._rehearsals[self._pool.submit(_rehearse, module, stages)] = mutants

    def results(self) -> Iterator[tuple[Mutant, str]]:
        """Each mutant with the test that notices it, or "", as they come."""
        try:
            while waiting := self._rehearsals.keys() | self._trials:
                done = wait(waiting, return_when=FIRST_COMPLETED).done
                for rehearsed in done & self._rehearsals.keys():
                    self._start(self._rehearsals.pop(rehearsed), rehearsed.result())
                for tried in done & self._trials:
                    self._trials.remove(tried)
                    yield tried.result()
        finally:
            self._pool.shutdown(cancel_futures=True)

    def _start(self, mutants: list[Mutant], rehearsal: Rehearsal) -> None:
        module = mutants[0].module
        if rehearsal.failing:
            self.failing = True
            log = FOLDER / f"{module.replace('/', '.')}.log"
            print(f"{module}: {rehearsal.failing} fails without any mutant; see {log}", flush=True)
            return
        print(f"{module}: {len(mutants)} mutants", flush=True)
        for mutant in mutants:
            self._trials.add(self._pool.submit(_work, mutant, rehearsal.stages_for(mutant)))


def _report(
    found: dict[str, list[Mutant]], noticed: dict[str, str], harmless: dict[str, dict[str, str]]
) -> int:
    """A line for each module; the status is 1 if a mutant that matters survived."""
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in chain.from_iterable(found.values()):
        if _excuse(mutant, harmless):
            word = "harmless"
        elif mutant.name not in noticed:
            word = "not tried"
        else:
            word = "noticed" if noticed[mutant.name] else "survived"
        tally[mutant.module][word] += 1
        tally["in all"][word] += 1
    words = ("noticed", "harmless", "survived", "not tried")
    print(f"| module | mutants | {' | '.join(words)} |\n|{'---|' * 6}")
    for module, count in sorted(tally.items(), key=lambda item: item[0] == "in all"):
        row = [count[word] for word in words]
        print(f"| `{module}` | {sum(row)} | {' | '.join(map(str, row))} |")
    return int(tally["in all"]["survived"] > 0)


if __name__ == "__main__":
    main()
