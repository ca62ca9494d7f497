"""The page as browsers get it: the same program as its sources, without what only people read."""

import re
from pathlib import Path

import pytest

import nestline.web
from nestline.web.page import read_page, without_comments
from support.node import answer_of

TOKENS = Path(__file__).with_name("tokens.mjs")
STATIC = Path(nestline.web.__file__).parent / "static"


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("// why\nplay();\n", "play();\n"),
        ("play(); // now\n", "play(); // now\n"),
        ("  /** @type {Move} */\n  let move;\n", "let move;\n"),
        ("/** a\n * b */\nplay();\n", "play();\n"),
        ("/** @type {A} */ (value).play(); /* 1 */\nx();\n/* 2 */\n",
         "/** @type {A} */ (value).play(); /* 1 */\nx();\n"),
        ("a /\n/* b */ c;\n", "a /\n/* b */ c;\n"),
    ],
)  # fmt: skip
def test_what_only_people_read_is_left_out(source: str, left: str) -> None:
    assert without_comments(source.encode()).decode() == left


def test_the_modules_do_the_same_without_their_comments() -> None:
    files = read_page().files
    served = {name: files[name].decode() for name in files if name.endswith((".js", ".css"))}
    modules = [name for name in served if name.endswith(".js")]
    sources = [(STATIC / name).read_text("utf-8") for name in modules]
    before, after = (
        answer_of(TOKENS, texts, flags=["--expose-internals"])
        for texts in (sources, [served[name] for name in modules])
    )
    assert before == after
    assert sum(map(len, before)) > 100_000
    for name in (name for name in served if name.endswith(".css")):
        source = (STATIC / name).read_text("utf-8")
        bare = [
            re.sub(r"/\*.*?\*/|\s", "", each, flags=re.DOTALL) for each in (source, served[name])
        ]
        assert bare[0] == bare[1]
