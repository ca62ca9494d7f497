"""The command `nestline dataset`: positions with exact values as Parquet files."""

from typing import TYPE_CHECKING

import click

from nestline.terminal.commands.solve import compile_solver, open_or_build, tables_option
from nestline.terminal.common import json_option, prepare_rules, print_json, with_progress
from nestline.terminal.parameters import rules_argument

if TYPE_CHECKING:
    from nestline.rules import RuleSet


@click.command()
@rules_argument()
@click.option(
    "--output", "-o", metavar="DIR", help="A new or empty folder; by default RULES-dataset."
)
@click.option(
    "--positions", type=click.IntRange(1), default=1_000_000, show_default=True,
    help="How many to draw; all of them if there are fewer.",
)  # fmt: skip
@click.option(
    "--test", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.1,
    show_default=True, help="The share of the test file.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True,
              help="Decides which are drawn.")  # fmt: skip
@tables_option
@json_option
def dataset(
    rules: "RuleSet", output: str | None, positions: int, test: float, seed: int,
    folder: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Write solved positions of RULES, with values, distances and best moves, as Parquet files.

    The folder gets a training file, a test file and a card that says what they are. A missing
    tablebase is built first.
    """
    prepare_rules()
    from nestline.oracle.dataset import require_room, write_dataset
    from nestline.oracle.oracle import Oracle

    place = require_room(output or f"{rules.name}-dataset")
    open_or_build(rules, folder).close()
    oracle = Oracle(rules, folder)
    compile_solver("cpu")
    found = with_progress(
        f"writing positions of {rules.name}",
        lambda advance: write_dataset(
            oracle, place, positions=positions, test=test, seed=seed, progress=advance
        ),
    )
    if as_json:
        print_json({"folder": str(found.folder), **found.rows})
    else:
        for split, count in found.rows.items():
            click.echo(f"{found.folder / split}.parquet: {count:,} positions")
