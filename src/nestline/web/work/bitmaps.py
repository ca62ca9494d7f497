"""Renders SVG pictures as PNG, each in a process of its own.

resvg holds the interpreter lock while it renders, for half a second if the picture is large. In the
process that answers requests everybody would wait for it.
"""

import subprocess
import sys

from nestline.system import lower_priority

NICENESS = 10


def render(drawing: str) -> bytes:
    """The picture as PNG."""
    done = subprocess.run(
        [sys.executable, "-m", __name__], input=drawing.encode(), stdout=subprocess.PIPE, check=True
    )
    return done.stdout


def main() -> None:
    """Render standard input to standard output."""
    import resvg_py

    lower_priority(NICENESS)
    drawing = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=drawing, skip_system_fonts=True))


if __name__ == "__main__":
    main()
