"""Lessons and puzzles."""

from playwright.sync_api import Page, expect

from browser.driver import Server, Visitor, handle, press, square, status
from browser.screens.common import open_page, screen


@screen
def lesson(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/learn")
    expect(status(page)).to_have_text("Put a piece on the board")
    return page


@screen
def lesson_learned(visitor: Visitor, server: Server) -> Page:
    page = lesson(visitor, server)
    handle(page, "first:2").click()
    square(page, "b2").click()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_visible()
    return page


@screen
def puzzle(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/puzzles/gobblers")
    expect(status(page)).to_contain_text("Your turn: win in")
    return page


@screen
def puzzle_failed(visitor: Visitor, server: Server) -> Page:
    """With the refutation on the board.

    Of the first puzzle in the list: the one of the day is another every day, and some days the move
    tried here solves it.
    """
    page = open_page(visitor, "/puzzles/gobblet")
    press(page, "Skip")
    expect(page.get_by_role("heading", name="Puzzle 1", exact=True)).to_be_visible()
    page.locator(".square.source, .handle.source").first.click()
    page.locator(".square.target").last.click()
    press(page, "Why not?")
    expect(page.locator(".panel .remark")).to_contain_text("answers")
    return page


@screen
def puzzle_solved(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/puzzles/gobblers")
    solve(page)
    return page


def solve(page: Page) -> None:
    """Solve the puzzle on the page, by its hints."""
    while status(page).inner_text() != "Solved!":
        expect(status(page)).to_contain_text(": win")
        press(page, "Hint")
        held = page.locator(".spot.held")
        expect(held).to_have_count(1)
        place = held.get_attribute("data-square") or held.get_attribute("data-handle")
        press(page, "Hint")
        expect(page.locator(".panel .remark")).to_contain_text("It goes to")
        target = page.locator(".panel .remark").inner_text()[-3:-1]
        page.locator(f'[data-square="{place}"], [data-handle="{place}"]').click()
        square(page, target).click()
        expect(status(page)).not_to_have_text("Right!")
