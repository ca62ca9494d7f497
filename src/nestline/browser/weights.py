"""The learned weights as the page loads them: tempo, pieces, lines, as 16-bit numbers."""

from collections.abc import Iterator

import numpy as np

from nestline.engine.search.weights import LEARNED, load_weights


def learned_families() -> Iterator[str]:
    return (path.stem for path in LEARNED.glob("*.npz"))


def weights_file(family: str) -> bytes:
    weights = load_weights(LEARNED / f"{family}.npz")
    numbers = [np.array([weights.tempo]), weights.pieces.ravel(), weights.lines.ravel()]
    return np.concatenate(numbers).astype("<i2").tobytes()
