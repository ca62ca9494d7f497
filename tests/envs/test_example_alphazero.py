"""The AlphaZero example: it learns, resumes where it stopped, and plays against levels.

It needs PyTorch, which is large; `make test-full` installs it, `make test` skips this.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

from nestline.envs.batch import Batch
from nestline.errors import NestlineError
from nestline.observations import words_of
from nestline.oracle import Oracle
from nestline.oracle.positions import legal_masks

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import alphazero  # noqa: E402
import alphazero_match  # noqa: E402

SMALL = ["--games", "64", "--simulations", "8", "--considered", "4", "--sample", "256",
         "--width", "48", "--blocks", "1"]  # fmt: skip


@pytest.mark.parametrize("rules", ["tictactoe", "gobblet"])
def test_samples_are_seen_through_symmetries(rules: str) -> None:
    """Where the policy is the mask of legal actions, it stays that of the image."""
    batch = Batch(rules, 40, seed=1)
    batch.random_steps(3)
    replay = alphazero.ReplayBuffer(rules, 40, "cpu")
    planes, masks = (torch.as_tensor(a) for a in (batch.observe(), batch.legal_action_mask()))
    replay.add(alphazero.Segment(planes[None], masks[None].half(), torch.zeros(1, 40)))
    drawn, policies, _ = replay.draw(300)
    legal = legal_masks(*words_of(drawn.numpy(), batch.rules), batch.rules)
    assert (legal == (policies.numpy() > 0)).all()
    same = (drawn[:, None] == planes[None]).flatten(2).all(2).any(1)
    assert 0 < int(same.sum()) < 300


def test_values_are_carried_back_from_the_end() -> None:
    """With a network that knows nothing, only results count, alternating towards the start."""
    network = alphazero.Network("tictactoe", 8, 1)
    for weights in network.parameters():
        torch.nn.init.zeros_(weights)
    games = alphazero.Games(network, 16, 4, gumbel=4, seed=1)
    segment = alphazero.play_segment(games)
    assert segment.planes.shape == (alphazero.SEGMENT, 16, 6, 3, 3)
    assert segment.policies.sum(2).numpy() == pytest.approx(1, abs=1e-2)
    assert float(segment.values.max()) == 1
    won = (segment.values[1:] == 1).nonzero()
    assert len(won)
    before = segment.values[:-1][won[:, 0], won[:, 1]]
    assert ((before < -0.7) | (before >= 0)).all()


def test_it_learns_what_it_has_played(tmp_path: Path) -> None:
    options = alphazero.options_of([str(tmp_path), "--rules", "tictactoe", *SMALL])
    trainer = alphazero.Trainer(options)
    trainer.replay.add(alphazero.play_segment(trainer.games))
    losses = []
    for _ in range(12):
        trainer.learn(warm=1.0)
        losses.append(trainer.losses[0])
    # From ln(9), that of any move, towards the entropy of what the search found.
    assert losses[-1] < losses[0] - 0.15


def test_an_agent_goes_on_where_it_stopped_and_plays(
    tmp_path: Path, standard_tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = [str(tmp_path), "--tables", str(standard_tables), *SMALL]
    alphazero.main([*folder, "--rules", "tictactoe", "--minutes", "0.0001"])
    path = str(tmp_path / alphazero.CHECKPOINT)
    first = torch.load(path, weights_only=True)
    assert first["moves"] > 0
    assert "regret over all positions with 64 simulations" in capsys.readouterr().out
    longer = str(first["seconds"] / 60 + 0.0001)
    alphazero.main([*folder, "--rules", "tictactoe", "--minutes", longer])
    second = torch.load(path, weights_only=True)
    assert second["moves"] > first["moves"]
    assert second["curve"][: len(first["curve"])] == first["curve"]
    with pytest.raises(NestlineError, match="is an agent for tictactoe; give another folder"):
        alphazero.main([*folder, "--rules", "gobblers"])
    oracle = Oracle("tictactoe", str(standard_tables))
    network = alphazero.load_network(path)
    searching = oracle.regret(alphazero.policy_of(network, 64)).mean
    assert searching < 0.5 * oracle.regret(alphazero.load(path)).mean
    alphazero_match.main([path, "--levels", "random", "3", "--games", "6", "--simulations", "50"])
    told = capsys.readouterr().out
    assert "against level random: " in told
    assert "against level 3: " in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--games", "0"], "--games is above 0"), (["--minutes", "0"], "--minutes is above 0")],
)
def test_bad_options_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        alphazero.main(["folder", *arguments])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_the_score_of_a_match() -> None:
    score = alphazero_match.Score(60, 20, 20)
    assert str(score) == "70.0 % ± 4.0 (+60 =20 -20), +147 Elo"
    assert np.isclose(score.error, 0.04)
