"""What the copy button of a code block copies: what a reader would type, without prompts and answers.

The theme's button copies the attribute `data-copy` in place of the text, where a block has one.
"""

import re
from html import escape, unescape

BLOCK = re.compile(r'<div class="highlight">(?=<pre>(.*?)</pre>)', re.S)
PROMPTS = (">>> ", "... ")
SHELL = "$ "


def with_text_to_copy(html: str) -> str:
    """The HTML of a page whose sessions, of Python or of a shell, say what to copy."""
    return BLOCK.sub(_block, html)


def _block(found: re.Match[str]) -> str:
    typed = typed_in(unescape(re.sub(r"<[^>]*>", "", found[1])))
    return f'<div class="highlight" data-copy="{escape(typed)}">' if typed else found[0]


def typed_in(text: str) -> str:
    """What was typed in a session; empty if the text has no prompts."""
    typed: list[str] = []
    is_continued = False
    for line in text.splitlines():
        if line.startswith(PROMPTS) or line == "...":
            typed.append(line[4:])
        elif line.startswith(SHELL):
            typed.append(line.removeprefix(SHELL))
        elif is_continued:
            typed.append(line)
        else:
            continue
        is_continued = line.endswith("\\")
    return "\n".join(typed)
