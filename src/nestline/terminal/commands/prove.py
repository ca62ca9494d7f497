"""The command `nestline prove`: a forced win within a number of plies, or none."""

from typing import TYPE_CHECKING, Any

import click

from nestline.terminal.common import json_option, prepare_rules, print_json, say, with_progress
from nestline.terminal.parameters import Words, ray_option, rules_argument

if TYPE_CHECKING:
    from nestline.engine.prove.prover import Proof
    from nestline.position import Position, Side
    from nestline.rules import RuleSet


@click.command()
@rules_argument()
@click.argument("position", default="start")
@click.option("--within", type=int, required=True, help="How many plies to look ahead at most.")
@click.option(
    "--for",
    "winner",
    type=Words(["first", "second"]),
    help="Who is to win; by default the player to move.",
)
@click.option("--memory", type=int, help="Size of the transposition table in MiB; by default 64.")
@click.option(
    "--threads", type=click.IntRange(1, 1024), default=1, help="Number of threads; by default 1."
)
@ray_option("Work")
@click.option(
    "--journal",
    metavar="FILE",
    help="Keep what has been proved here; the same command resumes where it stopped.",
)
@click.option(
    "--check",
    type=click.IntRange(1),
    metavar="N",
    help="Where there is no win, check N random leaves of the proof by brute force.",
)
@json_option
def prove(
    rules: "RuleSet",
    position: str,
    within: int,
    winner: str | None,
    memory: int | None,
    threads: int,
    ray: str | None,
    journal: str | None,
    check: int | None,
    as_json: bool,
) -> None:
    """Search exhaustively for a forced win.

    From POSITION, by default the start of RULES. Shows the shortest win and its line, in which the
    loser holds out as long as possible, or says that there is none within the plies searched. Draws
    by repetition do not matter: a shortest win never repeats a position, and earlier moves of a
    game are not known here.
    """
    prepare_rules()
    from nestline.engine.prove.check import check_leaves
    from nestline.engine.prove.parallel import ParallelProver
    from nestline.engine.prove.prover import DEFAULT_MEMORY, Prover
    from nestline.engine.warm_up import warm_up_prover
    from nestline.position import Position, Side

    place = Position(position, rules)
    side = place.turn if winner is None else Side[winner.upper()]
    single = Prover(rules, memory=DEFAULT_MEMORY if memory is None else memory)
    prover: Prover | ParallelProver = single
    if threads > 1 or ray or journal:
        prover = ParallelProver(single, threads=threads, ray=ray, journal=journal)
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
        if journal:
            say(f"What has been proved is in {journal}; the same command goes on from there.")
        raise
    leaves = None
    if check and proof.win is False:
        leaves = check_leaves(single, place, within, side, check)
    if as_json:
        print_json(_facts(place, side, within, proof) | ({"checked": leaves} if check else {}))
    else:
        _print_proof(place, side, within, proof)
        if leaves is not None:
            click.echo(f"{leaves:,} leaves checked by brute force")


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
