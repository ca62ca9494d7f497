"""The evaluation and its weights: equal under all symmetries, and what is learned."""

from pathlib import Path

import numpy as np
import pytest

from nestline import NestlineError, Position, load_rules, rule_set_names
from nestline.engine.search import alphabeta, training
from nestline.engine.search.engine import Engine, Limits
from nestline.engine.search.weights import Weights, family_of, hand_set, load_weights, weights_for
from nestline.game import Game
from support.helpers import custom_rules, random_positions


def scores(rules: str, weights: Weights, positions: list[Position]) -> list[int]:
    loaded = load_rules(rules)
    own, opp = (np.array(words, np.int64) for words in zip(*(p.words for p in positions)))  # noqa: B905
    found = np.zeros(len(own), np.int64)
    alphabeta.static_scores(own, opp, loaded.law, weights.sheet(loaded), found)
    return [int(score) for score in found]


@pytest.mark.parametrize("rules", rule_set_names())
def test_a_position_is_worth_the_same_through_every_symmetry(rules: str) -> None:
    weights = weights_for(load_rules(rules))
    for position in random_positions(rules, 40, seed=2):
        assert len(set(scores(rules, weights, list(position.symmetries())))) == 1


@pytest.mark.parametrize("rules", ["gobblet", "gobblers", "tictactoe"])
def test_training_reads_positions_as_the_evaluation_does(rules: str) -> None:
    """The weights that a fit adds up are those the compiled evaluation looks up."""
    loaded = load_rules(rules)
    form = training._Form(loaded)
    vector = np.random.default_rng(1).normal(0, 0.02, form.size).astype(np.float32)
    vector[form.network :] *= 10  # so that many hidden units count
    positions = random_positions(rules, 100, seed=3)
    own, opp = (np.array(words, np.int64) for words in zip(*(p.words for p in positions)))  # noqa: B905
    nothing = np.zeros(len(own), np.float32)
    samples = training.Samples(own, opp, nothing, nothing, np.zeros(len(own), np.int64))
    told = np.zeros(len(own), np.float32)
    training._descend(
        np.arange(len(own)), own, opp, form.features(loaded.law, samples), nothing, 0.0, 0.0,
        form.rows, form.bias, form.out, vector, np.zeros_like(vector), told,
    )  # fmt: skip
    looked_up = np.array(scores(rules, form.to_weights(loaded, vector), positions))
    quiet = np.abs(looked_up) < alphabeta.FORCED
    assert quiet.sum() > 20
    assert np.abs(100 * told - looked_up)[quiet].max() < 4


def test_the_4x4_sets_have_learned_weights() -> None:
    for name in ("gobblet", "gobblet-house", "gobblers", "gobblers-official"):
        figures = weights_for(load_rules(name)).figures
        assert figures["loss held back"] < figures["loss by hand"]
        assert figures["positions"] > 5_000


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    weights = hand_set(load_rules("gobblers"))
    (tmp_path / "w.npz").write_bytes(weights.to_bytes())
    again = load_weights(tmp_path / "w.npz")
    assert again.family == weights.family
    assert again.tempo == weights.tempo
    assert np.array_equal(again.lines, weights.lines)
    assert np.array_equal(again.pieces, weights.pieces)


def test_files_that_are_no_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "w.npz").write_bytes(b"nonsense")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    for name in ("w.npz", "other.npz", "missing.npz"):
        with pytest.raises(NestlineError, match="no weights of nestline"):
            load_weights(tmp_path / name)


def test_weights_of_another_family_are_refused() -> None:
    with pytest.raises(NestlineError, match="are for board3-line3-sizes3-smaller, and gobblet is"):
        Engine("gobblet", weights=hand_set(load_rules("gobblers")))


def test_a_rule_set_of_ones_own_takes_the_nearest_weights(tmp_path: Path) -> None:
    near = custom_rules(tmp_path, "gobblet", place_onto="empty")
    assert family_of(near) == "board4-line4-sizes4-empty"
    assert weights_for(near).figures["positions"] > 0
    far = custom_rules(tmp_path, "gobblet", line=3)
    assert weights_for(far).figures == {"made": "by hand"}
    for changes in ({"wrap": True}, {"misere": True}, {"line_sizes": "rising"}):
        odd = custom_rules(tmp_path, "gobblet", **changes)
        assert weights_for(odd).figures == {"made": "by hand"}
        with pytest.raises(NestlineError, match="these weights are for board4-line4-sizes4"):
            weights_for(near).sheet(odd)


def test_learning_is_reproducible_and_beats_the_start(tmp_path: Path) -> None:
    rules = load_rules("gobblers")
    plan = training.Plan(games=60, nodes=100, epochs=3, seed=5)
    once, again = (training.train(rules, 1, plan, 1, lambda part: None) for _ in range(2))
    assert np.array_equal(once.lines, again.lines)
    assert np.array_equal(once.pieces, again.pieces)
    assert once.figures["games"] >= 20
    found = Engine(rules, tables=False, weights=once).think(Game(rules), Limits(depth=2))
    assert found.move in Game(rules).legal_moves()


def test_too_small_a_plan_is_refused() -> None:
    with pytest.raises(NestlineError, match="at least 20 games"):
        training.Plan(games=1)
