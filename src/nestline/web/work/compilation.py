"""What the server uses of the compiled code, in the order in which it is got ready.

As a process of its own, `python -m nestline.web.work.compilation`, it fills the cache of compiled
code; each part that is done is a line on standard output, what people read goes to standard error.
"""

import signal
import sys
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from nestline.compiled import cache_folder
from nestline.engine.warm_up import Say, warm_up_rules, warm_up_search


def _warm_up_study(say: Say) -> None:
    """The search, and the opening of tablebases; what looks positions up comes with the tables."""
    from nestline.rules import load_rules
    from nestline.solve.index import build_index

    warm_up_search(say)
    build_index(load_rules("tictactoe").law)


PARTS: dict[str, Callable[[Say], None]] = {"rules": warm_up_rules, "search": _warm_up_study}
"""What is got ready, in this order."""


def is_cached() -> bool:
    """Whether everything has been compiled on this machine before."""
    return _mark().exists()


def _mark() -> Path:
    return cache_folder() / "server.done"


def main() -> None:
    """Compile every part; other processes that want the same wait, and find it done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The server ends this process when it ends.

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    for part, warm_up in PARTS.items():
        with FileLock(cache_folder() / f"{part}.lock"):
            warm_up(say)
        print(part, flush=True)
    _mark().touch()


if __name__ == "__main__":
    main()
