"""An NVIDIA graphics card as the rest of the package uses it: arrays, copies, launches.

Everything goes through numba-cuda, or through numba's simulator (NUMBA_ENABLE_CUDASIM=1), which
runs kernels in tests without a card: there arrays stay ordinary ones, and so the bundles of them
that kernels hand on to compiled functions. What the kernels do is left to their modules.
"""

from importlib import import_module
from typing import Any

import numba
import numpy as np

from nestline.errors import NestlineError

if not hasattr(np, "row_stack"):
    # numba-cuda still looks for this name, which NumPy has dropped.
    vars(np)["row_stack"] = np.vstack

try:
    cuda: Any = import_module("numba.cuda")
except ImportError:  # numba without its CUDA part
    cuda = None

SIMULATED_THREADS = 4
"""Threads of a block in the simulator, where each is a real one of the system."""


class Gpu:
    """The graphics card of this machine; `refusal` is raised with a sentence if there is none."""

    def __init__(self, what: str, refusal: type[NestlineError], threads: int = 256) -> None:
        if cuda is None or not cuda.is_available():
            raise refusal(
                f"{what} needs an NVIDIA graphics card, its driver and numba-cuda "
                "(pip install nestline[cuda]); none is usable here"
            )
        config: Any = numba.config
        # Small launches are meant: the last entries of a list, a few games.
        config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
        self.is_simulated = bool(config.ENABLE_CUDASIM)
        self.threads = SIMULATED_THREADS if self.is_simulated else threads

    def array(self, shape: int | tuple[int, ...], kind: Any) -> Any:
        """A new array on the card; what is in it is left open."""
        return np.zeros(shape, kind) if self.is_simulated else cuda.device_array(shape, kind)

    def copy_to(self, values: Any) -> Any:
        """An array of this machine's memory, copied to the card."""
        return values.copy() if self.is_simulated else cuda.to_device(values)

    def copy_back(self, values: Any) -> Any:
        """An array of the card, copied to this machine's memory."""
        return values if self.is_simulated else values.copy_to_host()

    def launch(self, kernel: Any, length: int, *arguments: Any, most_blocks: int = 0) -> None:
        """Run a kernel with a thread for each of so many items."""
        blocks = (length + self.threads - 1) // self.threads
        if blocks:
            kernel[min(blocks, most_blocks or blocks), self.threads](*arguments)
