"""The command `nestline prove`: a forced win within a number of plies, or none."""

from typing import TYPE_CHECKING, Any

import click

from nestline.terminal.common import json_option, prepare_rules, print_json, say, with_progress
from nestline.terminal.parameters import Words, rules_argument

if TYPE_CHECKING:
    from nestline.engine.prove.prover import Proof
    from nestline.position import Position, Side
    from nestline.rules import RuleSet


@click.command()
@rules_argument()
@click.argument("position", default="start")
@click.option("--within", type=int, required=True, help="The greatest number of plies to look at.")
@click.option(
    "--for",
    "winner",
    type=Words(["first", "second"]),
    help="Who is to win; by default the player to move.",
)
@click.option("--memory", type=int, help="Size of the transposition table in MiB; by default 64.")
@json_option
def prove(
    rules: "RuleSet",
    position: str,
    within: int,
    winner: str | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """Search exhaustively for a forced win.

    From POSITION, by default the start of RULES. Shows the shortest win and its line, in which the
    loser holds out as long as possible, or says that there is none within the plies searched. Draws
    by repetition do not matter: a shortest win never repeats a position, and earlier moves of a
    game are not known here.
    """
    prepare_rules()
    from nestline.engine.prove.prover import DEFAULT_MEMORY, Prover
    from nestline.engine.warm_up import warm_up_prover
    from nestline.position import Position, Side

    place = Position(position, rules)
    side = place.turn if winner is None else Side[winner.upper()]
    prover = Prover(rules, memory=DEFAULT_MEMORY if memory is None else memory)
    prover.check(place, within)
    warm_up_prover(say)
    none_within = 0

    def work(advance: Any) -> "Proof":
        def told(part: float, plies: int, searched: int) -> None:
            nonlocal none_within
            none_within = searched
            advance(part, f"searching within {plies} plies")

        return prover.prove(place, within, side, progress=told)

    try:
        proof = with_progress("searching", work)
    except KeyboardInterrupt:
        prover.stop()
        if none_within:
            say(f"Stopped; there is none within {_plies(none_within)}.")
        raise
    if as_json:
        print_json(_facts(place, side, within, proof))
    else:
        _print_proof(place, side, within, proof)


def _plies(count: int) -> str:
    return f"{count} ply" if count == 1 else f"{count} plies"


def _facts(position: "Position", side: "Side", within: int, proof: "Proof") -> dict[str, Any]:
    return {
        "rules": position.rules.reference,
        "position": str(position),
        "for": str(side),
        "within": within,
        "win": proof.win,
        "plies": proof.plies,
        "line": [str(move) for move in proof.line],
        "nodes": proof.nodes,
        "seconds": round(proof.seconds, 6),
    }


def _print_proof(position: "Position", side: "Side", within: int, proof: "Proof") -> None:
    name = f"{position.rules.players[side]} ({side})"
    if proof.plies is None:
        click.echo(f"{name}: none within {_plies(within)}")
    else:
        line = " ".join(map(str, proof.line))
        click.echo(f"{name}: forced win in {_plies(proof.plies)}: {line}")
    click.echo(f"{proof.nodes:,} nodes in {proof.seconds:.2f} s")
