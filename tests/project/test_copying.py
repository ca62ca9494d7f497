"""The copy buttons of the documentation copy what a reader types, not prompts and answers."""

import runpy
from pathlib import Path

import pytest

COPYING = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "docs" / "copying.py"))


@pytest.mark.parametrize(
    ("shown", "typed"),
    [
        (">>> 1 + 1\n2\n>>> x = 3", "1 + 1\nx = 3"),
        (">>> for i in ():\n...     print(i)\n...\n>>> x", "for i in ():\n    print(i)\n\nx"),
        (">>> f()\nTraceback (most recent call last):\nValueError: no", "f()"),
        ("$ nestline rules check mine.toml\nmine.toml: fine.", "nestline rules check mine.toml"),
        ("$ curl -X POST \\\n    -d '{}'\n{}", "curl -X POST \\\n    -d '{}'"),
        ("from nestline import Game\n\ngame = Game()", ""),
    ],
)
def test_typed_lines(shown: str, typed: str) -> None:
    assert COPYING["typed_in"](shown) == typed


def test_blocks_of_a_page() -> None:
    """Tags and entities of the highlighter are undone, and blocks without prompts stay."""
    page = (
        '<div class="highlight"><pre><span></span><code><span class="gp">&gt;&gt;&gt; </span>'
        "Game(&quot;gobblet&quot;)\n&lt;Game&gt;\n</code></pre></div>"
        '<div class="highlight"><pre><code>x = 1\n</code></pre></div>'
    )
    with_text = COPYING["with_text_to_copy"](page)
    added = ' data-copy="Game(&quot;gobblet&quot;)"'
    assert with_text == page.replace('"highlight"', f'"highlight"{added}', 1)
