"""Regenerate OpenSpiel's golden playthroughs: python tests/support/make_playthroughs.py.

A playthrough is a whole game as text, with everything OpenSpiel asks of a game in some states. The
test replays and compares them; regenerate them only after an intended change.
"""

from pathlib import Path

from absl import flags

import nestline.envs.openspiel  # noqa: F401  (registers the game)
from nestline.rules import rule_set_names

FOLDER = Path(__file__).parents[1] / "suites" / "openspiel"
SEED = 7


def game_of(name: str) -> str:
    return f"python_nestline(rules={name},ply_limit=60)"


def main() -> None:
    from open_spiel.python.algorithms import generate_playthrough  # takes seconds

    flags.FLAGS.mark_as_parsed()
    FOLDER.mkdir(exist_ok=True)
    for name in rule_set_names():
        text = generate_playthrough.playthrough(game_of(name), [], seed=SEED)
        (FOLDER / f"{name}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
