"""The tables in docs/environments.md match the code."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_tables_are_up_to_date() -> None:
    script = runpy.run_path(str(DOCS / "environments.py"))
    text = (DOCS / "environments.md").read_text("utf-8")
    assert script["page"](text) == text
    assert text.count("made by docs/environments.py -->\n| ") == 2
