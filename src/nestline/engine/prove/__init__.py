"""Proofs of forced wins: a search that is never wrong about them, and claims nothing else.

from nestline.engine.prove import Prover, prove
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.engine.prove.prover import Proof, Prover, prove

__all__ = [
    "Proof",
    "Prover",
    "prove",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.engine.prove.prover": "Proof Prover prove",
    },
)
