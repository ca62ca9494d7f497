"""The command `nestline puzzles`: makes the puzzles of a rule set, or checks a file of them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nestline.errors import NestlineError
from nestline.terminal.commands.solve import has_table, is_solvable, open_or_build, tables_option
from nestline.terminal.common import (
    prepare_rules,
    require_writable,
    say,
    with_progress,
    write_file,
)
from nestline.terminal.parameters import complete_files, rules_argument

if TYPE_CHECKING:
    from nestline.puzzles.judges import Judge
    from nestline.puzzles.puzzle import Puzzle
    from nestline.rules import RuleSet
    from nestline.terminal.common import Advance

SHARES = {
    "table": {3: 0.28, 5: 0.24, 7: 0.2, 9: 0.16, 11: 0.12},
    "proof": {3: 0.6, 5: 0.4},
}
"""How many of the puzzles take so many plies; proofs of longer ones take very long."""


@click.command()
@rules_argument()
@click.option("--count", type=click.IntRange(1, 10_000), default=500, show_default=True,
              help="How many to make.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Decides which are found.")
@click.option("--output", "-o", metavar="FILE", help="Write to a file, not to standard output.")
@click.option(
    "--check", "checked", metavar="FILE", shell_complete=complete_files,
    help="Make none; check those in a file.",
)  # fmt: skip
@click.option(
    "--grade", "grading", metavar="FILE", shell_complete=complete_files,
    help="Make none; grade those in a file again.",
)  # fmt: skip
@tables_option
def puzzles(
    rules: "RuleSet", count: int, seed: int, output: str | None, checked: str | None,
    grading: str | None, folder: str | None,
) -> None:  # fmt: skip
    """Make puzzles: positions of RULES in which exactly one move wins.

    They come from careless games, and are proved: by the tablebase of a solved game, which is built
    if it is missing, otherwise by exhaustive search. The other side holds out as long as it can.
    Puzzles are graded by how often the levels 1 to 6 fail at them.
    """
    prepare_rules()
    if checked is not None and grading is not None:
        raise NestlineError("--check and --grade: choose one of them")
    if output is not None:
        require_writable(output)
    if grading is not None:
        _write(rules, _grade(rules, _read(rules, Path(grading))), output)
        return
    judge, way = _judge(rules, folder)
    if checked is not None:
        _check(rules, judge, _read(rules, Path(checked)))
        return
    quotas = {plies: round(part * count) for plies, part in SHARES[way].items()}
    made = with_progress(
        "finding puzzles", lambda advance: _make(rules, quotas, judge, seed, advance)
    )
    if len(made) < sum(quotas.values()):
        say(f"Only {len(made)} were found.")
    _write(rules, made, output)


def _write(rules: "RuleSet", made: "list[Puzzle]", output: str | None) -> None:
    from nestline.puzzles.puzzle import write_puzzles

    text = write_puzzles(rules.name, made)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text.encode())
        say(f"{len(made)} puzzles in {output}")


def _judge(rules: "RuleSet", folder: str | None) -> "tuple[Judge, str]":
    from nestline.puzzles.judges import ProofJudge, TableJudge

    if is_solvable(rules) or has_table(rules, folder):
        return TableJudge(open_or_build(rules, folder)), "table"
    from nestline.engine.prove.prover import Prover
    from nestline.engine.warm_up import warm_up_prover

    warm_up_prover(say)
    return ProofJudge(Prover(rules)), "proof"


def _make(
    rules: "RuleSet", quotas: dict[int, int], judge: "Judge", seed: int, advance: "Advance"
) -> "list[Puzzle]":
    from nestline.puzzles.find import find
    from nestline.puzzles.grade import graded

    return graded(find(rules, quotas, judge, seed, advance))


def _grade(rules: "RuleSet", puzzles: "list[Puzzle]") -> "list[Puzzle]":
    from nestline.position import Position
    from nestline.puzzles.grade import graded

    positions = [Position(puzzle.position, rules) for puzzle in puzzles]
    lines = [
        [position.read_move(move) for move in puzzle.line]
        for position, puzzle in zip(positions, puzzles, strict=True)
    ]
    return with_progress(
        "grading", lambda advance: graded(zip(positions, lines, strict=True), advance)
    )


def _read(rules: "RuleSet", path: Path) -> "list[Puzzle]":
    from nestline.puzzles.puzzle import read_puzzles

    try:
        name, puzzles = read_puzzles(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise NestlineError(f"{path}: this is no text") from None
    if name != rules.name:
        raise NestlineError(f"{path}: these are puzzles of {name}, not of {rules.name}")
    return puzzles


def _check(rules: "RuleSet", judge: "Judge", puzzles: "list[Puzzle]") -> None:
    from nestline.puzzles.check import check_all

    with_progress("checking", lambda advance: check_all(rules, puzzles, judge, advance))
    click.echo(f"{len(puzzles)} puzzles, all sound")
