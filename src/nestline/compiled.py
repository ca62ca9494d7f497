"""The decorators for every compiled function of the package.

numba's own cache checks only the file of a function, not the functions it calls. Ours is in a
folder named after a hash of all compiled sources, so an edit anywhere starts a fresh cache. Nothing
here knows about games.
"""

import atexit
import hashlib
import importlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.np.linalg
from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., object])

_USES_A_DECORATOR = re.compile(
    rb"^from nestline\.compiled import .*\b(compiled|inlined|rare|recursive)", re.M
)

DAYS_KEPT = 30

RARE: set[str] = set()
"""The functions that `rare` has decorated, as `module.name`."""


def _load_numba_without_scipy() -> None:
    """Import the part of numba that would import SciPy if it is installed: a third of a second.

    numba only asks whether there is a BLAS, for the speed of convolutions. A function that needs
    one still finds it.
    """

    def no_blas() -> None:
        raise ImportError

    linear_algebra = cast(Any, numba.np.linalg)
    ensure_blas = linear_algebra.ensure_blas
    linear_algebra.ensure_blas = no_blas
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linear_algebra.ensure_blas = ensure_blas


if "scipy.linalg" not in sys.modules:
    _load_numba_without_scipy()


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: below NUMBA_CACHE_DIR if set, else the user's cache folder.

    Another copy of the package has another folder, since numba finds code by its source's path.
    """
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {package}".encode())
    for source in sorted(package.rglob("*.py")):
        content = source.read_bytes()
        if _USES_A_DECORATOR.search(content) or source.name in ("compiled.py", "law.py"):
            digest.update(content)
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(chosen) if chosen else user_cache_path("nestline")
    folder = parent / f"compiled-{digest.hexdigest()[:16]}"
    try:
        if not folder.exists():
            _prune(parent)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        # A read-only home: recompile in each process rather than fail.
        temporary = tempfile.mkdtemp(prefix="nestline-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        return Path(temporary)


def _prune(parent: Path) -> None:
    """Remove the caches of versions that have not been used for a while."""
    for old in parent.glob("compiled-*"):
        if time.time() - old.stat().st_mtime > DAYS_KEPT * 86_400:
            shutil.rmtree(old, ignore_errors=True)


def compiled(function: Function) -> Function:
    """Compile with numba on first call, without the GIL, cached in `cache_folder()`."""
    return _cached(function)


def inlined(function: Function) -> Function:
    """`compiled` and inlined into its callers, without numba's reference counting.

    Ordinary compiled code updates the reference count of each array at every call, which can cost
    several times the work itself and makes threads contend. Without reference counts no array can
    be allocated inside, as on a GPU; callers pass them in. For functions that take large named
    tuples: passing the tuple in a real call would cost more than the work.
    """
    return _cached(function, _nrt=False, forceinline=True)


def rare(function: Function) -> Function:
    """`compiled` and never inlined, for what is seldom needed.

    numba inlines whatever an inlined function calls, too, which would repeat such code everywhere.
    """
    RARE.add(f"{function.__module__}.{function.__name__}")
    return _cached(function, _nrt=False, forceinline=False)


def recursive(function: Function) -> Function:
    """`inlined` for a recursive function, which cannot be inlined."""
    return _cached(function, _nrt=False)


def _cached(function: Function, **options: bool) -> Function:
    settings, njit = cast(Any, numba.config), cast(Any, numba.njit)
    previous = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder())
    try:
        # C code never calls our functions: without a second wrapper they compile sooner.
        options["no_cfunc_wrapper"] = True
        return cast(Function, njit(cache=True, nogil=True, **options)(function))
    finally:
        settings.CACHE_DIR = previous


@contextmanager
def announced_compilation(what: str, say: Callable[[str], None]) -> Iterator[None]:
    """Announce the wait when `what` is compiled for the first time on this machine.

    Make the first call of the compiled function inside. It leaves a marker beside the cache, so
    that later runs say nothing.
    """
    mark = cache_folder() / f"{what.replace(' ', '-')}.done"
    if mark.exists():
        yield
        return
    say(f"Compiling the {what} for this computer, once; it takes some seconds …")
    began = time.perf_counter()
    yield
    say(f"… done in {time.perf_counter() - began:.1f} s.")
    mark.touch()
