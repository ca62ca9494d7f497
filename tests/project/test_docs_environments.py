"""The tables in docs/research/environments.md match the code."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_tables_are_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "tools" / "docs" / "environments.py"))
    text = (ROOT / "docs" / "research" / "environments.md").read_text("utf-8")
    assert script["page"](text) == text
    assert text.count("made by tools/docs/environments.py -->\n| ") == 2
