"""Keys that nobody asked for: not shown while the computer thinks, and thrown away afterwards."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def ignored_keys() -> Iterator[None]:
        """Throw away what is typed in the meantime; standard input has to be a console."""
        try:
            yield
        finally:
            while msvcrt.kbhit():
                msvcrt.getwch()

else:
    import termios

    LOCAL_MODES = 3

    @contextmanager
    def ignored_keys() -> Iterator[None]:
        """Throw away what is typed in the meantime; standard input has to be a terminal."""
        usual = termios.tcgetattr(sys.stdin)
        silent = termios.tcgetattr(sys.stdin)
        silent[LOCAL_MODES] &= ~termios.ECHO
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, silent)
        try:
            yield
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, usual)
