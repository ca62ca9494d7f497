"""Proofs of forced wins: a search that is never wrong about them, and claims nothing else.

from nestline.engine.prove import Prover, prove
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.engine.prove.check import check_leaves
    from nestline.engine.prove.parallel import ParallelProver
    from nestline.engine.prove.prover import Proof, Prover, prove

__all__ = [
    "ParallelProver",
    "Proof",
    "Prover",
    "check_leaves",
    "prove",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.engine.prove.check": "check_leaves",
        "nestline.engine.prove.parallel": "ParallelProver",
        "nestline.engine.prove.prover": "Proof Prover prove",
    },
)
