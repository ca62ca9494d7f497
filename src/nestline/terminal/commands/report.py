"""The command `report`: what somebody who looks for a bug has to know about this installation.

It names no folder, since those contain people's names, and no setting, since those contain
passwords.
"""

import platform
from importlib.metadata import PackageNotFoundError, version

import click

from nestline import __version__
from nestline.errors import TableError
from nestline.system import cores, memory_bytes, system_name
from nestline.terminal.common import json_option, print_json

PACKAGES = ("click", "fastapi", "gymnasium", "numba", "numba-cuda", "numpy", "open_spiel",
            "pettingzoo", "sqlalchemy", "torch", "uvicorn", "zstandard")  # fmt: skip
"""Those whose version has explained a bug, or could."""

GIBIBYTE, MEGABYTE = 1 << 30, 1_000_000


@click.command()
@json_option
def report(as_json: bool) -> None:
    """Describe this installation, to be pasted into a bug report.

    Versions, processor, memory, GPU, compiled code and tablebases. It contains no names of people,
    machines or folders.
    """
    facts = {
        "nestline": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{system_name()}, {platform.machine()}",
        "cores": cores(),
        "memory": f"{memory_bytes() / GIBIBYTE:.1f} GiB",
        "GPU": _gpu(),
        "compiled code": _compiled_code(),
        "tablebases": _tablebases(),
        "packages": _packages(),
    }
    if as_json:
        print_json(facts)
        return
    for name, fact in facts.items():
        if isinstance(fact, dict):
            click.echo(f"{name}:")
            for inner, value in fact.items():
                click.echo(f"  {inner}: {value}")
        else:
            click.echo(f"{name}: {fact}")


def _packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _gpu() -> str:
    from nestline.gpu import cuda

    try:
        if cuda is not None and cuda.is_available():
            name = cuda.get_current_device().name
            return name.decode() if isinstance(name, bytes) else str(name)
    except Exception as error:  # Whatever a driver does, the report goes on.
        return f"unusable ({type(error).__name__})"
    return "none that can be used"


def _compiled_code() -> str:
    from nestline.compiled import cache_folder

    files = [path for path in cache_folder().rglob("*.nbc") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    return f"{len(files)} files, {size / MEGABYTE:.1f} MB" if files else "none yet"


def _tablebases() -> dict[str, str]:
    """Every rule set that can be solved, and whether its tablebase is there and sound."""
    from nestline.rules import load_rules, rule_set_names
    from nestline.solve import open_table, tables_folder
    from nestline.solve.index import MAX_SOLVED_BOARD
    from nestline.solve.table_format import table_name

    found = {}
    for name in rule_set_names():
        rules = load_rules(name)
        if rules.board > MAX_SOLVED_BOARD:
            continue
        path = tables_folder() / table_name(rules)
        try:
            open_table(rules).close()
            found[name] = f"{path.stat().st_size / MEGABYTE:.2f} MB"
        except TableError:
            found[name] = "damaged" if path.exists() else "not built"
    return found
