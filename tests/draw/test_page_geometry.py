"""The board of the page has the same dimensions as the pictures.

The numbers come from one place (`tools/page_sources.py`); the positions of the tray places are
computed from them in Python and in JavaScript, and compared here.
"""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nestline import Position, load_rules
from nestline.draw import svg
from nestline.rules import RuleSet, read_rules

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv" / "bin" / "node"
GEOMETRY = ROOT / "src" / "nestline" / "web" / "static" / "board" / "geometry.js"
SCRIPT = """
const [file, text] = process.argv.slice(1);
const { Geometry } = await import(file);
const { width, height, spots } = new Geometry(JSON.parse(text));
console.log(JSON.stringify({ width, height, spots: Object.fromEntries(spots) }));
"""
CROWDED = 'like = "gobblers"\ntitle = "Crowded"\nboard = 4\nline = 4\nstock = [2, 12, 5]\n'
PLACE = re.compile(
    r'<g transform="translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)">'
    r'<circle cx="([\d.]+)"'
)


def places_of_the_page(rules: RuleSet) -> Any:
    facts = {
        "board": rules.board,
        "squares": list(rules.square_names),
        "stock": list(rules.stock),
        "reserve": rules.reserve,
    }
    command = [NODE, "--input-type=module", "--eval", SCRIPT, str(GEOMETRY), json.dumps(facts)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)


@pytest.mark.skipif(not NODE.exists(), reason="there is no node here; `make setup` brings it")
@pytest.mark.parametrize(
    "rules",
    [
        *map(load_rules, ("tictactoe", "gobblers", "gobblet", "gobblet-house")),
        read_rules(CROWDED, "crowded"),
    ],
    ids=lambda rules: rules.title,
)
def test_trays_are_the_same_on_the_page_and_in_pictures(rules: RuleSet) -> None:
    page = places_of_the_page(rules)
    picture = svg(Position.start(rules))
    assert f'viewBox="0 0 {page["width"]} {page["height"]}"' in picture
    drawn = [tuple(map(float, place)) for place in PLACE.findall(picture)]
    expected = [
        [page["spots"][name] for name in page["spots"] if name.startswith(seat)]
        for seat in ("second", "first")
    ]
    assert len(drawn) == len(expected[0]) + len(expected[1])
    for (x, y, scale, centre), spot in zip(drawn, expected[0] + expected[1], strict=True):
        assert x + centre * scale == pytest.approx(spot["x"], abs=0.6)
        assert y == pytest.approx(spot["y"], abs=0.01)
        assert scale == pytest.approx(spot["scale"], abs=0.01)
