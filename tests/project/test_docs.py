"""What the documentation names exists: files, modules, links, examples."""

import ast
import importlib
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from nestline import load_rules
from nestline.arena import load_tournament, read_openings
from nestline.terminal.main import cli
from support.code_blocks import code_blocks
from support.import_graph import MODULES, PACKAGE

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
by_name = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def blocks(page: Path, language: str) -> list[str]:
    """The contents of a page's code blocks in a language."""
    return [block.text for block in code_blocks(page) if block.language == language]


@by_name
def test_nothing_is_left_to_be_filled_in(page: Path) -> None:
    words = r"\b(FIGURES?|TODO|TBD|FIXME|XXX+|PLACEHOLDER|LOREM)\b"
    assert re.findall(words, page.read_text("utf-8")) == []


@by_name
def test_files_that_are_named_exist(page: Path) -> None:
    named = re.findall(r"`((?:[\w.-]+/)+(?:[\w.-]+\.(?:py|toml|md|js|css|html|svg|sh))?)`",
                       page.read_text("utf-8"))  # fmt: skip
    packages = (PACKAGE / name for name in ("", "terminal", "web", "web/static"))
    places = (ROOT, ROOT / "tests", page.parent, *packages)
    missing = [
        name for name in named
        if not name.startswith("dist/")  # `make` builds it.
        and not any((place / name).exists() for place in places)
    ]  # fmt: skip
    assert missing == []


@by_name
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            titles = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.M)
            anchors = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]
            assert anchor in anchors, link


@by_name
def test_modules_and_names_that_are_told_exist(page: Path) -> None:
    for dotted in set(re.findall(r"`(nestline(?:\.\w+)+)`", page.read_text("utf-8"))):
        module, names = dotted, []
        while module not in MODULES:
            module, _, name = module.rpartition(".")
            names.insert(0, name)
        found: Any = importlib.import_module(module)
        for name in names:
            found = getattr(found, name)


def test_docstrings_name_modules_that_exist() -> None:
    """A module's docstring names the modules it leaves work to."""
    known = {part for name in MODULES for part in name.split(".")}
    for name, path in MODULES.items():
        source = path.read_text("utf-8")
        text = ast.get_docstring(ast.parse(source)) or ""
        told = re.findall(r"(?:left to|told by|[Ss]ee|is|are|by) `([a-z_]+)`(?:'s?)?[ .,;)]", text)
        told += re.findall(r"`([a-z_]+)`'s? business", text)
        words = known | set(re.findall(r"\w+", source.replace(text, "")))
        assert set(told) <= words, name


def shape(value: Any) -> Any:
    """JSON without its values: the keys, and the lengths of lists of objects."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value if isinstance(item, dict)]
    return None


def test_the_review_of_a_game_has_the_fields_that_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NESTLINE_TABLES", str(tmp_path))
    record = tmp_path / "game.txt"
    record.write_text('[Rules "tictactoe"]\n1. b2 b1 *\n')
    told = CliRunner().invoke(cli, ["analyse", str(record), "--json"], catch_exceptions=False)
    (shown,) = blocks(ROOT / "docs" / "research" / "tables.md", "json")
    real, example = json.loads(told.stdout), json.loads(shown)
    assert shape(example) == shape(real)
    assert [move["thrown_away"] for move in example["moves"]] == [
        move["thrown_away"] for move in real["moves"]
    ]


def test_the_tournament_that_is_shown_can_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its external program is `nestline` itself, installed beside this Python."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    page = ROOT / "docs" / "research" / "arena.md"
    (text,) = (block for block in blocks(page, "toml") if "rounds" in block)
    (openings,) = blocks(page, "text")
    (tmp_path / "openings.txt").write_text(openings)
    assert len(read_openings(tmp_path / "openings.txt", load_rules("gobblers"))) == 3
    (tmp_path / "ladder.toml").write_text(text)
    assert load_tournament(tmp_path / "ladder.toml").games == 600
