"""Names at the top of a package that are loaded on first use.

So a program that wants one of them waits neither for the others nor, before it is needed, for the
compiler; and only those who use an extra need to have it installed.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], modules: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package.

    `homes` maps modules to the names in each, separated by blanks; `modules` are modules of the
    package that are loaded like names. Type checkers cannot see this: for them the package imports
    the same names under TYPE_CHECKING.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name in home_of:
            return getattr(import_module(home_of[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        return sorted({*vars(import_module(package)), *home_of, *modules})

    return find, list_names
