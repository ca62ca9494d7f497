"""The commands that print facts: rule sets, perft, pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import NestlineError
from nestline.terminal.common import (
    json_option,
    prepare_rules,
    print_json,
    with_progress,
    write_file,
)

if TYPE_CHECKING:
    from nestline.position import Position
    from nestline.rules import RuleSet

MAX_PERFT_DEPTH = 40


@click.group()
def rules() -> None:
    """The rule sets: list them, show one, check a file of your own."""


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
@click.argument("name")
@json_option
def rules_show(name: str, as_json: bool) -> None:
    """Show every field of a rule set, and where its value comes from."""
    from nestline.rules import load_rules

    found = load_rules(name)
    if as_json:
        print_json(_rule_facts(found))
        return
    click.echo(f"{found.name}: {found.title}\n{found.summary}\n")
    fields = {key: _shown(value) for key, value in found.fields().items()
              if key not in ("title", "summary")}  # fmt: skip
    key_width, value_width = (max(map(len, column)) for column in (fields, fields.values()))
    for key, value in fields.items():
        click.echo(f"{key:{key_width}}  {value:{value_width}}  {found.sources.get(key, '')}")


@rules.command("check")
@click.argument("file")
@json_option
def rules_check(file: str, as_json: bool) -> None:
    """Check a rule set's file; the exit status is 2 if something is wrong with it."""
    from nestline.rules import load_rules

    found = load_rules(Path(file) if Path(file).exists() else file)
    if as_json:
        print_json({"file": file, "valid": True, **_rule_facts(found)})
        return
    pieces = ", ".join(f"{count} of size {size}" for size, count in enumerate(found.stock, 1))
    click.echo(
        f"{file}: fine. {found.title}: {found.board}x{found.board} board, lines of {found.line}, "
        f"pieces: {pieces}."
    )


def _rule_facts(found: "RuleSet") -> dict[str, Any]:
    return {"name": found.name, **found.fields(), "sources": dict(found.sources)}


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)


@click.command()
@click.argument("rules")
@click.argument("depth", type=click.IntRange(0, MAX_PERFT_DEPTH))
@click.option("--position", "text", default="start", help="Count from here, not from the start.")
@click.option("--divide", is_flag=True, help="Also show the number behind each first move.")
@json_option
def perft(rules: str, depth: int, text: str, divide: bool, as_json: bool) -> None:
    """Count the sequences of DEPTH moves under the rule set RULES.

    Lines end a game, draws do not; the last ply counts moves, also those that end the game.
    """
    from nestline.rules import load_rules

    found = load_rules(rules)
    prepare_rules()
    from nestline.perft import count_sequences
    from nestline.position import Position

    position = Position(text, found)
    count = with_progress("counting", lambda advance: count_sequences(position, depth, advance))
    if as_json:
        facts = {
            "rules": found.reference,
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
@click.option("--rules", default="gobblers", show_default=True, help="A rule set's name or file.")
@click.option(
    "-o", "--output", help="The file to write, .svg or .png; without it, text is printed."
)
@click.option("--size", type=click.IntRange(16, 4096), default=480, show_default=True,
              help="Width of the board in pixels.")  # fmt: skip
@click.option("--last-move", help="Mark this move as the last one.")
@click.option("--targets", help="Mark squares, like b2,c3.")
@click.option("--flip", is_flag=True, help="Show the board from the other side.")
@click.option("--hide-covered", is_flag=True, help="Do not show pieces that are covered.")
@json_option
def picture(position: str, rules: str, output: str | None, as_json: bool, **options: Any) -> None:
    """Draw POSITION, as text or into an SVG or PNG file.

    POSITION is written like "x3/x,b1w3,x/w2,x2 b", or is the word start.
    """
    from nestline.rules import load_rules

    found = load_rules(rules)
    given = [name for name in ("last_move", "targets", "flip") if options[name]]
    if output is None and given:
        raise click.UsageError(f"--{given[0].replace('_', '-')} is for files; name one with -o")
    if output is not None and Path(output).suffix.lower() not in (".svg", ".png"):
        raise NestlineError(f"{output}: a picture's file ends in .svg or .png")
    prepare_rules()
    from nestline.position import Position

    drawn = Position(position, found)
    if output is not None:
        write_file(output, _picture(drawn, Path(output).suffix.lower(), **options))
    if as_json:
        print_json(_position_facts(drawn) | {"file": output})
    elif output is None:
        from nestline.draw import text_board

        click.echo(text_board(drawn, view=_view(drawn, options["hide_covered"])))


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
