"""All players against each other under all rules: not one illegal move, not one failure."""

import random
from pathlib import Path

import pytest

from nestline import Game, load_rules, read_record, rule_set_names
from nestline.arena.descriptions import read_contestant
from nestline.arena.run import run_tournament
from nestline.arena.tournament import Entry, Tournament, all_pairings
from nestline.engine.search.engine import Limits
from nestline.rules import RuleSet
from support.helpers import random_rules

ALL = ("random", "1", "3", "5", "7", "8", "engine", "engine:weights=hand,nodes=500", "greedy",
       "mcts")  # fmt: skip
SOME = ("random", "2", "5", "engine", "greedy", "mcts")
FEW = ("3", "engine", "greedy", "mcts")


def played(
    rules: RuleSet, folder: Path, players: tuple[str, ...], rounds: int, seed: int
) -> list[Game]:
    """The games of a tournament, each read from its record, which replays every move."""
    entries = {text: Entry(text, read_contestant(text)) for text in players}
    tournament = Tournament(
        rules=rules,
        entries=entries,
        pairings=all_pairings(entries),
        rounds=rounds,
        limits=Limits(nodes=300),
        seed=seed,
        ply_limit=80,
    )
    results = run_tournament(tournament, folder=folder)
    assert [(game.number, game.forfeit) for game in results.forfeits] == []
    assert len(results.games) == tournament.games
    found = [
        Game.from_record(read_record(path.read_text("utf-8"), path.parent))
        for path in sorted((folder / "games").iterdir())
    ]
    assert all(game.outcome for game in found)
    return found


@pytest.mark.parametrize("name", ["gobblers-official", "gobblet"])
def test_a_few_players_play_a_few_games(name: str, tmp_path: Path) -> None:
    assert len(played(load_rules(name), tmp_path / "out", FEW, 1, 1)) == 12


@pytest.mark.full
@pytest.mark.parametrize("name", rule_set_names())
def test_thousands_of_games_of_all_players(name: str, tmp_path: Path) -> None:
    assert len(played(load_rules(name), tmp_path / "out", ALL, 5, 2)) == 450


@pytest.mark.full
@pytest.mark.parametrize("seed", range(25))
def test_games_under_random_rules(seed: int, tmp_path: Path) -> None:
    rules = random_rules(tmp_path, random.Random(seed))
    assert len(played(rules, tmp_path / "out", SOME, 2, seed)) == 60
