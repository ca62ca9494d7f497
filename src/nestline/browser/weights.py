"""The learned weights as the page loads them, in 16-bit numbers: tempo, pieces, lines, a zero,
and the network if there is one."""

from collections.abc import Iterator

import numpy as np

from nestline.engine.search.weights import LEARNED, load_weights


def learned_families() -> Iterator[str]:
    return (path.stem for path in LEARNED.glob("*.npz"))


def weights_file(family: str) -> bytes:
    weights = load_weights(LEARNED / f"{family}.npz")
    numbers = [np.array([weights.tempo]), weights.pieces.ravel(), weights.lines.ravel()]
    numbers.append(np.zeros(1))
    if len(weights.net.out):
        numbers += [part.ravel() for part in weights.net]
    return np.concatenate(numbers).astype("<i2").tobytes()
