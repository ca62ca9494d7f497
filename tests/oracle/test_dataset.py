"""Datasets: exact values, every position once up to symmetry, and no leak between the splits."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from click.testing import CliRunner

from nestline import MissingExtra, NestlineError, Position, tables
from nestline.action_space import action_of
from nestline.oracle import Oracle, dataset, observe
from nestline.oracle.dataset import in_test_split, unique_positions, write_dataset
from nestline.terminal.main import cli


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    folder = tmp_path_factory.mktemp("table")
    tables.build("tictactoe", folder)
    return Oracle("tictactoe", folder)


def read(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {
        split: pyarrow.parquet.read_table(folder / f"{split}.parquet").to_pylist()
        for split in dataset.SPLITS
    }


def image_class(text: str) -> str:
    """The same text for all images of a position, and for both colours."""
    position = Position(text, "tictactoe")
    return min(str(image) for image in position.symmetries())


def test_all_positions_with_their_values(oracle: Oracle, tmp_path: Path) -> None:
    found = write_dataset(oracle, tmp_path / "data", positions=None, test=0.2)
    splits = read(tmp_path / "data")
    assert found.rows == {name: len(rows) for name, rows in splits.items()}
    rows = splits["train"] + splits["test"]
    classes = [image_class(row["position"]) for row in rows]
    assert len(set(classes)) == len(classes) == oracle.regret(oracle.policy).positions == 627
    assert 0.1 < len(splits["test"]) / len(rows) < 0.3
    values = {"win": 1, "draw": 0, "loss": -1}
    for row in rows[:60]:
        position = Position(row["position"], "tictactoe")
        assert position.words == (row["own"], row["opp"])
        probe = oracle.table.probe(position)
        assert (values[probe.value], probe.distance) == (row["value"], row["distance"])
        moves = oracle.table.moves(position)
        best = [action_of(m.move, "tictactoe") for m in moves if m[1:] == moves[0][1:]]
        assert row["best"] == sorted(best)
        told = {action_of(m.move, "tictactoe"): values[m.value] for m in moves}
        expected = [told.get(action, -2) for action in range(9)]
        assert row["action_values"] == expected
    card = (tmp_path / "data" / "README.md").read_text("utf-8")
    assert f"| `test.parquet` | {len(splits['test'])} |" in card
    assert f"| draw | {sum(row['value'] == 0 for row in rows)} |" in card


def test_the_split_does_not_depend_on_the_sample(oracle: Oracle, tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    write_dataset(oracle, few, positions=100, seed=1)
    write_dataset(oracle, many, positions=500, seed=2)
    small, large = read(few), read(many)
    assert sum(map(len, small.values())) == 100
    assert sum(map(len, large.values())) == 500
    for split, other in (("train", "test"), ("test", "train")):
        here = {image_class(row["position"]) for row in small[split]}
        there = {image_class(row["position"]) for row in large[other]}
        assert not here & there
    again = tmp_path / "again"
    write_dataset(oracle, again, positions=100, seed=1)
    assert read(again) == small


def test_the_sample_is_drawn_alike_from_all_positions(oracle: Oracle) -> None:
    everything = {tuple(pair) for pair in np.stack(unique_positions(oracle, None, 0), 1).tolist()}
    counts = dict.fromkeys(everything, 0)
    for seed in range(60):
        owns, opps = unique_positions(oracle, 200, seed)
        assert len(owns) == 200
        for pair in zip(owns.tolist(), opps.tolist(), strict=True):
            counts[pair] += 1
    found = np.array(list(counts.values()))
    assert found.mean() == pytest.approx(60 * 200 / 627)
    assert found.min() > 3, "nothing is left out"
    assert found.std() < 2 * (60 * 200 / 627) ** 0.5


def test_the_share_of_the_test_split() -> None:
    words = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, (2, 20_000))
    for share in (0.01, 0.1, 0.5):
        assert in_test_split(*words, share).mean() == pytest.approx(share, abs=0.02)
    assert not (in_test_split(*words, 0.1) & ~in_test_split(*words, 0.2)).any()


def test_the_example_of_the_card_runs(
    oracle: Oracle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_dataset(oracle, tmp_path, positions=50)
    card = (tmp_path / "README.md").read_text("utf-8")
    (code,) = (part.split("```")[0] for part in card.split("```python\n")[1:])
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(code, names)
    table = names["table"]
    owns, opps = (table[name].to_numpy() for name in ("own", "opp"))
    assert (names["planes"] == observe(owns, opps, oracle.rules)).all()
    assert names["planes"].shape == (len(table), 6, 3, 3)


def test_bad_arguments_and_folders_are_refused(oracle: Oracle, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path, tmp_path / "file"):
        with pytest.raises(NestlineError, match="into a new or empty folder"):
            write_dataset(oracle, folder)
    for options, message in (({"test": 1.0}, "between 0 and 1"), ({"positions": 0}, "at least 1")):
        with pytest.raises(NestlineError, match=message):
            write_dataset(oracle, tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name=name)
        return real(name, *rest)

    real = importlib.import_module
    monkeypatch.setattr(dataset, "import_module", refuse)
    with pytest.raises(MissingExtra, match=r"pip install 'nestline\[data\]'"):
        dataset.require_room(tmp_path)


def test_the_command(oracle: Oracle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = str(oracle.table.path.parent)
    run = CliRunner().invoke(cli, ["dataset", "tictactoe", "--tables", folder, "--positions", "90"])
    assert run.exit_code == 0, run.output
    rows = read(tmp_path / "tictactoe-dataset")
    assert f"train.parquet: {len(rows['train'])} positions" in run.stdout
    for arguments, message in (
        (["gobblet", "-o", "new"], "too large to be solved"),
        (["tictactoe"], "into a new or empty folder"),
    ):
        with pytest.raises(NestlineError, match=message):
            cli.main(["dataset", *arguments], standalone_mode=False)
    assert [path.name for path in tmp_path.iterdir()] == ["tictactoe-dataset"], (
        "a refused dataset leaves nothing"
    )
