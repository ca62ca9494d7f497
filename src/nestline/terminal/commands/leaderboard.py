"""The command `nestline leaderboard`: measures agents against the solution and ranks them."""

import importlib
import os
import shlex
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import GameError
from nestline.terminal.commands.solve import compile_solver, open_or_build, tables_option
from nestline.terminal.common import (
    json_option,
    prepare_rules,
    print_json,
    require_writable,
    say,
    with_progress,
    write_file,
)
from nestline.terminal.parameters import rules_option

if TYPE_CHECKING:
    from nestline.oracle.leaderboard import Row
    from nestline.rules import RuleSet


@click.command()
@rules_option("A rule set that can be solved.", default="gobblers")
@click.option("--levels", help="Levels of the engine, like 1,4,7; by default all.")
@click.option(
    "--policy", "given", multiple=True, metavar="NAME=MODULE:FUNCTION[:FILE]",
    help="An agent of your own: a function of observations and masks, or with FILE a function "
    "that loads one from it. The module may be in the current folder.",
)  # fmt: skip
@click.option(
    "--sample", type=click.IntRange(200, 100_000_000), default=20_000, show_default=True,
    help="Positions to judge agents by; for those that search, a tenth of them.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seeds the sample.")
@click.option("--output", "-o", metavar="FILE", help="Write the table to a file, as Markdown.")
@tables_option
@json_option
def leaderboard(
    rules: "RuleSet", levels: str | None, given: tuple[str, ...], sample: int, seed: int,
    output: str | None, folder: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure agents against the exact solution: their regret, and what a best response gains.

    A missing tablebase is built first. The leaderboard is printed as a table on a terminal, and as
    Markdown into a pipe or file.
    """
    from nestline.engine.players.level_names import numbered_levels

    known = numbered_levels(rules)
    chosen = known if levels is None else tuple(filter(None, levels.split(",")))
    for level in chosen:
        if level not in known:
            raise GameError(f"there is no level {level!r}; levels are {', '.join(known)}")
    others = dict(_policy(text) for text in given)
    if output:
        require_writable(output)
    prepare_rules()
    from nestline.oracle import leaderboard as board
    from nestline.oracle.oracle import Oracle

    open_or_build(rules, folder).close()
    oracle = Oracle(rules, folder)
    compile_solver("cpu")

    def work(advance: Any) -> Any:
        return board.make_table(
            oracle, levels=chosen, others=others, sample=sample, seed=seed, progress=advance,
            done=lambda row: say(f"{row.name}: regret {row.everywhere.mean:.3f}"),
        )  # fmt: skip

    rows = with_progress(f"measuring agents of {oracle.rules.name}", work)
    page = board.markdown(rows, oracle, shlex.join(["nestline", "leaderboard", *_arguments()]))
    if output:
        write_file(output, page.encode())
    if as_json:
        print_json([row.as_json() for row in rows])
    elif not output and sys.stdout.isatty():
        _print_table(rows, rules.name)
    elif not output:
        click.echo(page, nl=False)


def _print_table(rows: "list[Row]", rules: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from nestline.oracle.leaderboard import COLUMNS, cells

    lines = cells(rows)
    table = Table(title=f"Leaderboard: {rules}", box=box.SIMPLE_HEAD, padding=0, pad_edge=False)
    for title, column in zip(COLUMNS, zip(*lines, strict=True), strict=True):
        # Long titles are wrapped so that the figures below them fit into 80 columns.
        width = max(len(text) for text in (*column, *title.split()))
        header = "\n".join(textwrap.wrap(title, width))
        table.add_column(header, justify="left" if title == "agent" else "right", vertical="bottom")
    for line in lines:
        table.add_row(*line)
    Console().print(table)


def _arguments() -> list[str]:
    """The command's own arguments, without those for tablebase folder and output."""
    words = sys.argv[sys.argv.index("leaderboard") + 1 :] if "leaderboard" in sys.argv else []
    kept: list[str] = []
    skip = False
    for word in words:
        if skip or word in ("--tables", "--output", "-o"):
            skip = not skip
        elif word != "--json" and not word.startswith(("--tables=", "--output=")):
            kept.append(word)
    return kept


def _policy(text: str) -> tuple[str, Any]:
    name, _, where = text.partition("=")
    module, _, rest = where.partition(":")
    attribute, _, path = rest.partition(":")
    if not (name and module and attribute):
        raise GameError(f"a policy is given as NAME=MODULE:FUNCTION[:FILE], not as {text!r}")
    if os.getcwd() not in sys.path:
        # Unlike `python -m nestline`, the installed command does not search this folder by itself.
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), attribute)
        if path:
            found = found(path)
    except Exception as error:
        # It is the user's own code, and can fail in any way.
        reason = f"{type(error).__name__}: {error}"
        raise GameError(f"{text}: the policy cannot be loaded: {reason}") from None
    if not callable(found):
        raise GameError(f"{text}: {attribute} is not a function")
    return name, found
