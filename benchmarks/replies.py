"""How long the computer thinks about a move, for each level and rule set, after warm-up."""

import statistics
import time

from nestline import Game, load_rules, rule_set_names
from nestline.engine.players.level_names import levels_of
from nestline.engine.players.levels import make_player

PLIES = 8


def reply_seconds(rules: str, level: str) -> list[float]:
    """The time of each reply in a game of a level against itself."""
    make_player("medium", seed=1).choose(Game(rules))  # Loads the compiled search.
    player = make_player(level, seed=1)
    game = Game(rules, ply_limit=PLIES)
    seconds = []
    while not game.outcome:
        began = time.perf_counter()
        game.play(player.choose(game))
        seconds.append(time.perf_counter() - began)
    return seconds


def main() -> None:
    print("replies of the computer, seconds (median, longest)")
    for rules in rule_set_names():
        figures = []
        for level in levels_of(load_rules(rules), is_solved=False):
            seconds = reply_seconds(rules, level)
            figures.append(f"{level} {statistics.median(seconds):.2f} {max(seconds):.2f}")
        print(f"{rules:18} " + "   ".join(figures))


if __name__ == "__main__":
    main()
