"""The levels in the page against the same levels natively: each should score about half.

The page's engine runs in node, which has Chromium's WebAssembly. Colours alternate; what either
side plays is random, so the score has an interval: 45 to 55 % is wanted with enough games. Neither
side has a limit of time, only that of nodes, so other programs on the machine do not matter.
"""

import argparse
import json
import math
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
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
    """A level of the page's engine, in a process of its own."""

    def __init__(self, level: str) -> None:
        self._level = level
        self._process = subprocess.Popen(
            [NODE, HERE / "page_ladder.mjs"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

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

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def play(rules: str, players: tuple[Any, Any]) -> float:
    """What the first of two players scores in a game that it begins."""
    game = Game(rules, ply_limit=MOST_PLIES)
    while game.outcome is None:
        game.play(players[int(game.turn)].choose(game))
    return 0.5 if game.outcome.winner is None else 1.0 - int(game.outcome.winner)


def match(rules: str, level: str, games: int, workers: int) -> list[float]:
    """What the page scores in these games, of which each worker plays one at a time."""
    mine = threading.local()
    pages: list[PageLevel] = []

    def ready() -> None:
        mine.page, mine.native = PageLevel(level), levels.LevelPlayer(level)
        pages.append(mine.page)

    def score(game: int) -> float:
        if game % 2:
            return play(rules, (mine.page, mine.native))
        return 1 - play(rules, (mine.native, mine.page))

    with ThreadPoolExecutor(workers, initializer=ready) as pool:
        scores = list(pool.map(score, range(games)))
    for page in pages:
        page.close()
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", default=["gobblers", "gobblet"])
    parser.add_argument("--levels", nargs="+", help="by default all numbered ones")
    parser.add_argument("--games", type=int, default=400, help="at each level")
    parser.add_argument("--workers", type=int, default=1, help="games played at the same time")
    options = parser.parse_args()
    if not NODE.exists():
        parser.error("there is no node here; `make setup` installs it")
    for rules in options.rules:
        for level in options.levels or numbered_levels(load_rules(rules)):
            scores = match(rules, level, options.games, options.workers)
            mean = sum(scores) / len(scores)
            spread = sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)
            interval = 1.96 * math.sqrt(spread / len(scores))
            told = f"{100 * mean:.1f} ± {100 * interval:.1f} %"
            print(f"{rules} level {level}: {told} in {len(scores)} games", flush=True)


if __name__ == "__main__":
    main()
