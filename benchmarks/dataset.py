"""Baselines on a dataset of solved positions: python benchmarks/dataset.py gobblers-dataset.

Fits the simplest models to the training file and judges them on the test file: how often the value
is predicted, and how often the best move. Anything worth training should beat these.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet

from nestline.observations import plane_limits
from nestline.oracle import observe, one_ply_policy
from nestline.oracle.positions import legal_masks
from nestline.rules import load_rules

CLASSES = np.array([-1, 0, 1])
RIDGE = 1.0


def features(owns: np.ndarray, opps: np.ndarray, rules) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Every number of an observation, scaled to 1, and a constant."""
    planes = observe(owns, opps, rules).reshape(len(owns), len(plane_limits(rules)), -1)
    scaled = planes / np.array(plane_limits(rules))[:, None]
    return np.concatenate([scaled.reshape(len(owns), -1), np.ones((len(owns), 1))], axis=1)


def main(folder: Path, name: str) -> None:
    """Print the table of baselines."""
    rules = load_rules(name)
    data = {}
    for split in ("train", "test"):
        table = pyarrow.parquet.read_table(folder / f"{split}.parquet")
        data[split] = {column: table[column] for column in table.column_names}
    words = {
        split: tuple(columns[name].to_numpy() for name in ("own", "opp"))
        for split, columns in data.items()
    }
    values = {split: columns["value"].to_numpy() for split, columns in data.items()}
    most = CLASSES[np.argmax([(values["train"] == value).sum() for value in CLASSES])]

    seen = features(*words["train"], rules)
    targets = (values["train"][:, None] == CLASSES).astype(float)
    weights = np.linalg.solve(seen.T @ seen + RIDGE * np.eye(seen.shape[1]), seen.T @ targets)
    predicted = CLASSES[(features(*words["test"], rules) @ weights).argmax(axis=1)]

    owns, opps = words["test"]
    masks = legal_masks(owns, opps, rules)
    best = np.zeros(masks.shape, np.bool_)
    lists = data["test"]["best"].to_pylist()
    for row, actions in enumerate(lists):
        best[row, actions] = True
    ahead = one_ply_policy(rules)(observe(owns, opps, rules), masks)
    print(f"{len(values['train']):,} positions to learn from, {len(values['test']):,} to judge by")
    print(f"value: always {most:+}                   {(values['test'] == most).mean():.1%}")
    print(f"value: least squares on the planes   {(values['test'] == predicted).mean():.1%}")
    by_chance = (best / masks.sum(axis=1, keepdims=True)).sum(axis=1).mean()
    print(f"best move: a random one              {by_chance:.1%}")
    print(f"best move: looking one ply ahead     {(ahead * best).sum(axis=1).mean():.1%}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "gobblers")
