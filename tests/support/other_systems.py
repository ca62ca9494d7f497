"""Runs the package with the standard library of another system, by hiding what that system lacks.

mypy's stubs of the standard library say which modules and names exist on which system. A program
started in `environment` can import no others, and neither can any Python it starts. Third-party
packages are unaffected: they have their own code for each system.
"""

import ast
import builtins
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

PACKAGE = "nestline"
LACKING = "NESTLINE_TEST_LACKING"
"""The variable naming a file that lists missing modules and missing names."""


def environment(folder: Path, system: str) -> dict[str, str]:
    """Environment variables that give Python programs the library of another system."""
    lacking = folder / f"{system}.json"
    lacking.write_text(json.dumps(missing_on(system)))
    (folder / "sitecustomize.py").write_text(f"import {__name__} as it\nit.take_names_away()\n")
    paths = [str(folder), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {LACKING: str(lacking), "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@cache
def missing_on(system: str) -> dict[str, list[str]]:
    """What Linux has and another system lacks; a module with no names at all is missing."""
    import mypy

    stubs = Path(mypy.__file__).parent / "typeshed" / "stdlib"
    found = {}
    for path in sorted(stubs.rglob("*.pyi")):
        source = path.read_text("utf-8")
        if "sys.platform" not in source:
            continue
        parts = path.relative_to(stubs).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        body = ast.parse(source).body
        here, there = (
            {name for name in _names(body, each) if not name.startswith("_")}
            for each in ("linux", system)
        )
        if here and not there:
            found[module] = []
        elif here - there:
            found[module] = sorted(here - there)
    return found


def _names(body: Sequence[ast.stmt], system: str) -> Iterator[str]:
    """The names that a stub gives a module on a system."""
    for statement in body:
        if isinstance(statement, ast.If):
            known = SimpleNamespace(platform=system, version_info=sys.version_info)
            test = compile(ast.Expression(statement.test), "stub", "eval")
            is_so = eval(test, {"sys": known, "TYPE_CHECKING": True})
            yield from _names(statement.body if is_so else statement.orelse, system)
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id
        elif isinstance(statement, ast.Assign):
            targets = statement.targets
            yield from (each.id for each in targets if isinstance(each, ast.Name))
        elif isinstance(statement, ast.ImportFrom):
            yield from (each.name for each in statement.names if each.asname == each.name)


class _Part(ModuleType):
    """A module without some of its names."""

    def __init__(self, whole: ModuleType, without: Sequence[str]) -> None:
        super().__init__(whole.__name__)
        self._whole, self._without = whole, frozenset(without)

    def __getattr__(self, name: str) -> Any:
        if name in self._without:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self._whole, name)


def take_names_away() -> None:
    """Let the package import only what this process's pretended system has."""
    lacking: dict[str, list[str]] = json.loads(Path(os.environ[LACKING]).read_text())
    usual = builtins.__import__

    def import_as_there(
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        importer = str((globals or {}).get("__package__") or (globals or {}).get("__name__"))
        module = usual(name, globals, locals, fromlist or (), level)
        if importer.split(".")[0] != PACKAGE or module.__name__ not in lacking:
            return module
        names = lacking[module.__name__]
        if not names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return _Part(module, names)

    builtins.__import__ = import_as_there
