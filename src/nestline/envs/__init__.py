"""Environments for reinforcement learning: many games at once, Gymnasium, PettingZoo, OpenSpiel.

    from nestline.envs import Batch, nestline_v1

The names below are loaded on first use. Importing `nestline.envs.gymnasium`, `nestline_v1` (for
PettingZoo) or `openspiel` from here registers the game with that library.
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.envs.batch import Batch
    from nestline.envs.batch_base import Step, Tally
    from nestline.envs.batch_cuda import CudaBatch
    from nestline.envs.gymnasium import NestlineEnv, NestlineVectorEnv
    from nestline.envs.stepping import END_REASONS
    from nestline.envs.tree_arrays import Found
    from nestline.envs.tree_search import TreeSearch
    from nestline.envs.tree_search_cuda import CudaTreeSearch

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
        "nestline.envs.batch_base": "Step Tally",
        "nestline.envs.batch_cuda": "CudaBatch",
        "nestline.envs.gymnasium": "NestlineEnv NestlineVectorEnv",
        "nestline.envs.stepping": "END_REASONS",
        "nestline.envs.tree_arrays": "Found",
        "nestline.envs.tree_search": "TreeSearch",
        "nestline.envs.tree_search_cuda": "CudaTreeSearch",
    },
)
