"""The training example: it learns, resumes where it stopped, and can be measured.

It needs the extra `train`, which is large; `make test-full` installs it, `make test` skips this.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nestline.envs.batch import Batch
from nestline.observations import words_of
from nestline.oracle import Oracle, one_ply_policy
from nestline.oracle.positions import legal_masks

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
import self_play  # noqa: E402


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "self_play.py"), *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)


def state_of(folder: Path) -> dict[str, object]:
    path = folder / self_play.CHECKPOINT
    state: dict[str, object] = torch.load(path, weights_only=True)
    return state


@pytest.mark.parametrize("rules", ["tictactoe", "gobblers", "gobblet"])
@pytest.mark.parametrize("number", range(8))
def test_images_of_positions_have_the_images_of_their_actions(rules: str, number: int) -> None:
    batch = Batch(rules, 200, seed=number)
    batch.random_steps(6)
    planes, masks = batch.observe(), batch.legal_action_mask()
    actions = batch.random_actions()
    turned, images = self_play.Symmetries(rules, "cpu").apply(
        number, torch.as_tensor(planes), torch.as_tensor(actions)
    )
    legal = legal_masks(*words_of(turned.numpy(), batch.rules), batch.rules)
    assert legal[np.arange(200), images.numpy()].all()
    assert (legal.sum(axis=1) == masks.sum(axis=1)).all()
    assert ((turned.numpy() == planes).all(axis=(1, 2, 3)) & (images.numpy() == actions)).all() == (
        number == 0
    )


def test_an_agent_learns_tic_tac_toe_and_goes_on_where_it_stopped(
    tmp_path: Path, standard_tables: Path
) -> None:
    options = [
        str(tmp_path), "--rules", "tictactoe", "--tables", str(standard_tables),
        "--games", "512", "--sample", "1024", "--rate", "0.003",
    ]  # fmt: skip
    first = run(*options, "--steps", "100")
    assert first.returncode == 0, first.stderr
    assert state_of(tmp_path)["step"] == 100
    again = run(*options, "--steps", "800")
    assert again.returncode == 0, again.stderr
    state = state_of(tmp_path)
    curve = state["curve"]
    assert isinstance(curve, list)
    assert state["step"] == 800
    assert curve[0][0] == 5
    assert curve[-1][0] == 800
    oracle = Oracle("tictactoe", standard_tables)
    assert curve[-1][1] < self_play.measure(oracle, one_ply_policy("tictactoe"))
    assert "<svg" in (tmp_path / self_play.PLOT).read_text("utf-8")
    assert "Thrown away per move" in again.stdout


def test_a_checkpoint_is_a_policy_of_the_leaderboard(tmp_path: Path, standard_tables: Path) -> None:
    options = ["--rules", "tictactoe", "--tables", str(standard_tables)]
    assert run(str(tmp_path), *options, "--games", "64", "--steps", "3").returncode == 0
    policy = f"trained=self_play:load:{tmp_path / self_play.CHECKPOINT}"
    done = subprocess.run(
        [sys.executable, "-m", "nestline", "leaderboard", *options, "--levels", "1",
         "--sample", "200", "--policy", policy],
        capture_output=True, text=True, timeout=300, cwd=EXAMPLES,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "| trained |" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--steps", "0"], "--steps is at least 1, not 0"),
        (["--games", "none"], "invalid int value: 'none'"),
        (["--rules", "chess"], "chess"),
        (["--rules", "gobblet"], "too large to be solved"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    done = run(str(tmp_path / "new"), *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "new").exists()


def test_a_folder_with_another_agent_is_left_alone(tmp_path: Path, standard_tables: Path) -> None:
    options = ["--tables", str(standard_tables), "--games", "64", "--steps", "2"]
    assert run(str(tmp_path), *options, "--rules", "tictactoe").returncode == 0
    before = (tmp_path / self_play.CHECKPOINT).read_bytes()
    done = run(str(tmp_path), *options, "--rules", "gobblers")
    assert done.returncode == 2
    assert "is an agent for tictactoe; give another folder" in done.stderr
    assert (tmp_path / self_play.CHECKPOINT).read_bytes() == before
