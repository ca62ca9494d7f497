"""The pictures of the documentation are what `make pictures` draws."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_pictures_are_up_to_date(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = runpy.run_path(str(DOCS / "pictures.py"))
    monkeypatch.setitem(script["main"].__globals__, "FOLDER", tmp_path)
    script["main"]()
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in (DOCS / "pictures").iterdir()}
    assert drawn == kept
