"""What the server uses of the compiled code, called once so that it is compiled or loaded.

As a process of its own, `python -m nestline.web.work.compilation`, it fills the cache of compiled
code; each part that is done is a line on standard output, what people read goes to standard error.
"""

import signal
import sys
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from nestline.compiled import announced_compilation, cache_folder


def call_rules() -> None:
    """Everything that games need."""
    from nestline.game import Game

    game = Game("gobblers")
    game.play(game.legal_moves()[0])
    _ = game.position.canonical()


def call_search() -> None:
    """Everything that the computer's moves, study and the opening of tables need."""
    from nestline.engine.search.engine import Engine, Limits
    from nestline.game import Game
    from nestline.rules import load_rules
    from nestline.solve.index import build_index

    game = Game("gobblers")
    Engine("gobblers", tables=False).think(game, Limits(depth=3), variations=2)
    build_index(load_rules("tictactoe").law)


PARTS: dict[str, Callable[[], None]] = {"rules": call_rules, "search": call_search}
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

    for part, call in PARTS.items():
        with FileLock(cache_folder() / f"{part}.lock"), announced_compilation(part, say):
            call()
        print(part, flush=True)
    _mark().touch()


if __name__ == "__main__":
    main()
