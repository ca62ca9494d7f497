"""Notebooks kept as text: files whose cells begin with `# %%`, as Jupytext and editors read them.

Runs their cells, and turns them into Markdown with what they print and show.
"""

import ast
import io
from base64 import b64encode
from collections.abc import Iterator
from contextlib import redirect_stdout
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

CELL, PROSE = "# %%", "# %% [markdown]"


class Shown(NamedTuple):
    """What running a cell leaves on the screen: what it printed, and the value of its last line."""

    printed: str
    value: Any


def cells(path: Path) -> Iterator[tuple[bool, str]]:
    """Every cell in order: whether it is prose, and its text."""
    for part in path.read_text("utf-8").split(f"{CELL}")[1:]:
        head, _, body = part.partition("\n")
        is_prose = f"{CELL}{head}" == PROSE
        lines = [line.removeprefix("#").removeprefix(" ") if is_prose else line
                 for line in body.strip().splitlines()]  # fmt: skip
        yield is_prose, "\n".join(lines)


def run_cell(source: str, names: dict[str, Any]) -> Shown:
    """As a notebook does: the value of an expression at the end is shown."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "<cell>", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return Shown(printed.getvalue(), value)


def notebook_in_markdown(path: Path) -> str:
    names: dict[str, Any] = {}
    parts = []
    for is_prose, text in cells(path):
        parts.append(text if is_prose else f"```python\n{text}\n```")
        if not is_prose:
            shown = run_cell(text, names)
            if shown.printed:
                parts.append(f"```text\n{shown.printed.rstrip()}\n```")
            if hasattr(shown.value, "_repr_svg_"):
                picture = b64encode(shown.value._repr_svg_().encode()).decode()
                alternative = escape(str(shown.value))
                parts.append(f'<img alt="{alternative}" src="data:image/svg+xml;base64,{picture}">')
            elif shown.value is not None:
                parts.append(f"```text\n{shown.value!r}\n```")
    return "\n\n".join(parts) + "\n"
