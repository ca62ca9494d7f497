"""Mutation testing: put small faults into the sources and see whether the tests notice each.

The faults come from Cosmic Ray's operators (`<` for `<=`, `+` for `-`, a number off by one, a
condition negated, a loop that never runs …). Each is tried in a copy of the sources with the tests
that `targets.toml` names for its module; a mutant that no test kills is a survivor. `harmless.toml`
lists equivalent mutants, which change nothing observable, each with the reason; every other
survivor fails the run.

Run by `make mutants`. Finished mutants are kept in a file, so an interrupted run resumes where it
stopped.
"""

import argparse
import ast
import difflib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import suppress
from itertools import chain, product
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from cosmic_ray import plugins
from cosmic_ray.mutating import mutate_code

HERE = Path(__file__).parent
ROOT = HERE.parent
TABLES = ROOT / ".pytest_cache" / "tables"
"""The tablebases of the tests, built once by the code as it is."""

SECONDS = 240
"""A mutant whose tests run longer than this is in an endless loop, and counts as killed."""

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
    change: str

    @property
    def name(self) -> str:
        """A name that stays the same as long as the line does, wherever it moves."""
        return f"{self.module}: {self.change}"


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


def mutants_of(module: str, name: str) -> list[Mutant]:
    """The mutants that one operator makes of a module."""
    code = (ROOT / "src" / "nestline" / module).read_text("utf-8")
    seen = {meaning(code)}
    operator = plugins.get_operator(f"core/{name}")()
    found = []
    occurrence = 0
    while (mutated := mutate_code(code, operator, occurrence)) is not None:
        occurrence += 1
        with suppress(SyntaxError):
            if (what := meaning(mutated)) not in seen:
                seen.add(what)
                found.append(Mutant(module, mutated, *_difference(code, mutated)))
    return found


def _difference(code: str, mutated: str) -> tuple[int, str]:
    before, after = code.splitlines(), mutated.splitlines()
    for tag, start, end, other, last in difflib.SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            old = " ".join(line.strip() for line in before[start:end])
            new = " ".join(line.strip() for line in after[other:last])
            return start + 1, f"{old}  →  {new}"
    raise ValueError("the mutant does not differ")


class Laboratory:
    """A copy of the sources in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
        for item in ROOT.iterdir():
            if item.name not in ("src", ".git"):
                (folder / item.name).symlink_to(item)

    def try_out(self, mutant: Mutant, tests: list[str]) -> bool:
        """Whether the tests kill the mutant."""
        source = self.folder / "src" / "nestline" / mutant.module
        original = source.read_text("utf-8")
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            environment = _environment(self.folder)
            if "from nestline.compiled import" in original or mutant.module == "compiled.py":
                environment["NUMBA_CACHE_DIR"] = cache
            source.write_text(mutant.code, "utf-8")
            try:
                return _fails(tests, self.folder, environment)
            finally:
                source.write_text(original, "utf-8")


def _environment(folder: Path) -> dict[str, str]:
    """Python finds the sources of a laboratory first; no plugins of pytest, which load slowly."""
    path = os.pathsep.join([str(folder / "src"), os.environ.get("PYTHONPATH", "")])
    return {
        **os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NESTLINE_TEST_TABLES": str(TABLES),
    }  # fmt: skip


def _pytest(tests: list[str], processes: str) -> list[str]:
    """The command that runs tests: with the one plugin that `tests/conftest.py` needs."""
    return [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
            "-p", "xdist.plugin", "-n", processes, *tests]  # fmt: skip


def _fails(tests: list[str], folder: Path, environment: dict[str, str]) -> bool:
    command = _pytest(tests, "0")
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            return process.wait(SECONDS) != 0
        except subprocess.TimeoutExpired:
            return True
        finally:
            # Whatever a mutant's tests have left running goes with them.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def chosen(targets: dict[str, Any], modules: list[str], share: float) -> Iterator[Mutant]:
    """The mutants of the modules asked for; a share below 1 always picks the same ones."""
    pairs = list(product(modules or targets, OPERATORS))
    seen = set()
    with ProcessPoolExecutor() as pool:  # Parsing a module for each of its mutants takes a while.
        for mutant in chain.from_iterable(pool.map(mutants_of, *zip(*pairs, strict=True))):
            digest = hashlib.sha256(mutant.name.encode()).digest()
            if int.from_bytes(digest[:4]) < share * 2**32 and mutant.code not in seen:
                seen.add(mutant.code)
                yield mutant


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="below src/nestline; all of targets.toml")
    parser.add_argument("--share", type=float, default=1.0, help="the part of the mutants to try")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, help="begin no mutant after so long")
    parser.add_argument("--results", type=Path, default=ROOT / ".mutants.jsonl")
    parser.add_argument("--deselect", nargs="*", default=[], help="tests that fail on this system")
    parser.add_argument("--list", action="store_true", help="count the mutants and stop")
    options = parser.parse_args()
    targets = tomllib.loads((HERE / "targets.toml").read_text("utf-8"))
    harmless = tomllib.loads((HERE / "harmless.toml").read_text("utf-8"))
    unknown = [module for module in options.modules if module not in targets]
    if unknown:
        parser.error(f"{unknown[0]} is not in targets.toml; there are {', '.join(targets)}")
    mutants = list(chosen(targets, options.modules, options.share))
    if options.list:
        for module, count in Counter(mutant.module for mutant in mutants).items():
            print(f"{count:6} {module}")
        print(f"{len(mutants):6} in all")
        return
    noticed = _earlier(options.results)
    for tests in targets.values():
        tests.extend(f"--deselect={test}" for test in options.deselect)
    _require_green(sorted({mutant.module for mutant in mutants}), targets)
    _try_all([each for each in mutants if each.name not in noticed], targets, options, noticed)
    sys.exit(_report(mutants, noticed, harmless))


def _require_green(modules: list[str], targets: dict[str, Any]) -> None:
    """Tests that fail without a mutant would kill every one."""
    tests = list(dict.fromkeys(test for module in modules for test in targets[module]))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        laboratory = Laboratory(Path(folder))
        run = subprocess.run(
            _pytest(tests, "auto"), cwd=folder, env=_environment(laboratory.folder),
            capture_output=True, text=True,
        )  # fmt: skip
    if run.returncode:
        sys.exit(f"the tests fail without any mutant:\n{run.stdout[-4000:]}")


def _earlier(results: Path) -> dict[str, bool]:
    if not results.exists():
        return {}
    noticed: dict[str, bool] = {}
    for line in map(json.loads, results.read_text("utf-8").splitlines()):
        _note(noticed, line["mutant"], line["noticed"])
    return noticed


def _note(noticed: dict[str, bool], name: str, found: bool) -> None:
    """Equal changes of equal lines have one name, and count as noticed if all of them are."""
    noticed[name] = noticed.get(name, True) and found


def _try_all(
    mutants: list[Mutant],
    targets: dict[str, Any],
    options: argparse.Namespace,
    noticed: dict[str, bool],
) -> None:
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        options.results.open("a", encoding="utf-8") as results,
        ThreadPoolExecutor(options.workers) as pool,
    ):
        laboratories: SimpleQueue[Laboratory] = SimpleQueue()
        for number in range(options.workers):
            (Path(folder) / str(number)).mkdir()
            laboratories.put(Laboratory(Path(folder) / str(number)))

        def work(mutant: Mutant) -> tuple[Mutant, bool] | None:
            if options.seconds and time.monotonic() - began > options.seconds:
                return None
            laboratory = laboratories.get()
            try:
                return mutant, laboratory.try_out(mutant, targets[mutant.module])
            finally:
                laboratories.put(laboratory)

        tried = as_completed([pool.submit(work, mutant) for mutant in mutants])
        for done, result in enumerate((future.result() for future in tried), 1):
            if result is None:
                continue
            mutant, found = result
            _note(noticed, mutant.name, found)
            results.write(json.dumps({"mutant": mutant.name, "noticed": found}) + "\n")
            results.flush()
            if not found:
                print(f"survived: {mutant.module}:{mutant.line}: {mutant.change}", flush=True)
            if done % 50 == 0:
                seconds = time.monotonic() - began
                print(f"{done} of {len(mutants)} after {seconds:.0f} s", flush=True)


def _report(
    mutants: list[Mutant], noticed: dict[str, bool], harmless: dict[str, dict[str, str]]
) -> int:
    """A line for each module; the status is 1 if a mutant that matters survived."""
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in mutants:
        found = noticed.get(mutant.name)
        excused = mutant.change in harmless.get(mutant.module, {})
        if found is None:
            word = "not tried"
        elif found:
            word = "noticed"
        else:
            word = "harmless" if excused else "survived"
        tally[mutant.module][word] += 1
    words = ("noticed", "harmless", "survived", "not tried")
    print(f"| module | mutants | {' | '.join(words)} |\n|{'---|' * 6}")
    for module, count in tally.items():
        row = [count[word] for word in words]
        print(f"| `{module}` | {sum(row)} | {' | '.join(map(str, row))} |")
    return int(any(count["survived"] for count in tally.values()))


if __name__ == "__main__":
    main()
