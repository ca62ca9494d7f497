"""Puzzles and lessons: solved, failed, explained, and remembered."""

import json
import re
from importlib import resources

from playwright.sync_api import Page, expect

from browser.conftest import MakeVisitor
from browser.driver import PHONE, handle, press, square, status
from browser.screens import solve
from nestline import Position

FILES = resources.files("nestline.web") / "static" / "learn" / "puzzles"
NARROW = {"width": 320, "height": 640}


def _remark(page: Page) -> str:
    return page.locator(".panel .remark").inner_text()


def test_a_puzzle_is_solved_by_its_hints_and_remembered(visitor: MakeVisitor) -> None:
    page = visitor(viewport=PHONE).page()
    page.goto("/puzzles/gobblers")
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
    expect(page.locator(".score")).to_have_text("0 of 520 solved")
    solve(page)
    expect(page.locator(".score")).to_have_text("1 of 520 solved · 1 day in a row")
    press(page, "Next puzzle")
    expect(page.get_by_role("heading", name="Puzzle 1", exact=True)).to_be_visible()
    page.reload()
    expect(page.locator(".score")).to_have_text("1 of 520 solved · 1 day in a row")
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_have_count(0)


def test_a_wrong_try_is_refuted_and_tried_again(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/puzzles/gobblers")
    expect(status(page)).to_contain_text("win in")
    puzzles = json.loads((FILES / "gobblers.json").read_text("utf-8"))["puzzles"]
    solutions = {position: line.split()[0] for position, line, _ in puzzles}
    before = page.evaluate("document.querySelector('nest-board').shown.board.text")
    position = Position(before, "gobblers")
    wrong = next(
        move
        for move in map(str, position.legal_moves())
        if move != solutions[before] and len(move) == 3
    )
    page.locator("nest-board [tabindex='0']").first.focus()
    page.keyboard.press(wrong[0])
    square(page, wrong[1:]).click()
    expect(status(page)).to_have_text("Not that one")
    press(page, "Why not?")
    expect(page.locator(".panel .remark")).to_have_text(re.compile("answers|reveals|draw"))
    press(page, "Try again")
    assert page.evaluate("document.querySelector('nest-board').shown.board.text") == before
    press(page, "Solution")
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()


def test_a_puzzle_is_solved_by_keys_and_names(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/puzzles/gobblers-official")
    expect(status(page)).to_contain_text("win in")
    while status(page).inner_text() != "Solved!":
        expect(status(page)).to_contain_text(": win")
        hint = page.get_by_role("button", name="Hint")
        hint.focus()
        page.keyboard.press("Enter")
        held = page.locator("[aria-pressed=true], [aria-selected=true]")
        name = held.get_attribute("aria-label") or ""
        page.keyboard.press("Enter")
        target = _remark(page)[-3:-1]
        page.get_by_role("gridcell", name=f"{target}:").focus()
        source = page.locator(f'[aria-label="{name.removesuffix(", held")}"]')
        source.focus()
        page.keyboard.press("Enter")
        page.get_by_role("gridcell", name=f"{target}:").focus()
        page.keyboard.press("Enter")
        expect(status(page)).not_to_have_text("Right!")
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()


def test_lessons_lead_from_the_first_visit_to_the_end(visitor: MakeVisitor) -> None:
    page = visitor(viewport=NARROW).page()
    page.goto("/")
    page.get_by_role("link", name="Learn it in three minutes").click()
    moves = ("3b2", "1c1", "2b2", "b2a1", "2c1", "b2c2", "3c2", "4a1", "b2a1")
    for number, move in enumerate(moves):
        target = move[-2:]
        if number == 4:  # what must not be done is answered, and taken back
            square(page, "b2").click()
            square(page, "b1").click()
            expect(page.locator(".panel .remark")).to_contain_text("uncovered three blue pieces")
            expect(square(page, "b2")).to_have_accessible_name("b2: Red large, on Blue medium")
        if len(move) == 4:
            square(page, move[:2]).click()
        elif number < 6:
            handle(page, f"first:{int(move[0]) - 1}").click()
        else:
            size = {"3": "medium", "4": "large"}[move[0]]
            page.locator(f'.handle.source[aria-label*="White {size}"]').first.click()
        square(page, target).click()
        expect(page.locator(".dot.done")).to_have_count(number + 1)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        if number + 1 < len(moves):
            press(page, "Next")
    expect(page.get_by_role("link", name="Play a game")).to_be_focused()
    page.goto("/")
    expect(page.locator("h1")).to_be_visible()
    expect(page.get_by_role("link", name="Learn it in three minutes")).to_have_count(0)
