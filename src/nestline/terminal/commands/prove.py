"""The command `nestline prove`: a forced win within so many plies, or none."""

from typing import TYPE_CHECKING, Any

import click

from nestline.terminal.common import json_option, prepare_rules, print_json, say, with_progress

if TYPE_CHECKING:
    from nestline.engine.prove.prover import Proof
    from nestline.position import Position, Side


@click.command()
@click.argument("rules")
@click.argument("position", default="start")
@click.option("--within", type=int, required=True, help="Within how many plies.")
@click.option(
    "--for",
    "winner",
    type=click.Choice(["first", "second"]),
    help="The side that shall win; by default the one to move.",
)
@click.option("--memory", type=int, help="Size of the search's table in MiB, by default 64.")
@json_option
def prove(
    rules: str, position: str, within: int, winner: str | None, memory: int | None, as_json: bool
) -> None:
    """Search exhaustively for a forced win from POSITION, by default the start of RULES.

    Tells the shortest win with its line, in which the loser delays as long as possible, or that
    there is none within so many plies. Earlier positions of a game, and with them draws by
    repetition, are not known here; a shortest win never repeats a position itself.
    """
    from nestline.rules import load_rules

    found = load_rules(rules)
    prepare_rules()
    from nestline.engine.prove.prover import DEFAULT_MEMORY, Prover
    from nestline.engine.warm_up import warm_up_prover
    from nestline.position import Position, Side

    place = Position(position, found)
    side = place.turn if winner is None else Side[winner.upper()]
    prover = Prover(found, memory=DEFAULT_MEMORY if memory is None else memory)
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
