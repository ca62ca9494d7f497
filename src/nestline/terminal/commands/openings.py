"""The commands `nestline openings`: shows the opening explorer of a rule set, or makes one."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import NestlineError, errors_about
from nestline.terminal.commands.solve import is_solvable
from nestline.terminal.common import (
    json_option,
    prepare_rules,
    print_json,
    require_writable,
    say,
    with_progress,
    write_file,
)
from nestline.terminal.groups import Group
from nestline.terminal.parameters import complete_files, rules_argument
from nestline.terminal.width import tell

if TYPE_CHECKING:
    from nestline.openings.explorer import Choice, Explorer
    from nestline.rules import RuleSet
    from nestline.terminal.common import Advance


@click.group(cls=Group)
def openings() -> None:
    """The first moves of a game and the replies to them."""


@openings.command()
@rules_argument()
@click.argument("moves", nargs=-1)
@click.option(
    "--file", "-f", metavar="FILE", shell_complete=complete_files,
    help="An explorer of your own, in place of the one that comes with the package.",
)  # fmt: skip
@json_option
def show(rules: "RuleSet", moves: tuple[str, ...], file: str | None, as_json: bool) -> None:
    """Show what is known about the moves of RULES at the start, or after MOVES.

    Values are the engine's, for the player who moves. Games are those that the engine played
    against itself. Of moves that are mirror images of each other one is listed.
    """
    prepare_rules()
    from nestline.game import Game
    from nestline.openings.explorer import published_explorer

    explorer = published_explorer(rules) if file is None else _read(Path(file), rules)
    if explorer is None:
        _require_unsolvable(rules)
        raise NestlineError(
            f"{rules.name} has no openings in this package; "
            f"`nestline openings make {rules.reference}` makes some"
        )
    game = Game(rules)
    for played in moves:
        game.play(played)
    choices = explorer.choices(game.position)
    if as_json:
        print_json(
            {
                "rules": rules.reference,
                "position": str(game.position),
                "games": explorer.games,
                "moves": [_facts(choice) for choice in choices],
            }
        )
        return
    if not choices:
        click.echo("The explorer knows only the first moves and the replies to them.")
        return
    tell("move   value  depth  played   won  drawn  mirror images")
    for move, alike, line in choices:
        shares = (_percent(count, line.played) for count in (line.won, line.drawn))
        text = f"{move!s:4} {line.score / 100:+7.2f} {line.depth:6} {line.played:7} "
        tell(text + f"{'  '.join(shares)}  {' '.join(map(str, alike))}".rstrip())


def _percent(count: int, of: int) -> str:
    return f"{100 * count / of:3.0f} %" if of else "    –"


def _facts(choice: "Choice") -> dict[str, Any]:
    move, alike, line = choice
    return {
        "move": str(move),
        "mirror_images": [str(each) for each in alike],
        "score": line.score,
        "depth": line.depth,
        "nodes": line.nodes,
        "played": line.played,
        "won": line.won,
        "drawn": line.drawn,
    }


@openings.command()
@rules_argument()
@click.option(
    "--nodes", type=click.IntRange(1), default=10_000_000, show_default=True,
    help="Nodes to search after each reply.",
)  # fmt: skip
@click.option("--games", type=click.IntRange(0), default=200, show_default=True,
              help="Games to play.")  # fmt: skip
@click.option("--player", default="engine:nodes=10000", show_default=True,
              help="Who plays these games against itself: any player of a match.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True,
              help="Seeds searches and games.")  # fmt: skip
@click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True,
    help="How many replies are searched, and games played, at the same time.",
)  # fmt: skip
@click.option("--memory", type=click.IntRange(1), default=256, show_default=True,
              help="Size of the transposition table of each search in MiB.")  # fmt: skip
@click.option(
    "--output", "-o", metavar="FILE", shell_complete=complete_files,
    help="The file to write, or to complete; by default named after the rule set.",
)  # fmt: skip
def make(
    rules: "RuleSet", nodes: int, games: int, player: str, seed: int, threads: int, memory: int,
    output: str | None,
) -> None:  # fmt: skip
    """Analyse the first moves of RULES and all replies, and play games that begin with them.

    Mirror images are analysed once. Whatever is finished is in the file at once; with more nodes or
    games, the same command adds what is missing.
    """
    _require_unsolvable(rules)
    prepare_rules()
    from nestline.arena.descriptions import read_contestant
    from nestline.openings.explorer import Explorer
    from nestline.terminal.game.opponent import prepare_search

    read_contestant(player)  # so that a mistyped one is refused before the analysis
    path = Path(output or f"{rules.name}.json")
    require_writable(path)
    explorer = Explorer(rules, player, seed)
    if path.exists():
        explorer = _read(path, rules)
        if (explorer.player, explorer.seed) != (player, seed):
            raise NestlineError(
                f"{path}: its games are by {explorer.player} with seed {explorer.seed}; "
                "ask for the same, or choose another file"
            )
    prepare_search()
    stop = threading.Event()
    try:
        with_progress(
            "analysing",
            lambda advance: _fill(explorer, nodes, games, threads, memory, path, stop, advance),
        )
    finally:
        stop.set()
    say(f"{len(explorer.lines)} lines and {explorer.games:,} games in {path}")


def _require_unsolvable(rules: "RuleSet") -> None:
    if is_solvable(rules):
        raise NestlineError(
            f"{rules.name} can be solved: `nestline probe {rules.reference} start` knows every move"
        )


def _fill(
    explorer: "Explorer", nodes: int, games: int, threads: int, memory: int, path: Path,
    stop: threading.Event, advance: "Advance",
) -> None:  # fmt: skip
    from nestline.openings.make import analyse_lines, play_games

    def keep() -> None:
        write_file(path, explorer.to_text().encode())

    analyse_lines(explorer, nodes, threads=threads, memory=memory, keep=keep, progress=advance)
    advance(0, "playing")
    play_games(explorer, games, processes=threads, keep=keep, progress=advance, stop=stop)


def _read(path: Path, rules: "RuleSet") -> "Explorer":
    from nestline.openings.explorer import read_explorer

    try:
        with errors_about(str(path)):
            return read_explorer(path.read_text("utf-8"), rules)
    except UnicodeDecodeError:
        raise NestlineError(f"{path}: this is no text") from None
