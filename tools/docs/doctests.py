"""An extension of griffe: examples in docstrings become code blocks."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^( *)>>> .*(?:\n\1.*\S.*)*", re.M)
"""A line with a prompt and what follows without a gap."""


class Doctests(griffe.Extension):
    """Fences every doctest of a docstring, which Markdown would take for a quotation."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
