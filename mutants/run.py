"""Mutation testing: put small faults into the sources and see whether the tests notice each.

The faults come from Cosmic Ray's operators (`<` for `<=`, `+` for `-`, a number off by one, a
condition negated, a loop that never runs …). Each is tried in a copy of the sources with the tests
that `targets.toml` names for its module; a mutant that no test kills is a survivor. `harmless.toml`
lists equivalent mutants, which change nothing observable, each with the reason; every other
survivor fails the run.

Run by `make mutants`. Finished mutants are kept in a file, so an interrupted run resumes where it
stopped. Each mutant runs in a fork of a process that has imported the libraries already, and first
without compiling: compiled functions run as plain Python in the tests that are quick that way.
"""

import argparse
import ast
import gc
import hashlib
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
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from importlib import import_module
from itertools import pairwise, takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numba
import pytest
from cosmic_ray import plugins
from cosmic_ray.mutating import mutate_code

HERE = Path(__file__).parent
ROOT = HERE.parent
FOLDER = ROOT / ".mutants"
"""Copies of the sources, which keep their compiled code, and the tablebases of the tests."""

LIBRARIES = ("filelock", "httpx", "hypothesis.stateful", "numba.np.arraymath", "pdb",
             "unittest", "websockets.sync.client", "zstandard")  # fmt: skip
"""What tests import, beside the package itself; imported once, before the forks."""

SECONDS = 240
"""Tests that wait longer than this wait for ever, which counts as noticing a mutant."""

LIMITS = {"interpreted": 30, "compiled": 300}
"""Seconds of computing; tests that take longer are in an endless loop."""

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

OPERATORS = (
    *(f"ReplaceBinaryOperator_{pair}" for pair in (
        "Add_Sub", "Sub_Add", "Mul_Add", "FloorDiv_Mul", "Mod_FloorDiv", "Div_Mul",
        "LShift_RShift", "RShift_LShift", "BitAnd_BitOr", "BitOr_BitAnd", "BitXor_BitOr",
    )),
    *(f"ReplaceComparisonOperator_{pair}" for pair in (
        "Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Is_IsNot", "IsNot_Is",
    )),
    "ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_Invert",
    "ReplaceUnaryOperator_USub_UAdd", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue",
    "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak",
    "AddNot", "ZeroIterationForLoop", "NumberReplacer",
)  # fmt: skip


class Mutant(NamedTuple):
    module: str
    code: str
    line: int
    function: int
    """The first line of the function that it is in; 0 outside all functions."""
    change: str
    number: int
    """Equal lines can be changed equally; this counts them."""

    @property
    def numbered(self) -> str:
        return f"{self.change} ({self.number})" if self.number > 1 else self.change

    @property
    def name(self) -> str:
        """A name that stays the same as long as the line does, wherever it moves."""
        return f"{self.module}: {self.numbered}"


class _WithoutAnnotations(ast.NodeTransformer):
    """Removes type annotations, which do nothing at run time; mypy checks those."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def meaning(code: str) -> str:
    return ast.dump(_WithoutAnnotations().visit(ast.parse(code)))


def mutants_of(module: str) -> Iterator[Mutant]:
    """The mutants of a module."""
    code = (ROOT / "src" / "nestline" / module).read_text("utf-8")
    lines = code.splitlines(keepends=True)
    tree = ast.parse(code)
    starts = [_first_line(node) - 1 for node in tree.body]
    functions = sorted(
        (_first_line(node), node.end_lineno or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    names: Counter[str] = Counter()
    # One function or class at a time, since Cosmic Ray parses all of its text for each mutant.
    for start, end in pairwise([*starts, len(lines)]):
        block = "".join(lines[start:end])
        for mutated in _variants(block):
            line, change = _difference(block, mutated)
            changed = "".join([*lines[:start], mutated, *lines[end:]])
            names[change] += 1
            line += start
            inside = [first for first, last in functions if first <= line <= last]
            function = inside[-1] if inside else 0
            yield Mutant(module, changed, line, function, change, names[change])


def _first_line(node: ast.stmt) -> int:
    """With the decorators, as Python counts it."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])


def _variants(code: str) -> Iterator[str]:
    """What the operators make of a piece of code, each result once."""
    seen = {meaning(code)}
    for name in OPERATORS:
        operator = plugins.get_operator(f"core/{name}")()
        occurrence = 0
        while (mutated := mutate_code(code, operator, occurrence)) is not None:
            occurrence += 1
            with suppress(SyntaxError):
                if (what := meaning(mutated)) not in seen:
                    seen.add(what)
                    yield mutated


def _difference(code: str, mutated: str) -> tuple[int, str]:
    """The number of the first line that differs, and what becomes of what."""
    before, after = code.splitlines(), mutated.splitlines()
    same = _common(before, after)
    rest = _common(before[same:][::-1], after[same:][::-1])
    old, new = (
        " ".join(line.strip() for line in lines[same : len(lines) - rest])
        for lines in (before, after)
    )
    return same + 1, f"{old}  →  {new}"


def _common(some: list[str], others: list[str]) -> int:
    """How many first lines are the same."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


class Stage(NamedTuple):
    """Tests to run, with compiled functions as plain Python or not, and how long they may take."""

    tests: list[str]
    interpreted: bool
    seconds: float


class Call(NamedTuple):
    """A test of an interpreted stage."""

    test: str
    seconds: float
    called: list[int]
    """The first lines of the functions of the module that it calls."""


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

    def record(self, module: str, stages: list[Stage]) -> tuple[str, list[Call]]:
        """The test that fails without any mutant, or "", and what interpreted tests call."""
        recorder = Recorder(self.folder / "src" / "nestline" / module)
        calls = self.folder / "calls.json"
        calls.write_text("[]")
        failing = [self._run(each, recorder if each.interpreted else None) for each in stages]
        return "".join(failing), [Call(*each) for each in json.loads(calls.read_text())]

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
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with suppress(ProcessLookupError):  # Whatever the tests have left running.
            os.killpg(child, signal.SIGKILL)
        if status == 0:
            return ""
        failures = [line for line in log.read_text("utf-8", "replace").splitlines()
                    if line.startswith(("FAILED ", "ERROR "))]  # fmt: skip
        return failures[0].split(" ")[1] if failures else f"exit status {status}"

    def _become_a_test_run(self, log: Path, stage: Stage) -> None:
        os.setsid()
        os.chdir(self.folder)
        for late in (signal.SIGXCPU, signal.SIGALRM):
            signal.signal(late, _fail)
        signal.setitimer(signal.ITIMER_REAL, SECONDS, 10)
        resource.setrlimit(resource.RLIMIT_CPU, (int(stage.seconds), int(stage.seconds) + 20))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream, file in enumerate((os.open(os.devnull, os.O_RDONLY), output, output)):
            os.dup2(file, stream)
        os.environ.update(
            PYTHONPATH=str(self.folder / "src"), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
            NESTLINE_TEST_TABLES=str(FOLDER / "tables"), NUMBA_CACHE_DIR=str(self.folder / "cache"),
        )  # fmt: skip
        sys.path[:0] = [str(self.folder / "src")]
        if stage.interpreted:
            _interpret()


def _interpret() -> None:
    """Let compiled functions run as plain Python, whose integers do not wrap around."""
    numba.config.DISABLE_JIT = 1
    import nestline.words

    nestline.words.popcount = lambda word: (int(word) & (1 << 64) - 1).bit_count()


def _fail(number: int, _frame: object) -> None:
    """Ends tests in an endless loop by an exception, so that they stop the servers they started."""
    raise TimeoutError(signal.Signals(number).name)


def is_in(share: float, mutant: Mutant) -> bool:
    """Whether a mutant is in a share of all; a share always has the same ones."""
    digest = hashlib.sha256(mutant.name.encode()).digest()
    return int.from_bytes(digest[:4]) < share * 2**32


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
    found: list[Mutant] = []
    for module in options.modules or targets:
        mutants = [mutant for mutant in mutants_of(module) if is_in(options.share, mutant)]
        found += mutants
        if options.list:
            continue
        left = [
            mutant for mutant in mutants
            if not _excuse(mutant, harmless)
            and (mutant.name not in noticed or (options.again and not noticed[mutant.name]))
        ]  # fmt: skip
        kinds = ("interpreted",) if options.quick else ("interpreted", "compiled")
        stages = [
            Stage(targets[module][kind], kind == "interpreted", LIMITS[kind])
            for kind in kinds
            if kind in targets[module]
        ]
        if left and stages:
            _try_all(left, stages, options, noticed)
    sys.exit(_report(found, noticed, harmless))


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


def _work(mutant: Mutant, stages: list[Stage]) -> tuple[Mutant, str]:
    return mutant, _laboratory.try_out(mutant, stages)


def _try_all(
    mutants: list[Mutant], stages: list[Stage], options: argparse.Namespace, noticed: dict[str, str]
) -> None:
    """Try the mutants of one module."""
    for library in LIBRARIES:
        import_module(library)
    gc.freeze()
    failing, calls = Laboratory(FOLDER / "0").record(mutants[0].module, stages)
    if failing:
        sys.exit(f"{failing} fails without any mutant; see {FOLDER / '0' / 'log'}")
    calls.sort(key=lambda call: call.seconds)
    print(f"{mutants[0].module}: {len(mutants)} mutants", flush=True)
    context = get_context("fork")
    names = context.SimpleQueue()
    for number in range(options.workers):
        names.put(str(number))
    with (
        ProcessPoolExecutor(options.workers, context, _begin_work, (names,)) as pool,
        options.results.open("a", encoding="utf-8") as results,
    ):
        trials = []
        for mutant in mutants:
            plan = stages
            if likely := [call for call in calls if mutant.function in call.called][:LIKELY]:
                seconds = 5 + 4 * sum(call.seconds for call in likely)
                first = Stage([call.test for call in likely], True, seconds)
                plan = [first, *stages]
            trials.append(pool.submit(_work, mutant, plan))
        for mutant, by in (trial.result() for trial in trials):
            noticed[mutant.name] = by
            results.write(json.dumps({"mutant": mutant.name, "noticed": by}) + "\n")
            results.flush()
            if not by:
                print(f"survived: {mutant.module}:{mutant.line}: {mutant.numbered}", flush=True)


def _report(
    mutants: list[Mutant], noticed: dict[str, str], harmless: dict[str, dict[str, str]]
) -> int:
    """A line for each module; the status is 1 if a mutant that matters survived."""
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in mutants:
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
