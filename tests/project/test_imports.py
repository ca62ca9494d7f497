"""Imports point one way: rules, kernel, position, game, then what is built on them.

A module may import from lower layers and from its own package, also inside functions. The names
at the top of `nestline` are for users; inside the package everything comes from its home.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nestline

PACKAGE = Path(nestline.__file__).parent

LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("rules",),
    ("notation",),
    ("compiled", "gpu"),
    ("kernel",),
    ("position",),
    ("record", "perft", "action_space", "observations"),
    ("game",),
    ("draw",),
    ("solve",),
    ("tables",),
    ("engine",),
    ("oracle",),
    ("arena",),
    ("terminal", "web", "envs"),
)
"""Lowest first; those of one layer do not know each other."""

HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
EXEMPT = ("__init__", "__main__")
"""`nestline/__init__.py` re-exports from everywhere, `__main__` starts the command line."""


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported(tree: ast.AST, module: str, is_package: bool) -> set[str]:
    """Every module or name of the package that is imported anywhere in the source."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")
                keep = len(above) - node.level + is_package
                base = ".".join([*above[:keep], *([base] if base else [])])
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return {name for name in found if name.split(".")[0] == "nestline"}


def part_of(name: str) -> str:
    """The part of the package a dotted name lies in: `nestline.rules.law.Law` in `rules`."""
    return name.split(".")[1] if "." in name else ""


def violations(module: str, source: str, is_package: bool = False) -> list[str]:
    own = part_of(module)
    wrong = []
    for name in sorted(imported(ast.parse(source), module, is_package)):
        other = part_of(name)
        if other in (own, "__version__"):
            continue
        if other not in HEIGHT:
            wrong.append(f"{module} imports {name}, which is no module of a layer")
        elif HEIGHT[other] >= HEIGHT[own]:
            wrong.append(f"{module} imports {name}, which is not below it")
    return wrong


def test_every_part_has_its_layer() -> None:
    parts = {part_of(module) for module in MODULES if module != "nestline"}
    assert parts - set(HEIGHT) - set(EXEMPT) == set(), "give it a place in LAYERS"
    assert {"errors", "rules", "kernel", "position", "game", "terminal"} <= parts


@pytest.mark.parametrize("module", [name for name in MODULES if part_of(name) in HEIGHT])
def test_imports_point_down(module: str) -> None:
    path = MODULES[module]
    source = path.read_text("utf-8")
    assert violations(module, source, path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("nestline.kernel", "import nestline.position"),
        ("nestline.kernel", "from nestline import position"),
        ("nestline.kernel", "from nestline.position import Position"),
        ("nestline.kernel", "def f():\n    from nestline.game import Game"),
        ("nestline.kernel", "if True:\n    import os, nestline.draw.text"),
        ("nestline.rules.law", "from nestline.kernel import layer"),
        ("nestline.rules.law", "from ..kernel import layer"),
        ("nestline.game", "from . import draw"),
        ("nestline.game", "import nestline"),
        ("nestline.game", "from nestline import Position"),
        ("nestline.web.server", "from nestline.terminal import main"),
        ("nestline.record", "from nestline.perft import count_sequences"),
    ],
)
def test_the_test_notices(module: str, source: str) -> None:
    assert len(violations(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("nestline.game", "from nestline.position import Position"),
        ("nestline.rules.law", "from nestline.rules.schema import FIELDS"),
        ("nestline.rules.law", "from . import schema\nfrom .schema import FIELDS"),
        ("nestline.terminal.main", "from nestline import __version__\nimport numba, os.path"),
        ("nestline.kernel", "import nestlines\nfrom os import path"),
    ],
)
def test_the_test_lets_pass(module: str, source: str) -> None:
    assert violations(module, source) == []


def loaded_after(statement: str) -> set[str]:
    """The modules that a fresh Python has loaded after a statement."""
    script = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


SLOW = {"numba", "llvmlite", "numpy"}


@pytest.mark.parametrize(
    "statement",
    [
        "import nestline; nestline.__version__",
        "import nestline.terminal.main",
        "import nestline.terminal.commands.ugi, nestline.engine.protocol.ugi",
        "import nestline.rules; nestline.rules.load_rules('gobblet')",
        "from nestline import NestlineError, load_rules; load_rules('gobblers')",
    ],
)
def test_nothing_slow_is_loaded_for_trivial_things(statement: str) -> None:
    loaded = loaded_after(statement)
    assert "nestline" in loaded
    assert loaded & SLOW == set()


def test_the_compiler_is_loaded_for_positions() -> None:
    """Otherwise the test above could not fail."""
    assert "numba" in loaded_after("from nestline import Position")


def test_everything_promised_is_there() -> None:
    for name in nestline.__all__:
        assert getattr(nestline, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'Chess'"):
        _ = nestline.Chess


# Inside the server.

WEB_LAYERS: tuple[tuple[str, ...], ...] = (
    ("settings", "refusals", "logs", "metrics"),
    ("access", "work"),
    ("fields",),
    ("games",),
    ("study",),
    ("storage",),
    ("services",),
    ("http",),
    ("app",),
    ("command",),
    ("launch",),
)
"""Lowest first, as above. The domain, games and study, does not know how it is stored: it says
what it needs of a store, and `storage` has it; `services` puts them together.
"""

WEB_HEIGHT = {name: height for height, names in enumerate(WEB_LAYERS) for name in names}
WEB_MODULES = [name for name in MODULES if name.startswith("nestline.web.")]


def web_violations(module: str, source: str, is_package: bool = False) -> list[str]:
    own = module.split(".")[2]
    others = {
        name.split(".")[2]
        for name in imported(ast.parse(source), module, is_package)
        if name.startswith("nestline.web.")
    }
    return [
        f"{module} imports {other}, which is not below it"
        for other in sorted(others - {own})
        if WEB_HEIGHT[other] >= WEB_HEIGHT[own]
    ]


def test_every_part_of_the_server_has_its_layer() -> None:
    assert {module.split(".")[2] for module in WEB_MODULES} == set(WEB_HEIGHT)


@pytest.mark.parametrize("module", WEB_MODULES)
def test_imports_inside_the_server_point_down(module: str) -> None:
    path = MODULES[module]
    assert web_violations(module, path.read_text("utf-8"), path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("nestline.web.games.hub", "from nestline.web.storage.store import Store"),
        ("nestline.web.study.permission", "from nestline.web.storage import store"),
        ("nestline.web.games.hub", "from ..storage import store"),
        ("nestline.web.games.creation", "from nestline.web.http import requests"),
        ("nestline.web.access.visitors", "from nestline.web.games.hub import Hub"),
        (
            "nestline.web.metrics",
            "if TYPE_CHECKING:\n    from nestline.web.services import Services",
        ),
        ("nestline.web.services", "def f():\n    from nestline.web.http import requests"),
    ],
)
def test_the_test_of_the_server_notices(module: str, source: str) -> None:
    assert len(web_violations(module, source)) == 1
