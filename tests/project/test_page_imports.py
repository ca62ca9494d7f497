"""The page's modules import one way: views import the parts they are made of, never each other.

Types count too: naming another view's class is an import. Only `server/types.js` is open to all,
since every part deals with boards and rule sets.
"""

import posixpath
import re
from importlib import resources
from pathlib import Path

import pytest

STATIC = Path(str(resources.files("nestline.web") / "static"))
MODULES = {
    path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in STATIC.rglob("*.js")
}
TYPES = "server/types.js"

BELOW = {
    "site": set[str](),
    "server": {"site"},
    "engine/fzstd": set[str](),
    "shared": {"site", "server"},
    "engine": {"engine/fzstd", "shared"},
    "local": {"site", "server", "engine", "shared"},
    "analysis": {"site", "server", "engine", "shared", "local"},
    "board": {"shared"},
    "panels": {"site", "server", "shared", "local", "analysis", "board"},
    "game": {"site", "server", "engine", "shared", "local", "analysis", "board", "panels"},
    "study": {"site", "server", "engine", "shared", "local", "analysis", "board", "panels"},
    "learn": {"site", "server", "engine", "shared", "local", "analysis", "board"},
    "start": {"site", "server", "engine", "shared", "local", "board"},
    "workshop": {"site", "server", "engine", "shared", "local", "board", "panels"},
    "pages": {"site", "server", "engine", "shared", "local", "board", "panels"},
}
"""The folders, and which others each may import from."""

PARTS = r'(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"'


def imported(module: str, source: str) -> set[str]:
    """What a module imports: by `import`, `import()`, or the `@import` of a type."""
    folder = posixpath.dirname(module)
    return {posixpath.normpath(posixpath.join(folder, path)) for path in re.findall(PARTS, source)}


def violations(module: str, source: str) -> list[str]:
    room = posixpath.dirname(module)
    wrong = []
    for other in sorted(imported(module, source) - {TYPES}):
        # Each page is a view of its own.
        own = posixpath.dirname(other) == room and room != "pages"
        if not own and posixpath.dirname(other) not in BELOW[room]:
            wrong.append(f"{module} imports {other}")
    return wrong


def needs(module: str) -> set[str]:
    """Everything that is loaded before a module runs."""
    found = [module]
    for name in found:  # which grows meanwhile
        lines = re.findall(r"^import\b[^;]*;$", MODULES[name], re.MULTILINE)
        found += sorted(imported(name, "\n".join(lines)) - set(found))
    return set(found)


def test_every_room_has_its_place() -> None:
    assert {posixpath.dirname(module) for module in MODULES} == {*BELOW, ""}
    assert [module for module in MODULES if "/" not in module] == ["main.js"]


@pytest.mark.parametrize("module", sorted(set(MODULES) - {"main.js"}))
def test_imports_point_down(module: str) -> None:
    assert imported(module, MODULES[module]) <= set(MODULES)
    assert violations(module, MODULES[module]) == []


def test_the_board_knows_no_server() -> None:
    assert len(needs("board/board.js")) > 10
    assert not [each for each in needs("board/board.js") if each.startswith("server/")]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("game/view.js", 'import { Editor } from "../study/editor.js";'),
        ("game/view.js", 'import {\n  Editor,\n} from "../study/editor.js";'),
        ("game/view.js", 'const { Editor } = await import("../study/editor.js");'),
        ("game/view.js", '/** @type {import("../study/editor.js").Editor} */'),
        ("study/view.js", ' * @import { GameView } from "../game/view.js"'),
        ("start/view.js", 'import "../pages/help.js";'),
        ("start/view.js", 'import { go } from "../main.js";'),
        ("shared/dom.js", 'import { Geometry } from "../board/geometry.js";'),
        ("board/board.js", 'import { Refusal } from "../server/api.js";'),
        ("server/api.js", 'import { make } from "../shared/dom.js";'),
    ],
)
def test_the_test_notices(module: str, source: str) -> None:
    assert len(violations(module, source)) == 1


def test_the_test_lets_pass() -> None:
    source = '@import { Board } from "../server/types.js"\nimport { make } from "../shared/dom.js";'
    assert violations("board/board.js", source) == []
    assert violations("game/view.js", 'import "./session.js";') == []
