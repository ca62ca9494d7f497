"""Every public name is in the reference, and so is every name that a page imports."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from support.import_graph import MODULES

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "reference").glob("*.md"))
DOCUMENTED = [
    name for page in PAGES for name in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.M)
]

SHORT_CUTS = ("nestline.tables", "nestline.envs.nestline_v1")
"""Modules that users import by name, besides the packages."""

PUBLIC = sorted(
    name
    for name, path in MODULES.items()
    if (path.name == "__init__.py" or name in SHORT_CUTS) and "\n__all__" in path.read_text("utf-8")
)


def find(dotted: str) -> Any:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_documented(package: str) -> None:
    """Under its own name, or under another one for the same thing."""
    described = {id(find(name)) for name in DOCUMENTED}
    names = importlib.import_module(package).__all__
    missing = [name for name in names
               if f"{package}.{name}" not in DOCUMENTED
               and id(find(f"{package}.{name}")) not in described]  # fmt: skip
    assert missing == [], "add them to a page of docs/reference/"


NOT_INSTALLED = "nestline.envs.stable_baselines3"
"""Its base class is of a library that only `make test-full` installs; gymnasium.md describes it."""


def imported_by(page: Path) -> set[str]:
    """The names that the examples of a page import from the package."""
    lines = re.findall(r"from (nestline[\w.]*) import ([\w, ]+)", page.read_text("utf-8"))
    return {f"{module}.{name}" for module, names in lines for name in re.findall(r"\w+", names)
            if module != NOT_INSTALLED}  # fmt: skip


def test_every_name_that_a_page_imports_is_documented() -> None:
    described = {id(find(name)) for name in DOCUMENTED}
    named = set[str]().union(*map(imported_by, [DOCS.parent / "README.md", *DOCS.rglob("*.md")]))
    assert "nestline.action_space.action_of" in named
    found = {name: find(name) for name in sorted(named)}
    missing = [name for name, value in found.items()
               if id(value) not in described and not inspect.ismodule(value)]  # fmt: skip
    assert missing == [], "add them to a page of docs/reference/"


def test_no_name_is_documented_twice() -> None:
    assert sorted(DOCUMENTED) == sorted(set(DOCUMENTED))


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_is_documented_is_public_and_says_what_it_is(name: str) -> None:
    package, _, own = name.rpartition(".")
    module = importlib.import_module(package)
    assert own in getattr(module, "__all__", vars(module))
    found = find(name)
    if inspect.isclass(found) or inspect.isroutine(found):
        assert found.__doc__, name


def test_every_page_is_in_the_navigation() -> None:
    told = set(re.findall(r"[\w/-]+\.md", (DOCS.parent / "mkdocs.yml").read_text("utf-8")))
    assert {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} <= told
