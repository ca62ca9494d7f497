"""The engine in the page finds what the engine in Python finds, node by node."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nestline.engine.players.level_names import ALIASES, CHILD_LEVELS, numbered_levels
from nestline.engine.players.levels import LevelPlayer
from nestline.engine.search.chance import make_chance, next_word
from nestline.engine.search.engine import Engine, Limits, Variation
from nestline.game import Game
from nestline.rules import RuleSet, load_rules
from nestline.web.games.views import board_json
from support.helpers import FIVE_NAMES, random_rules
from webassembly.conftest import Ask, ask_node

SCRIPT = "search.mjs"
MEMORY = 2


def random_game(rules: RuleSet, chance: random.Random) -> Game:
    """A game that is not over, in which players like to go back to where they were."""
    game = Game(rules)
    for _ in range(chance.randint(0, 3 * rules.squares)):
        moves = list(game.legal_moves())
        chance.shuffle(moves)
        if chance.random() < 0.5:
            earlier = set(game.positions)
            moves.sort(key=lambda move: game.position.play(move) not in earlier)
        for move in moves:
            after = game.copy()
            after.play(move)
            if not after.outcome:
                game = after
                break
        else:
            break
    return game


def state(seed: int) -> list[int]:
    numbers: list[int] = make_chance(seed).tolist()
    return numbers


def asked(rules: RuleSet, games: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    return {"rules": rules.fields(), "options": {"mebibytes": MEMORY, **options}, "games": games}


def boards(game: Game) -> list[Any]:
    return [board_json(position) for position in game.positions]


def line_json(line: Variation) -> dict[str, Any]:
    return {"moves": [str(move) for move in line.moves], "score": line.score}


def compare(
    ask: Ask, sets: list[RuleSet], games_each: int, depth: int, chance: random.Random
) -> int:
    """All games of a set are searched one after another, with one transposition table."""
    questions, expected, repeating = [], [], 0
    for rules in sets:
        engine = Engine(rules, memory=MEMORY, seed=7, tables=False)
        games = [random_game(rules, chance) for _ in range(games_each)]
        games = [game for game in games if not game.outcome]
        repeating += sum(len(set(game.positions)) < len(game.positions) for game in games)
        limits = {"depth": depth, "variations": chance.choice((1, 1, 3))}
        limits["everyMove"] = every_move = chance.random() < 0.5
        questions.append(
            asked(rules, [{"boards": boards(game), "limits": limits} for game in games],
                  chance=state(7))
        )  # fmt: skip
        for game in games:
            found = engine.think(
                game, Limits(depth=depth), variations=limits["variations"], every_move=every_move
            )
            expected.append(
                {
                    "depth": found.depth,
                    "nodes": found.nodes,
                    "variations": [line_json(line) for line in found.variations],
                    "others": {str(line.move): line.score for line in found.others},
                }
            )
    answers = [answer for one in ask(SCRIPT, questions) for answer in one]
    for answer in answers:
        scores = [line["score"] for line in answer["others"]]
        assert scores == sorted(scores, reverse=True)
        answer["others"] = {line["moves"][0]: line["score"] for line in answer["others"]}
    assert answers == expected
    return repeating


def test_the_five_sets(ask: Ask) -> None:
    chance = random.Random("searched in the page")
    assert compare(ask, [load_rules(name) for name in FIVE_NAMES], 6, 4, chance) > 2


def test_random_sets(ask: Ask, tmp_path: Path) -> None:
    chance = random.Random("random sets searched in the page")
    compare(ask, [random_rules(tmp_path, chance) for _ in range(12)], 3, 3, chance)


@pytest.mark.full
@pytest.mark.parametrize("name", FIVE_NAMES)
def test_many_positions(ask: Ask, name: str) -> None:
    compare(ask, [load_rules(name)], 200, 6, random.Random(name))


@cache
def choices_of_levels(strongest: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """Questions and what the levels choose here, the same for node and Chromium.

    The strongest levels think longest, and are asked less often.
    """
    chance = random.Random("levels in the page")
    questions, expected = [], []
    for name in ("gobblers", "gobblet", "tictactoe", "gobblet-house"):
        games = [random_game(load_rules(name), chance) for _ in range(5)]
        games = [game for game in games if game.ply >= 2]  # A new game clears the table.
        numbered = numbered_levels(load_rules(name))
        if name == "gobblet-house":
            numbered = numbered[:2]  # The others are those of `gobblet`.
        others = (*CHILD_LEVELS, *numbered[:12], *ALIASES, "9")
        for level in numbered[12:] if strongest else others:
            player = LevelPlayer(level, seed=3)
            errors = make_chance(3)
            seed = next_word(errors)
            options = {"chance": state(seed), "errors": errors.tolist(), "mebibytes": 16}
            some = games[:1] if level in numbered[10:] else games
            thought = [{"boards": boards(game), "level": level} for game in some]
            questions.append(asked(load_rules(name), thought, **options))
            expected += [str(player.choose(game)) for game in some]
    return questions, expected


def compare_levels(ask: Ask, strongest: bool) -> None:
    """With the same random numbers they make the same mistakes."""
    questions, expected = choices_of_levels(strongest)
    assert expected
    assert [answer for one in ask(SCRIPT, questions) for answer in one] == expected


@pytest.mark.usefixtures("unhurried_levels")
def test_levels_choose_the_same_moves(ask: Ask) -> None:
    compare_levels(ask, strongest=False)


@pytest.mark.full
@pytest.mark.usefixtures("unhurried_levels")
def test_the_strongest_levels_choose_the_same_moves(ask: Ask) -> None:
    compare_levels(ask, strongest=True)


def test_only_some_moves(ask: Ask) -> None:
    game = Game("gobblers")
    moves = [str(move) for move in game.legal_moves()][3:6]
    [[answer]] = ask(
        SCRIPT,
        [asked(game.rules, [{"boards": boards(game), "moves": moves, "limits": {"depth": 3}}])],
    )
    assert answer["variations"][0]["moves"][0] in moves


def test_weights_that_are_cut_off_are_told() -> None:
    question = asked(load_rules("gobblers"), []) | {"weightBytes": 800}
    assert ask_node(SCRIPT, [question]) == ["The engine cannot be loaded: its weights are damaged."]
