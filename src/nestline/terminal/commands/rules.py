"""The commands `rules`, `perft` and `picture`; `rules_new` has `rules new`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import NestlineError, NotationError, PositionError
from nestline.terminal.commands.rules_new import USUAL_RULES, rules_new
from nestline.terminal.common import (
    json_option,
    prepare_rules,
    print_json,
    read_record_file,
    with_progress,
    write_file,
)
from nestline.terminal.groups import Group, rule_set_meant
from nestline.terminal.parameters import complete_files, rules_argument, rules_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestline.position import Move, Position
    from nestline.rules import RuleSet

MAX_PERFT_DEPTH = 40


@click.group(cls=Group)
def rules() -> None:
    """The rule sets: list them, show one, design one, check a file of your own."""


@rules.command("list")
@json_option
def rules_list(as_json: bool) -> None:
    """List the rule sets that come with nestline."""
    from nestline.rules import load_rules, rule_set_names

    found = [load_rules(name) for name in rule_set_names()]
    if as_json:
        print_json([{"name": item.name, "title": item.title, "summary": item.summary}
                    for item in found])  # fmt: skip
        return
    width = max(len(item.name) for item in found)
    for item in found:
        click.echo(f"{item.name:{width}}  {item.title}")


@rules.command("show")
@rules_argument()
@json_option
def rules_show(rules: "RuleSet", as_json: bool) -> None:
    """Show every field of a rule set, and where its value comes from."""
    if as_json:
        print_json(_rule_facts(rules))
        return
    click.echo(f"{rules.name}: {rules.title}")
    if rules.summary:
        click.echo(rules.summary)
    click.echo()
    fields = {key: _shown(value) for key, value in rules.fields().items()
              if key not in ("title", "summary")}  # fmt: skip
    key_width, value_width = (max(map(len, column)) for column in (fields, fields.values()))
    for key, value in fields.items():
        click.echo(f"{key:{key_width}}  {value:{value_width}}  {rules.sources.get(key, '')}")


@rules.command("check")
@click.argument("file", shell_complete=complete_files)
@json_option
def rules_check(file: str, as_json: bool) -> None:
    """Check a rule set's file; the exit status is 2 if it is not valid."""
    from nestline.rules import load_rules

    found = load_rules(Path(file) if os.path.exists(file) else file)
    if as_json:
        print_json({"file": file, "valid": True, **_rule_facts(found)})
        return
    pieces = ", ".join(f"{count} of size {size}" for size, count in enumerate(found.stock, 1))
    click.echo(
        f"{file}: fine. {found.title}: {found.board}x{found.board} board, lines of {found.line}, "
        f"pieces: {pieces}."
    )


rules.add_command(rules_new)


def _rule_facts(found: "RuleSet") -> dict[str, Any]:
    return {"name": found.name, **found.fields(), "sources": dict(found.sources)}


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)


@click.command()
@rules_argument()
@click.argument("depth", type=click.IntRange(0, MAX_PERFT_DEPTH))
@click.option(
    "--position", "text", default="start", help="Count from this position instead of the start."
)
@click.option("--divide", is_flag=True, help="Also show the count for each first move.")
@json_option
def perft(rules: "RuleSet", depth: int, text: str, divide: bool, as_json: bool) -> None:
    """Count the move sequences of a given length.

    Sequences of DEPTH moves under RULES. A line ends the game, a draw does not. The last move
    counts whether it ends the game or not.
    """
    prepare_rules()
    from nestline.perft import count_sequences
    from nestline.position import Position

    position = Position(text, rules)
    count = with_progress("counting", lambda advance: count_sequences(position, depth, advance))
    if as_json:
        facts = {
            "rules": rules.reference,
            "position": str(position),
            "depth": depth,
            "nodes": count.nodes,
            "seconds": round(count.seconds, 6),
        }
        if divide:
            facts["divide"] = {str(move): nodes for move, nodes in count.by_move.items()}
        print_json(facts)
        return
    if divide:
        for move, nodes in count.by_move.items():
            click.echo(f"{move}: {nodes}")
    speed = count.nodes / count.seconds / 1e6 if count.seconds else 0.0
    click.echo(f"{count.nodes} nodes in {count.seconds:.3f} s ({speed:.0f} million per second)")


@click.command()
@click.argument("position", metavar="POSITION")
@rules_option("A rule set's name or file; the first that has such a position, if left out.")
@click.option(
    "-o", "--output", help="The file to write, .svg or .png; without it, text is printed."
)
@click.option("--size", type=click.IntRange(16, 4096), default=480, show_default=True,
              help="Width of the board in pixels.")  # fmt: skip
@click.option("--last-move", help="Mark this move as the last one.")
@click.option("--targets", help="Mark squares, like b2,c3.")
@click.option("--flip", is_flag=True, help="Show the board from the other side.")
@click.option("--hide-covered", is_flag=True, help="Do not show pieces that are covered.")
@click.option("--animate", metavar="MOVES", help="Show these moves one after another, like "
              "'3b2 3a1', or those of a record's file.")  # fmt: skip
@json_option
def picture(
    position: str, rules: "RuleSet | None", output: str | None, as_json: bool, animate: str | None,
    **options: Any,
) -> None:  # fmt: skip
    """Draw a position, as text or as an SVG or PNG file; or a game, as an SVG that moves.

    POSITION is written like "x3/x,b1w3,x/w2,x2 b", or is the word start.
    """
    if animate is not None:
        _animate(position, rules, output, animate, as_json, **options)
        return
    given = [name for name in ("last_move", "targets", "flip") if options[name]]
    if output is None and given:
        raise click.UsageError(f"--{given[0].replace('_', '-')} is for files; name one with -o")
    if output is not None and Path(output).suffix.lower() not in (".svg", ".png"):
        raise NestlineError(f"{output}: a picture's file ends in .svg or .png")
    if rules is None and (meant := rule_set_meant(position)):
        raise click.UsageError(
            f"{position!r} is a game, not a position; did you mean start --rules {meant}?"
        )
    prepare_rules()
    drawn = _read_position(position, rules)
    if output is not None:
        write_file(output, _picture(drawn, Path(output).suffix.lower(), **options))
    if as_json:
        print_json(_position_facts(drawn) | {"file": output})
    elif output is None:
        from nestline.draw import text_board

        click.echo(text_board(drawn, view=_view(drawn, options["hide_covered"])))


def _animate(
    text: str,
    rules: "RuleSet | None",
    output: str | None,
    moves: str,
    as_json: bool,
    *,
    size: int,
    flip: bool,
    **others: Any,
) -> None:
    if output is None or Path(output).suffix.lower() != ".svg":
        raise click.UsageError("--animate makes an .svg file; name one with -o")
    given = [name for name, value in others.items() if value]
    if given:
        raise click.UsageError(f"--{given[0].replace('_', '-')} does not go with --animate")
    prepare_rules()
    from nestline.draw import animated_svg

    played: Sequence[Move | str]
    if os.path.isfile(moves):
        from nestline.record import read_record

        if rules is not None or text != "start":
            raise click.UsageError("a record has its own rules and position; say start for it")
        record = read_record(read_record_file(moves), Path(moves).parent)
        start, played = record.start, record.moves
    else:
        start, played = _read_position(text, rules), moves.split()
    drawing = animated_svg(start, played, size=size, flip=flip)
    write_file(output, drawing.encode())
    if as_json:
        print_json(
            _position_facts(start) | {"moves": [str(move) for move in played], "file": output}
        )


def _read_position(text: str, rules: "RuleSet | None") -> "Position":
    """The position under these rules, or under the first rule set that allows it."""
    from nestline.position import Position
    from nestline.rules import load_rules, rule_set_names

    if rules:
        return Position(text, rules)
    names = [USUAL_RULES, *(name for name in rule_set_names() if name != USUAL_RULES)]
    refusals: dict[int, NestlineError] = {}
    for tried in map(load_rules, names):
        try:
            return Position(text, tried)
        except (NotationError, PositionError) as error:
            refusals.setdefault(tried.board, error)
    rows = text.count("/") + 1
    raise refusals.get(rows, refusals[load_rules(USUAL_RULES).board])


def _view(position: "Position", hide_covered: bool) -> Any:
    if not hide_covered:
        return None
    return {square: stack[-1:] for square, stack in position.stacks.items()}


def _picture(
    position: "Position",
    suffix: str,
    *,
    size: int,
    last_move: str | None,
    targets: str | None,
    flip: bool,
    hide_covered: bool,
) -> bytes:
    from nestline.draw import png, svg
    from nestline.notation import read_square

    squares = [read_square(name, position.rules) for name in targets.split(",")] if targets else []
    options: dict[str, Any] = {
        "view": _view(position, hide_covered),
        "size": size,
        "last_move": position.read_move(last_move) if last_move else None,
        "targets": squares,
        "flip": flip,
    }
    return png(position, **options) if suffix == ".png" else svg(position, **options).encode()


def _position_facts(position: "Position") -> dict[str, Any]:
    from nestline.position import Side

    outcome = position.outcome()
    return {
        "rules": position.rules.reference,
        "position": str(position),
        "turn": str(position.turn),
        "outcome": outcome
        and {
            "winner": None if outcome.winner is None else str(outcome.winner),
            "reason": outcome.reason,
        },
        "stacks": {
            square: [{"side": str(piece.side), "size": piece.size} for piece in stack]
            for square, stack in position.stacks.items()
        },
        "reserves": {str(side): position.reserve(side) for side in Side},
        "legal_moves": [str(move) for move in position.legal_moves()],
    }
