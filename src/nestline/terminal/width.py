"""Text for the width of the screen, wrapped between words."""

import shutil
import sys
import textwrap

import click

WIDEST = 78
"""Longer lines are hard to read, whatever the screen has room for."""


def screen_width() -> int:
    """The length of a line of text: the width of the terminal, up to a limit."""
    # The last column stays free: some terminals wrap the line after it.
    return max(20, min(WIDEST, shutil.get_terminal_size().columns - 1))


def wrapped(text: str, room: int = 0) -> str:
    """The text with every line wrapped that does not leave `room` at its end.

    Continuation lines keep the indent of their line, so that lists stay lists.
    """
    width = screen_width() - room
    return "\n".join(_wrapped_line(line, width) for line in text.split("\n"))


def _wrapped_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(
        line.strip(), width, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def tell(text: str) -> None:
    """Print to standard output, wrapped if that is a screen; files get whole lines."""
    click.echo(wrapped(text) if sys.stdout.isatty() else text)
