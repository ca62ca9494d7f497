"""Puzzles and lessons: solved, failed, explained, and remembered."""

import datetime
import json
import re
from importlib import resources
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import MakeVisitor
from browser.driver import NARROW, PHONE, Server, handle, press, square, status
from browser.screens import solve
from nestline import Position, tables

FILES = resources.files("nestline.web") / "static" / "learn" / "puzzles"
DAY = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


def _remark(page: Page) -> str:
    return page.locator(".panel .remark").inner_text()


def test_a_puzzle_is_solved_by_its_hints_and_remembered(visitor: MakeVisitor) -> None:
    page = visitor(viewport=PHONE, fresh=True).page()
    page.clock.set_fixed_time(DAY)  # Or a new day might begin meanwhile.
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


def test_a_puzzle_promises_no_more_than_is_known(visitor: MakeVisitor) -> None:
    """On the large board another move may win later, which its refutation says."""
    page = visitor().page()
    page.goto("/puzzles/gobblers")
    expect(page.locator(".panel .remark")).to_have_text(re.compile("Only one move wins.$"))
    page.goto("/puzzles/gobblet")
    expect(page.locator(".panel .remark")).to_have_text(re.compile("Only one move wins so soon.$"))


MOVE_AND_GIVE_UP = """move => {
  const board = document.querySelector("nest-board");
  board.dispatchEvent(new CustomEvent("nest-move", { detail: { move }, bubbles: true }));
  [...document.querySelectorAll("button")].find((each) => each.textContent === "Solution").click();
  return board.shown.lastMove;
}"""


def test_a_wrong_try_is_refuted_and_tried_again(
    visitor: MakeVisitor, standard_tables: Path
) -> None:
    page = visitor().page()
    page.goto("/puzzles/gobblers")
    expect(status(page)).to_contain_text("win in")
    puzzles = json.loads((FILES / "gobblers.json").read_text("utf-8"))["puzzles"]
    lines = {position: line.split() for position, line, _ in puzzles}
    before = page.evaluate("document.querySelector('nest-board').shown.board.text")
    position = Position(before, "gobblers")
    wrong = next(
        move
        for move in map(str, position.legal_moves())
        if move != lines[before][0] and len(move) == 3 and not position.play(move).outcome()
    )
    page.locator("nest-board [tabindex='0']").first.focus()
    page.keyboard.press(wrong[0])
    square(page, wrong[1:]).click()
    expect(status(page)).to_have_text("Not that one")
    press(page, "Why not?")
    expect(page.locator(".panel .remark")).to_have_text(re.compile("P[12] answers"))
    with tables.open("gobblers", standard_tables) as table:
        answers = {str(each.move): each[1:] for each in table.moves(position.play(wrong))}
    reply, effect = re.findall(r"answers (\w+) and (\w+)", _remark(page))[0]
    best = next(iter(answers.values()))
    assert answers[reply] == best
    assert effect == {"win": "wins", "draw": "keeps", "loss": "holds"}[best[0]]
    press(page, "Try again")
    assert page.evaluate("document.querySelector('nest-board').shown.board.text") == before
    # The solution begins with the reply that the other side owes.
    line = lines[before]
    assert page.evaluate(MOVE_AND_GIVE_UP, line[0]) == line[1]
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    # To see a solution is not to find it; and the next puzzle is another one.
    press(page, "Next puzzle")
    expect(page.locator(".score")).to_have_text("0 of 520 solved")
    assert page.evaluate("document.querySelector('nest-board').shown.board.text") != before


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


LESSONS = ("3b2", "1c1", "2b2", "b2a1", "2c1", "b2c2", "3c2", "4a1", "b2a1")
"""A move that solves each of them."""


def test_lessons_lead_from_the_first_visit_to_the_first_win(
    visitor: MakeVisitor, standard_tables: Path
) -> None:
    page = visitor(viewport=NARROW).page()
    page.goto("/")
    page.get_by_role("link", name="Learn it in three minutes").click()
    for number, move in enumerate(LESSONS):
        if number == 4:  # what must not be done is answered, and taken back
            square(page, "b2").click()
            square(page, "b1").click()
            expect(page.locator(".panel .remark")).to_contain_text("uncovered three blue pieces")
            press(page, "Show me")
            expect(square(page, "b2")).to_have_accessible_name("b2: Red large, on Blue medium")
            expect(page.locator("nest-board .arrow")).to_have_count(1)
        if len(move) == 4:
            square(page, move[:2]).click()
        elif number < 6:
            handle(page, f"first:{int(move[0]) - 1}").click()
        else:
            size = {"3": "medium", "4": "large"}[move[0]]
            page.locator(f'.handle.source[aria-label*="White {size}"]').first.click()
        square(page, move[-2:]).click()
        expect(page.locator(".dot.done")).to_have_count(number + 1)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        if number + 1 < len(LESSONS):
            expect(page.get_by_role("button", name="Next", exact=True)).to_be_in_viewport(
                ratio=0.95
            )
            press(page, "Next")
            expect(page.locator("nest-board")).to_be_in_viewport(ratio=0.95)
    expect(page.get_by_role("link", name="Play a game")).to_be_focused()
    page.get_by_role("link", name="Play a game").click()
    expect(page.get_by_role("link", name="Learn it in three minutes")).to_have_count(0)
    page.get_by_label("Strength").fill("0")
    # What is covered is shown, as in the lessons.
    expect(page.locator(".summary")).to_contain_text("against the computer, First steps")
    expect(page.locator(".summary")).to_contain_text("covered pieces shown")
    press(page, "Play")
    _win(page, standard_tables)


AND_ANSWERED = """text => {
  const now = document.querySelector('nest-board').shown.board.text;
  const status = document.querySelector('.status').textContent;
  return now !== text && now.endsWith(' w') || status === 'You win!';
}"""


def _win(page: Page, folder: Path) -> None:
    """Play by the tablebase, which knows how the first player wins."""
    with tables.open("gobblers", folder) as table:
        while True:
            expect(status(page)).to_have_text(re.compile("Your turn|You win!"))
            if status(page).inner_text() == "You win!":
                return
            text = page.evaluate("document.querySelector('nest-board').shown.board.text")
            move = str(table.moves(Position(text, "gobblers"))[0].move)
            if len(move) == 4:
                square(page, move[:2]).click()
            else:
                page.locator("nest-board [tabindex='0']").first.focus()
                page.keyboard.press(move[0])
            square(page, move[-2:]).click()
            page.wait_for_function(AND_ANSWERED, arg=text)


def test_somebody_comes_back_on_another_day(visitor: MakeVisitor) -> None:
    """The game goes on, the puzzle is another one, and the days in a row count."""
    person = visitor(fresh=True)
    page = person.page()
    page.clock.set_fixed_time(DAY)
    page.goto("/")
    page.locator('input[value="gobblet"]').check()
    press(page, "Play")
    handle(page, "first:0").click()
    square(page, "b2").click()
    expect(page.locator('[data-ply="2"]')).to_be_visible()
    seen = set()
    for later, score in ((0, "1 day"), (1, "2 days"), (3, "1 day")):
        page.close()
        page = person.page()
        page.clock.set_fixed_time(DAY + datetime.timedelta(days=later))
        page.goto("/")
        expect(page.locator('input[value="gobblet"]')).to_be_checked()
        expect(page.locator(".own-game")).to_contain_text("Your turn")
        page.get_by_role("link", name="Puzzle of the day").click()
        expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
        seen.add(page.evaluate("document.querySelector('nest-board').shown.board.text"))
        solve(page)
        expect(page.locator(".score")).to_contain_text(f"· {score} in a row")
    assert len(seen) == 3
    page.goto("/")
    page.locator(".own-game a").first.click()
    expect(square(page, "b2")).to_have_accessible_name("b2: White large")
    expect(status(page)).to_have_text("Your turn")


def test_an_invited_friend_learns_and_comes_back(visitor: MakeVisitor, server: Server) -> None:
    seats = {"first": {"player": "here"}, "second": {"player": "link"}}
    game, _, invitations = server.create(rules="gobblet", seats=seats)
    friend = visitor(viewport=NARROW).page()
    friend.goto(f"/game/{game}#join={invitations['second']}")
    friend.get_by_role("link", name="Learn it in three minutes").click()
    expect(status(friend)).to_have_text("Put a piece on the board")
    handle(friend, "first:2").click()
    square(friend, "b2").click()
    expect(friend.locator(".dot.done")).to_have_count(1)
    friend.get_by_role("link", name="Back to your game").click()
    expect(friend.locator("nest-board [role=grid]")).to_be_visible()
    expect(friend.get_by_role("link", name="Learn it in three minutes")).to_have_count(0)


def test_rules_of_the_large_board_lead_to_its_lessons(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/rules/gobblet")
    page.get_by_role("link", name="Learn by playing").click()
    expect(status(page)).to_have_text("Gobblet: nested stacks")


def test_all_lessons_by_keys_and_names(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/learn")
    sizes = {"1": "small", "2": "medium", "3": "large"}
    for number, move in enumerate(LESSONS):
        if number in (6, 7):  # the top of a stack, by its size in a game of four sizes
            name = {"3": "White medium", "4": "White large"}[move[0]]
            page.get_by_role("button", name=re.compile(f"{name}")).first.focus()
        elif len(move) == 3:
            page.get_by_role("button", name=re.compile(f"^Red {sizes[move[0]]}")).first.focus()
        else:
            page.get_by_role("gridcell", name=f"{move[:2]}: ").focus()
        page.keyboard.press("Enter")
        page.get_by_role("gridcell", name=f"{move[-2:]}: ").focus()
        page.keyboard.press("Enter")
        if number + 1 < len(LESSONS):
            expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
            title = page.get_by_role("heading", level=2).inner_text()
            page.keyboard.press("Enter")
            expect(page.get_by_role("heading", name=title)).to_have_count(0)
            expect(page.get_by_role("heading", level=2)).to_be_focused()
    expect(page.get_by_role("link", name="Play a game")).to_be_focused()
