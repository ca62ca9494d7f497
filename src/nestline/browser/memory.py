"""How the exported functions see the page's memory: arrays over addresses, a law as 26 numbers.

Nothing here allocates. The page reserves memory and passes addresses.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import get_cfarray_intrinsic

from nestline.rules.law import Law

Function = TypeVar("Function", bound=Callable[..., object])

WORD = types.int64
"""A 64-bit word; JavaScript passes a BigInt."""
NUMBER = types.int32
FRACTION = types.float64
"""Plain numbers of JavaScript."""
_pointer: Any = types.CPointer
WORDS = _pointer(types.int64)
INTS = _pointer(types.int32)
SHORTS = _pointer(types.int16)
BYTES = _pointer(types.uint8)
"""Addresses, plain numbers of JavaScript."""

LAW_WORDS = 26

array_at = cast(Any, get_cfarray_intrinsic)("C", None)
"""`array_at(address, shape)`: an array over memory. `numba.carray` would count references."""


def _beyond(typing: Any, address: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.gep(given[0], [given[1]])

    return address(address, count), generate


beyond = cast(Any, intrinsic)(_beyond)
"""`beyond(address, count)`: the address this many elements further on."""


class Export(NamedTuple):
    """A function of the module: what it takes and returns in numba's types, and its code."""

    name: str
    result: Any
    parameters: tuple[Any, ...]
    function: Callable[..., object]


EXPORTS: list[Export] = []


def export(result: Any, *parameters: Any) -> Callable[[Function], Function]:
    """Make a function one that the page can call."""

    def register(function: Function) -> Function:
        EXPORTS.append(Export(function.__name__, result, parameters, function))
        return function

    return register


def helper(function: Function) -> Function:
    """A function that exports share; inlined before typing, it may even return an array."""
    return cast(Function, cast(Any, numba.njit)(inline="always")(function))


@helper
def as_word(number: int) -> int:
    """The number as a word, so that no function is compiled for both."""
    return int(np.int64(number))


@helper
def law_at(address: Any) -> Law:
    """The law stored at an address, its fields in their order."""
    words = array_at(address, (LAW_WORDS,))
    return Law(
        words[0], words[1], words[2], (words[3], words[4], words[5], words[6]), words[7], words[8],
        words[9], words[10], words[11], words[12], words[13], words[14], words[15], words[16],
        words[17], words[18], words[19], words[20], words[21], words[22], words[23], words[24],
        words[25],
    )  # fmt: skip
