"""How far the levels are apart, in every family of rule sets: each level plays the one below it.

By default each family's best-known rule set, with more games where they are cheap. Steps of 100 to
150 points are wanted; those outside are marked. `--rules`, `--games` and `--levels` narrow it down.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser
from itertools import pairwise

from nestline import load_rules
from nestline.engine.players.level_names import (
    FLAT,
    FREE,
    LARGE,
    SMALL,
    family_of,
    is_large,
    levels_of,
)

GAMES = {LARGE: 400, FREE: 400, SMALL: 2000, FLAT: 4000}
USUAL = ("tictactoe", "gobblers", "gobblet", "gobblet-house")
WANTED = (100, 150)


def step(rules: str, higher: str, lower: str, games: int) -> tuple[float, float, str]:
    """The Elo difference of two levels, its error (95 %), and the games won, drawn and lost."""
    command = ["match", higher, lower, "--rules", rules, "--games", str(games), "--json"]
    run = subprocess.run(
        [sys.executable, "-m", "nestline", *command], stdout=subprocess.PIPE, check=True
    )
    facts = json.loads(run.stdout)
    tally = next(player for player in facts["players"] if player["name"] == higher)
    counts = f"{tally['wins']}, {tally['draws']}, {tally['losses']}"
    return facts["difference"]["elo"], facts["difference"]["error"], counts


def verdict(elo: float, error: float) -> str:
    low, high = WANTED
    if elo + error < low or elo - error > high:
        return "missed"
    return "" if low <= elo <= high else "within the error"


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=USUAL)
    parser.add_argument("--games", type=int, help="of each step")
    parser.add_argument("--levels", nargs="+", help="only steps up to these levels")
    chosen = parser.parse_args()
    for name in chosen.rules:
        rules = load_rules(name)
        games = chosen.games or GAMES[family_of(rules)]
        levels = levels_of(rules, is_solved=not is_large(rules))
        print(f"{name}, {games} games a step: Elo of each level over the one below")
        for lower, higher in pairwise(levels):
            if chosen.levels and higher not in chosen.levels:
                continue
            elo, error, counts = step(name, higher, lower, games)
            print(
                f"  {higher:>8} over {lower:8} {elo:+5.0f} ± {error:3.0f}  ({counts})  "
                f"{verdict(elo, error)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
