"""`nestline train-eval` as a user runs it: what it prints, refuses, and leaves behind."""

import json
import os
import signal
from pathlib import Path

import click
import numpy as np
import psutil
import pytest

from nestline import NestlineError, load_rules
from nestline.engine.search import training
from nestline.engine.search.weights import hand_set, load_weights
from nestline.terminal.main import cli
from support.arena_driver import Run, until

LONG = ("train-eval", "gobblers", "--games", "100000", "--processes", "2")


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def test_figures_that_cannot_be_measured_are_none() -> None:
    """None of these games was won, so there is no telling how often the winner was predicted."""
    rules, plan = load_rules("tictactoe"), training.Plan(games=20, nodes=10, epochs=1)
    samples = training.quiet_positions(rules, hand_set(rules), plan, range(20))
    drawn = samples._replace(result=np.full_like(samples.result, 0.5))
    assert training.fit(rules, drawn, plan, lambda part: None).figures["right learned"] is None


def test_the_figures_are_told_and_kept(tmp_path: Path) -> None:
    run = Run("train-eval", "tictactoe", "--games", "20", "--rounds", "1", "--nodes", "10",
              "--processes", "1", "--output", "small.npz", "--json", folder=tmp_path)  # fmt: skip
    status, output, errors = run.finish()
    assert status == 0
    assert "Warning" not in errors
    told = json.loads(output, parse_constant=refuse_constant)
    assert told["file"] == "small.npz"
    assert told["loss learned"] > 0
    assert (told["rounds"], told["of games"], told["nodes a move"], told["seed"]) == (1, 20, 10, 1)
    kept = load_weights(tmp_path / "small.npz").figures
    assert kept == {name: told[name] for name in kept}


def test_nothing_to_learn_from_is_refused() -> None:
    rules, plan = load_rules("tictactoe"), training.Plan(games=20)
    nothing = training.quiet_positions(rules, hand_set(rules), plan, range(0))
    with pytest.raises(NestlineError, match="no quiet position was left to learn from"):
        training.fit(rules, nothing, plan, lambda part: None)


@pytest.mark.parametrize("output", ["missing/weights.npz", "."])
def test_an_output_that_cannot_be_written_is_refused_before_the_training(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(training, "train", lambda *_: pytest.fail("it has begun to train"))
    with pytest.raises((NestlineError, click.ClickException)) as refused:
        cli.main(["train-eval", "tictactoe", "--output", output], standalone_mode=False)
    error = refused.value
    assert output in (
        error.format_message() if isinstance(error, click.ClickException) else str(error)
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_command(how: signal.Signals, tmp_path: Path) -> None:
    run = Run(*LONG, folder=tmp_path)
    until(lambda: len(run.workers("spawn_main")) == 2)
    if how == signal.SIGINT:
        os.killpg(run.process.pid, how)  # as a terminal does: to all of them
    else:
        # They have threads once they have read what the parent sends to a new process.
        until(
            lambda: all(
                psutil.Process(each).num_threads() > 1 for each in run.workers("spawn_main")
            )
        )
        run.process.kill()
    status, output, errors = run.finish()
    assert status in (130, -signal.SIGKILL)
    assert output == ""
    assert "Traceback" not in errors
    assert how == signal.SIGKILL or "leaked" not in errors
    assert list(tmp_path.iterdir()) == []
