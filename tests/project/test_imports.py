"""Imports point one way: rules, kernel, position, game, then what is built on them.

A module may import only from lower layers and its own package, even inside functions; a late import
or a name in a string hides nothing from `support.import_graph`. Inside a package no two modules
import each other, and where a package has layers of its own they hold too. A package's `__init__`
re-exports names for users; code inside it imports each name from the module that defines it.
"""

import ast
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from support.import_graph import MODULES, PACKAGE, find_cycle, import_graph, imported_names

COMMAND_LINE = "terminal.main"
"""The command `nestline`: it knows the terminal and the server, which do not know each other."""

LAYERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "nestline": (
        ("errors", "lazy", "system"),
        ("cluster",),
        ("rules", "values"),
        ("notation",),
        ("compiled", "gpu"),
        ("words",),
        ("lines",),
        ("kernel",),
        ("threats",),
        ("position",),
        ("record", "perft", "action_space", "observations"),
        ("symmetries",),
        ("game",),
        ("draw",),
        ("solve",),
        ("tables",),
        ("engine",),
        ("oracle",),
        ("arena", "puzzles"),
        ("atlas", "openings"),
        ("terminal", "web", "envs", "browser"),
        (COMMAND_LINE,),
    ),
    "nestline.engine": (
        ("choices",),
        ("search", "prove"),
        ("players", "review", "warm_up"),
        ("protocol",),
    ),
    "nestline.solve": (
        ("entry", "index", "table_format"),
        ("classify", "follows"),
        ("groups",),
        ("table",),
        ("retrograde", "slices"),
        ("stats", "verify_slices"),
        ("verify",),
        ("build",),
        ("background",),
    ),
    "nestline.solve.groups": (
        ("layers", "size"),
        ("cut",),
        ("look", "steps", "numbering"),
        ("reach",),
        ("solver",),
        ("processor",),
        ("card_kernels",),
        ("card", "survey"),
    ),
    "nestline.atlas": (
        ("games",),
        ("table",),
        ("solving",),
        ("known", "cluster", "plots"),
        ("page",),
    ),
    "nestline.openings": (("explorer",), ("make",)),
    "nestline.oracle": (
        ("positions",),
        ("policies", "reachable"),
        ("values",),
        ("regret", "exploit"),
        ("oracle",),
        ("leaderboard", "dataset_card"),
        ("dataset",),
    ),
    "nestline.envs": (
        ("batch",),
        ("tree", "games"),
        ("gymnasium", "jax", "pettingzoo", "openspiel", "stable_baselines3"),
        ("nestline_v1",),
    ),
    "nestline.envs.batch": (("stepping",), ("base", "loops"), ("cpu",), ("cuda",)),
    "nestline.envs.tree": (("arrays",), ("gumbel",), ("growing",), ("search", "lanes"), ("cuda",)),
    "nestline.envs.games": (("rendering", "spaces", "single", "opponents"), ("against",)),
    # The domain, games and study, does not know how it is stored: it defines the interface it
    # needs, and `storage` implements it; `services` connects them.
    "nestline.web": (
        ("settings", "refusals", "logs", "metrics", "page"),
        ("running",),
        ("access", "work"),
        ("fields", "transport"),
        ("games",),
        ("study",),
        ("storage",),
        ("services",),
        ("http",),
        ("app", "site"),
        ("command",),
        ("launch",),
    ),
}
"""Lowest first; modules of one layer do not import each other."""

HEIGHTS = {
    package: {name: height for height, names in enumerate(layers) for name in names}
    for package, layers in LAYERS.items()
}
EXEMPT = ("__init__", "__main__")
"""`nestline/__init__.py` re-exports from everywhere, `__main__` starts the command line."""


def parts_below(name: str, package: str) -> str:
    """The part of a package that a dotted name is in: `nestline.rules.law.Law` in `rules`."""
    rest = name.removeprefix(f"{package}.")
    if f"{rest}.".startswith(f"{COMMAND_LINE}."):
        return COMMAND_LINE
    return rest.partition(".")[0]


def violations(module: str, source: str, is_package: bool = False) -> list[str]:
    wrong = []
    for name in sorted(imported_names(source, module, is_package)):
        for package, heights in HEIGHTS.items():
            if not (name.startswith(f"{package}.") or name == package):
                continue
            if not module.startswith(f"{package}."):
                continue
            own, other = parts_below(module, package), parts_below(name, package)
            if other in (own, "__version__"):
                continue
            if other not in heights:
                wrong.append(f"{module} imports {name}, which is no module of a layer")
            elif heights[other] >= heights[own]:
                wrong.append(f"{module} imports {name}, which is not below it")
    return wrong


def test_every_part_has_its_layer() -> None:
    for package, heights in HEIGHTS.items():
        parts = {parts_below(name, package) for name in MODULES if name.startswith(f"{package}.")}
        assert parts - set(EXEMPT) == set(heights), f"give it a place in the layers of {package}"


@pytest.mark.parametrize("module", [name for name in MODULES if name != "nestline"])
def test_imports_point_down(module: str) -> None:
    path = MODULES[module]
    if path.stem in EXEMPT and module == f"nestline.{path.stem}":
        return
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
        ("nestline.kernel", "if TYPE_CHECKING:\n    from nestline.game import Game"),
        ("nestline.kernel", "import_module('nestline.position')"),
        ("nestline.rules.law", "from nestline.kernel import layer"),
        ("nestline.rules.law", "from ..kernel import layer"),
        ("nestline.game", "from . import draw"),
        ("nestline.game", "import nestline"),
        ("nestline.game", "from nestline import Position"),
        ("nestline.web.server", "from nestline.terminal import main"),
        ("nestline.terminal.common", "COMMANDS = {'web': 'nestline.web.command'}"),
        ("nestline.terminal.common", "run('nestline.web.app:create_app')"),
        ("nestline.terminal.common", "from nestline.terminal.main import cli"),
        ("nestline.record", "from nestline.perft import count_sequences"),
        ("nestline.engine.search.engine", "from nestline.engine.players.player import Player"),
        ("nestline.engine.search.engine", "from nestline.engine import Player"),
        ("nestline.envs.batch", "from nestline.envs.games.single import SingleGame"),
        ("nestline.web.games.hub", "from nestline.web.storage.store import Store"),
        ("nestline.web.study.analysis", "from ..storage import store"),
        ("nestline.web.access.visitors", "from nestline.web.games.hub import Hub"),
        ("nestline.web.services", "def f():\n    from nestline.web.http import requests"),
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
        ("nestline.rules.law", "resources.files('nestline.web')"),
        ("nestline.terminal.main", "from nestline import __version__\nimport numba, os.path"),
        ("nestline.terminal.main", "COMMANDS = {'web': 'nestline.web.command'}"),
        ("nestline.engine.players.levels", "from nestline.engine.search.engine import Engine"),
        ("nestline.kernel", "import nestlines\nfrom os import path"),
    ],
)
def test_the_test_lets_pass(module: str, source: str) -> None:
    assert violations(module, source) == []


def test_no_modules_import_each_other() -> None:
    assert find_cycle(import_graph()) == []


def test_circles_are_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}}) == ["b", "c", "d", "b"]


def test_the_command_is_where_it_is_installed_from() -> None:
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"nestline": f"nestline.{COMMAND_LINE}:main"}
    assert callable(import_module(f"nestline.{COMMAND_LINE}").main)


# What importing costs, and what it provides.


def loaded_after(statement: str) -> set[str]:
    """The modules that a new Python process has loaded after a statement."""
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
        "import nestline.engine, nestline.arena, nestline.solve, nestline.envs",
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


SURFACES = ("nestline", "nestline.arena", "nestline.engine", "nestline.engine.prove",
            "nestline.envs", "nestline.oracle", "nestline.solve", "nestline.atlas")  # fmt: skip


@pytest.mark.parametrize("package", SURFACES)
def test_everything_promised_is_there(package: str) -> None:
    """Also for type checkers, which read the imports under TYPE_CHECKING."""
    surface = import_module(package)
    for name in surface.__all__:
        assert getattr(surface, name) is not None
    tree = ast.parse(Path(str(surface.__file__)).read_text("utf-8"))
    typed = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(package)
        for alias in node.names
    }
    assert typed - {"lazy_names"} == set(surface.__all__)
    assert set(surface.__all__) <= set(dir(surface))
    with pytest.raises(AttributeError, match="has no attribute 'Chess'"):
        _ = surface.Chess


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("nestline.envs.gymnasium", "gymnasium", "rl"),
        ("nestline.envs.pettingzoo", "pettingzoo", "rl"),
        ("nestline.envs.openspiel", "pyspiel", "openspiel"),
        ("nestline.envs.stable_baselines3", "stable_baselines3", "sb3"),
        ("nestline.envs.jax", "jax", "jax"),
    ],
)
def test_an_extra_that_is_not_installed_is_named(module: str, missing: str, extra: str) -> None:
    script = (
        f"import sys\nsys.modules[{missing!r}] = None\n"
        f"try:\n    import {module}\n"
        "except ImportError as error:\n    print(type(error).__name__, error)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == (
        f"MissingExtra {module} needs {missing}, which is not installed; "
        f"install it with: pip install 'nestline[{extra}]'\n"
    )
