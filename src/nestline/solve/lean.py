"""The decorator of the solver's inner functions: `compiled`, without counting references.

They take an `Index`, a bundle of arrays. Ordinary compiled code counts the users of each array at
every call, which costs several times the work itself here and makes threads wait for each other.
Without that, arrays cannot be made inside, as on a GPU; callers bring them.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from nestline.compiled import cache_folder

Function = TypeVar("Function", bound=Callable[..., object])


def lean(function: Function) -> Function:
    """Compile with numba on first call, without the GIL and without reference counts, cached."""
    # Calls are inlined, or passing the bundle on would cost more than the work again.
    options: dict[str, Any] = {"nogil": True, "_nrt": False, "forceinline": True}
    config: Any = numba.config
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = previous
