"""The code blocks of a page of the documentation, and what the comment above each says of it."""

import re
from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    """A code block; `mark` is the comment in the line above it, or empty.

    `<!-- excerpt: REASON -->` says why a block is not run,
    `<!-- run by TEST -->` which test runs it.
    """

    mark: str
    language: str
    text: str

    @property
    def excerpt(self) -> bool:
        return self.mark.startswith("excerpt: ")

    @property
    def session(self) -> bool:
        """Whether it runs as a doctest."""
        return self.language == "python" and self.text.startswith(">>> ")


def code_blocks(page: Path) -> list[Block]:
    pattern = r"^(?: *<!-- ([^\n]+) -->\n)?( *)```(\w*)\n(.*?)^\2```$"
    found = re.findall(pattern, page.read_text("utf-8"), re.M | re.S)
    return [Block(mark, language, text) for mark, _, language, text in found]
