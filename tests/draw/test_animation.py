"""Games as pictures that move by themselves."""

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nestline import Position
from nestline.draw import animated_svg
from nestline.errors import IllegalMove, NestlineError
from support.command_line import nestline

SVG = "{http://www.w3.org/2000/svg}"
MOVES = ("3b2", "3a1", "2c3")


def frames(picture: str) -> list[ElementTree.Element]:
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return [each for each in groups if each.get("class", "").endswith("frame")]


def test_every_position_is_a_frame() -> None:
    picture = animated_svg(Position.start("gobblers"), MOVES)
    assert len(frames(picture)) == 4
    # Each is shown in its turn, the last one for longer; without motion only the last one.
    style = ElementTree.fromstring(picture).findtext(f"{SVG}style") or ""
    begins = [float(each) for each in re.findall(r"}([\d.]+)%{visibility:visible}", style)]
    assert begins == pytest.approx([100 * 1.2 * index / 6.6 for index in range(4)], abs=0.01)
    still, moving = style.split("@media(prefers-reduced-motion:no-preference)")
    last = frames(picture)[-1].get("id")
    assert f"#{last}{{visibility:visible}}" in still
    assert moving.count("@keyframes") == 4


def test_frames_share_the_board_and_the_shapes() -> None:
    start = Position.start("gobblers")
    sizes = [len(animated_svg(start, MOVES[:count])) for count in range(4)]
    assert max(after - before for before, after in itertools.pairwise(sizes)) < sizes[0] / 2
    picture = animated_svg(start, MOVES)
    named = set(re.findall(r'id="([^"]+)"', picture))
    assert set(re.findall(r'href="#([^"]+)"', picture)) <= named


def test_what_cannot_be_shown_is_refused() -> None:
    start = Position.start("gobblers")
    with pytest.raises(IllegalMove):
        animated_svg(start, ("3b2", "3b2"))
    with pytest.raises(NestlineError, match="60 are allowed"):
        animated_svg(start, MOVES, seconds=0)
    with pytest.raises(NestlineError, match="pixels wide"):
        animated_svg(start, MOVES, size=1)


def test_a_long_game_is_not_taken_for_the_name_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game.svg"
    moves = " ".join(["3b2", "3a1"] + ["b2b3", "a1a2", "b3b2", "a2a1"] * 13)
    assert len(moves) > 255
    drawn = ("picture", "start", "--rules", "gobblers", "--animate", moves, "-o", str(file))
    assert nestline(*drawn).returncode == 0
    assert file.exists()


def test_the_command_line_draws_moves_and_records(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text('[Rules "gobblers"]\n\n1. 3b2 3a1 2. 2c3 *\n', "utf-8")
    file = tmp_path / "game.svg"
    by_moves = ("picture", "start", "--rules", "gobblers", "--animate", " ".join(MOVES))
    for arguments in (by_moves, ("picture", "start", "--animate", str(record))):
        assert nestline(*arguments, "-o", str(file)).returncode == 0
        assert file.read_text("utf-8") == animated_svg(Position.start("gobblers"), MOVES)
        file.unlink()
    for wrong in (
        (*by_moves,),
        (*by_moves, "-o", "game.png"),
        (*by_moves, "-o", str(file), "--targets", "b2"),
        ("picture", "start", "--animate", "3b2 3b2", "-o", str(file)),
        ("picture", "x3/x3/x3 w", "--animate", str(record), "-o", str(file)),
    ):
        assert nestline(*wrong).returncode == 2
        assert not file.exists()
