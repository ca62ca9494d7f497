"""Environments for reinforcement learning: many games at once, Gymnasium, PettingZoo, OpenSpiel.

    from nestline.envs import Batch, nestline_v1

The names below are loaded on first use. Importing `nestline.envs.gymnasium`, `nestline_v1` (for
PettingZoo) or `openspiel` from here registers the game with that library.
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.envs.batch import Batch
    from nestline.envs.batch.base import Step, Tally
    from nestline.envs.batch.cuda import CudaBatch
    from nestline.envs.batch.stepping import END_REASONS
    from nestline.envs.gymnasium import NestlineEnv, NestlineVectorEnv
    from nestline.envs.tree.arrays import Found
    from nestline.envs.tree.cuda import CudaTreeSearch
    from nestline.envs.tree.search import TreeSearch

__all__ = [
    "END_REASONS",
    "Batch",
    "CudaBatch",
    "CudaTreeSearch",
    "Found",
    "NestlineEnv",
    "NestlineVectorEnv",
    "Step",
    "Tally",
    "TreeSearch",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.envs.batch": "Batch",
        "nestline.envs.batch.base": "Step Tally",
        "nestline.envs.batch.cuda": "CudaBatch",
        "nestline.envs.gymnasium": "NestlineEnv NestlineVectorEnv",
        "nestline.envs.batch.stepping": "END_REASONS",
        "nestline.envs.tree.arrays": "Found",
        "nestline.envs.tree.search": "TreeSearch",
        "nestline.envs.tree.cuda": "CudaTreeSearch",
    },
)
