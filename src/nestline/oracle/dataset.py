"""Positions with exact values as Parquet files, for training and comparing on the same data.

    write_dataset(Oracle("gobblers"), "gobblers-data", positions=1_000_000)

Each position appears once up to symmetry and colour, and a hash of it decides whether it belongs to
the training or the test file: so no image of a test position is in the training file, whatever the
size and the seed of the sample. Their card, which `dataset_card` writes, says what the files
contain. Needs the extra `data`.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline.errors import NestlineError, missing_extra
from nestline.oracle.dataset_card import card
from nestline.oracle.oracle import Oracle
from nestline.oracle.positions import Words
from nestline.oracle.values import NO_DISTANCE
from nestline.position import Position
from nestline.solve.retrograde import Progress

SPLITS = ("train", "test")
ROWS_AT_ONCE = 50_000
FINDING_SHARE = 0.5
"""The share of finding positions in the time that a dataset takes; for progress bars."""


@dataclass(frozen=True)
class Dataset:
    """What has been written, and where."""

    folder: Path
    rows: dict[str, int]
    """The number of positions in each split."""


def unique_positions(oracle: Oracle, count: int | None, seed: int) -> tuple[Words, Words]:
    """Different reachable positions in which the game goes on, in random order; all for None."""
    space = oracle.reachable()
    there = int(np.bitwise_count(space.bits).sum(dtype=np.int64))
    chance = np.random.default_rng(seed)
    if count is None or 2 * count > there:
        parts = [(owns, opps) for owns, opps, _ in space.positions()]
        owns, opps = (np.concatenate(words) for words in zip(*parts, strict=True))
        order = chance.permutation(len(owns))[:count]
        return owns[order], opps[order]
    drawn = np.empty((0, 2), np.int64)
    while len(drawn) < count:
        more = max(2, 2 * (count - len(drawn)))
        draws = space.positions(more, int(chance.integers(2**31)))
        parts = [(owns, opps) for owns, opps, _ in draws]
        new = np.concatenate([np.stack(words, axis=1) for words in parts])
        drawn = np.unique(np.concatenate([drawn, new]), axis=0)
    owns, opps = drawn[chance.permutation(len(drawn))[:count]].T
    return np.ascontiguousarray(owns), np.ascontiguousarray(opps)


def in_test_split(owns: Words, opps: Words, share: float) -> NDArray[np.bool_]:
    """Which positions belong to the test split: a hash of the words decides."""
    number = owns.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + opps.view(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = (number ^ number >> np.uint64(shift)) * np.uint64(factor)
    number ^= number >> np.uint64(31)
    return (number >> np.uint64(11)) < share * 2.0**53


def write_dataset(
    oracle: Oracle, folder: "str | os.PathLike[str]", *, positions: int | None = 1_000_000,
    test: float = 0.1, seed: int = 0, progress: Progress | None = None,
) -> Dataset:  # fmt: skip
    """Write `train.parquet`, `test.parquet` and a card, `README.md`, into a new folder.

    `positions` is how many, None for all of them; `test` the share of the test split.
    """
    pyarrow, parquet = load_pyarrow()
    if not 0 < test < 1:
        raise NestlineError(f"the share of the test split is between 0 and 1, not {test!r}")
    if positions is not None and positions < 1:
        raise NestlineError(f"a dataset has at least 1 position, not {positions!r}")
    place = require_room(folder)
    place.mkdir(parents=True, exist_ok=True)
    advance = progress or (lambda _part: None)
    oracle.reachable(lambda part: advance(FINDING_SHARE * part))
    owns, opps = unique_positions(oracle, positions, seed)
    is_test = in_test_split(owns, opps, test)
    schema = _schema(pyarrow, oracle.actions)
    rows: dict[str, int] = {}
    counts: Counter[tuple[int, int]] = Counter()
    done = 0
    for split, marked in zip(SPLITS, (~is_test, is_test), strict=True):
        rows[split] = int(marked.sum())
        with parquet.ParquetWriter(place / f"{split}.parquet", schema, compression="zstd") as file:
            for some_owns, some_opps in _chunks(owns[marked], opps[marked]):
                table, values, distances = _table(pyarrow, schema, oracle, some_owns, some_opps)
                file.write_table(table)
                counts.update(zip(values.tolist(), distances.tolist(), strict=True))
                done += len(some_owns)
                advance(FINDING_SHARE + (1 - FINDING_SHARE) * done / len(owns))
    text = card(oracle.rules, oracle.actions, rows, counts, test=test, seed=seed)
    (place / "README.md").write_text(text, "utf-8")
    return Dataset(place, rows)


def require_room(folder: "str | os.PathLike[str]") -> Path:
    """Refuse a folder with files in it, and a missing package, before any work is done."""
    load_pyarrow()
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise NestlineError(f"{place}: a dataset is written into a new or empty folder")
    return place


def load_pyarrow() -> tuple[Any, Any]:
    """`pyarrow` and `pyarrow.parquet`; an error names the extra that provides them."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise missing_extra("a dataset", "data", error) from None


def _chunks(owns: Words, opps: Words) -> Iterator[tuple[Words, Words]]:
    for first in range(0, len(owns), ROWS_AT_ONCE):
        some = slice(first, first + ROWS_AT_ONCE)
        yield owns[some], opps[some]


def _schema(pyarrow: Any, actions: int) -> Any:
    return pyarrow.schema([
        ("position", pyarrow.string()),
        ("own", pyarrow.int64()),
        ("opp", pyarrow.int64()),
        ("value", pyarrow.int8()),
        ("distance", pyarrow.int16()),
        ("best", pyarrow.list_(pyarrow.int16())),
        ("action_values", pyarrow.list_(pyarrow.int8(), actions)),
    ])  # fmt: skip


def _table(
    pyarrow: Any, schema: Any, oracle: Oracle, owns: Words, opps: Words
) -> tuple[Any, NDArray[np.int8], NDArray[np.int16]]:
    values, distances = oracle.values(owns, opps)
    actions = oracle.action_values(owns, opps)
    best = actions.best
    numbers = best.nonzero()[1]
    offsets = np.concatenate([[0], np.cumsum(best.sum(axis=1))]).astype(np.int32)
    lists = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(numbers.astype(np.int16)))
    pairs = zip(owns.tolist(), opps.tolist(), strict=True)
    flat = pyarrow.array(actions.values.reshape(-1))
    columns = [
        [str(Position.from_movers_words(own, opp, oracle.rules)) for own, opp in pairs],
        owns,
        opps,
        values,
        pyarrow.array(distances, mask=distances == NO_DISTANCE),
        lists,
        pyarrow.FixedSizeListArray.from_arrays(flat, oracle.actions),
    ]
    arrays = [
        pyarrow.array(column, field.type) if isinstance(column, (list, np.ndarray)) else column
        for column, field in zip(columns, schema, strict=True)
    ]
    return pyarrow.Table.from_arrays(arrays, schema=schema), values, distances
