"""An NVIDIA GPU as the rest of the package uses it: arrays, copies, kernel launches.

Everything goes through numba-cuda, or through numba's simulator (NUMBA_ENABLE_CUDASIM=1), which
runs kernels in tests without a GPU: there arrays stay on the host, and so do the tuples of arrays
that kernels pass to compiled functions. What the kernels do is up to their modules.
"""

from importlib import import_module
from typing import Any, cast

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
"""Threads per block in the simulator, where each is a real thread of the system."""


def device_function(function: Any) -> Any:
    """Compile a function that only kernels call, with what only a GPU has."""
    return function if cuda is None else cuda.jit(device=True)(function)


def kernel_with_barriers(function: Any, registers: int) -> Any:
    """Compile a kernel whose blocks wait for each other, with at most so many registers a thread.

    All its blocks have to fit on the GPU at once.
    """
    is_simulated = bool(cast(Any, numba.config).ENABLE_CUDASIM)
    return cuda.jit(function) if is_simulated else cuda.jit(max_registers=registers)(function)


class Gpu:
    """The GPU of this machine; `refusal` is raised with a sentence if there is none."""

    def __init__(self, what: str, refusal: type[NestlineError], threads: int = 256) -> None:
        if cuda is None or not cuda.is_available():
            raise refusal(
                f"{what} needs an NVIDIA GPU, its driver and numba-cuda "
                "(pip install nestline[cuda]); none is usable here"
            )
        config: Any = numba.config
        # Small launches are intended: the last entries of a list, a few games.
        config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
        self.is_simulated = bool(config.ENABLE_CUDASIM)
        self.threads = SIMULATED_THREADS if self.is_simulated else threads
        self.stream: Any = 0

    def array(self, shape: int | tuple[int, ...], kind: Any) -> Any:
        """A new array on the device; its content is undefined."""
        return np.zeros(shape, kind) if self.is_simulated else cuda.device_array(shape, kind)

    def copy_to(self, values: Any) -> Any:
        """An array in host memory, copied to the device."""
        return values.copy() if self.is_simulated else cuda.to_device(values)

    def copy_back(self, values: Any) -> Any:
        """An array on the device, copied to host memory."""
        return values if self.is_simulated else values.copy_to_host()

    def use_stream(self, address: int | None) -> None:
        """Launch kernels on a CUDA stream, given as the number that other libraries tell."""
        if not self.is_simulated:
            self.stream = 0 if address is None else cuda.external_stream(address)

    def launch(self, kernel: Any, length: int, *arguments: Any, most_blocks: int = 0) -> None:
        """Run a kernel with one thread for each of this many items."""
        blocks = (length + self.threads - 1) // self.threads
        if blocks:
            kernel[min(blocks, most_blocks or blocks), self.threads, self.stream](*arguments)

    def launch_blocks(self, kernel: Any, blocks: int, threads: int, *arguments: Any) -> None:
        """Run a kernel with a block of threads for each of this many items."""
        kernel[blocks, threads, self.stream](*arguments)
