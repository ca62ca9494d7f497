"""The levels in the page against the same levels natively: each should score about half.

The page's engine runs in node, which has Chromium's WebAssembly. Colours alternate; what either
side plays is random, so the score has an interval: 45 to 55 % is wanted with enough games. Neither
side has a limit of time, only that of nodes, so other programs on the machine do not matter.
"""

import argparse
import json
import math
import subprocess
from pathlib import Path
from typing import Any

from nestline import Game, load_rules
from nestline.engine.players import levels
from nestline.engine.players.level_names import numbered_levels
from nestline.web.games.views import board_json

HERE = Path(__file__).parent
NODE = HERE.parent / ".venv" / "bin" / "node"
MOST_PLIES = 200
levels.MOST_SECONDS = 1000.0


class PageLevel:
    """A level of the page's engine."""

    def __init__(self, process: "subprocess.Popen[str]", level: str) -> None:
        self._process = process
        self._level = level

    def choose(self, game: Game) -> str:
        boards = [board_json(position) for position in game.positions]
        rules = {"name": game.rules.name, **game.rules.fields()}
        asked = {"rules": rules, "level": self._level, "boards": boards}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer: str = json.loads(self._process.stdout.readline())
        return answer


def play(rules: str, players: tuple[Any, Any]) -> float:
    """What the first of two players scores in a game that it begins."""
    game = Game(rules, ply_limit=MOST_PLIES)
    while game.outcome is None:
        game.play(players[int(game.turn)].choose(game))
    return 0.5 if game.outcome.winner is None else 1.0 - int(game.outcome.winner)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["gobblers", "gobblet"])
    parser.add_argument("--levels", nargs="+", help="by default all numbered ones")
    parser.add_argument("--games", type=int, default=400, help="at each level")
    options = parser.parse_args()
    with subprocess.Popen(
        [NODE, HERE / "page_ladder.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        for rules in options.rules:
            for level in options.levels or numbered_levels(load_rules(rules)):
                page, native = PageLevel(process, level), levels.LevelPlayer(level)
                scores = [
                    play(rules, (page, native)) if game % 2 else 1 - play(rules, (native, page))
                    for game in range(options.games)
                ]
                mean = sum(scores) / len(scores)
                spread = sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)
                interval = 1.96 * math.sqrt(spread / len(scores))
                told = f"{100 * mean:.1f} ± {100 * interval:.1f} %"
                print(f"{rules} level {level}: {told} in {len(scores)} games", flush=True)
        assert process.stdin is not None
        process.stdin.close()


if __name__ == "__main__":
    main()
