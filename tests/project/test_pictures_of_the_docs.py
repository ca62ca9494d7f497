"""The documentation's pictures are those `make pictures` draws."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


SCRIPTS = ("pictures.py", "packages.py", "backwards.py", "search_tree.py", "capping_game.py")


def test_pictures_are_up_to_date(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in SCRIPTS:
        script = runpy.run_path(str(DOCS.parent / "tools" / "docs" / name))
        monkeypatch.setitem(script["main"].__globals__, "FOLDER", tmp_path)
        script["main"]()
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {name: (DOCS / "pictures" / name).read_text() for name in drawn}
    assert drawn == kept, "draw them anew: `make pictures`"


def test_the_map_names_every_folder() -> None:
    """And it names nothing that does not exist."""
    page = (DOCS / "contribute" / "architecture.md").read_text("utf-8")
    package = DOCS.parent / "src" / "nestline"
    folders = {
        path.parent.relative_to(package).as_posix()
        for path in package.glob("*/**/__init__.py")
        if "migrations" not in path.parts
    }
    named = re.findall(r"`((?:[a-z_]+/)+)`", page)
    for folder in folders:
        inside = f"{folder.rpartition('/')[2]}/"
        assert any(name.startswith(f"{folder}/") or name == inside for name in named), folder
    roots = (package, DOCS.parent, DOCS.parent / "tests")
    for path in re.findall(r"`([a-z_/]+\.py)`", page):
        assert any((root / path).exists() for root in roots), path
