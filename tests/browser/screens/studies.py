"""Studies of games and positions, the editor, the review."""

from playwright.sync_api import Page, expect

from browser.driver import Server, Visitor, press, square
from browser.screens.common import (
    HERE,
    MIDDLE,
    OPEN,
    SHORT_GAME,
    STACKS,
    open_page,
    same_screen,
    screen,
)


@screen
def studying_a_game(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, **OPEN, position=STACKS)
    press(page, "Study")
    expect(page.locator(".value")).to_contain_text("in")
    return page


@screen
def study(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, f"/study?rules=gobblers-official&moves={'+'.join(MIDDLE)}")
    expect(page.locator(".value")).to_have_text("Red wins in 7 moves.")
    return page


@screen
def study_held(visitor: Visitor, server: Server) -> Page:
    page = study(visitor, server)
    square(page, "c3").click()
    expect(page.locator("svg .tint").first).to_be_attached()
    return page


@screen
def study_by_the_engine(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/study?rules=gobblet&moves=4b2+4c3")
    expect(page.locator(".study .remark")).to_contain_text("depth")
    expect(page.locator(".group.open")).to_be_visible()
    return page


@screen
def openings(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/study?rules=gobblet&moves=4a1")
    expect(page.locator(".openings tbody tr")).to_have_count(9)
    expect(page.locator(".study .remark")).to_contain_text("depth")
    return page


@screen
def branches(visitor: Visitor, server: Server) -> Page:
    """With a preview and a mistyped move."""
    page = open_page(visitor, "/study?rules=gobblers-official&moves=3b2")
    press(page, "Back")
    page.locator('.chip[data-move="1b2"]').click()
    expect(page.locator('.move[data-ply="1"]')).to_contain_text("1b2")
    press(page, "Back")
    field = page.get_by_label("Type a move")
    field.fill("z9")
    field.press("Enter")
    expect(page.locator(".typed .problem")).not_to_be_empty()
    page.locator('.chip[data-move="3a1"]').hover()
    expect(page.locator(".ghost")).to_be_attached()
    return page


@screen
def pasting(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/study?rules=gobblers-official")
    press(page, "Paste")
    page.get_by_label("Position or record").fill("rubbish")
    press(page, "Open")
    expect(page.locator("dialog .problem")).not_to_be_empty()
    return page


@screen
def playing_on(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/study?rules=gobblers-official")
    press(page, "Play on")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def editor(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/study?rules=gobblers-official")
    press(page, "Edit")
    square(page, "b2").click()
    page.get_by_label("Blue small", exact=True).check()
    square(page, "a1").click()
    expect(square(page, "a1")).to_have_attribute("aria-label", "a1: Blue small")
    return page


@screen
def editor_of_marks(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/study?rules=tictactoe")
    press(page, "Edit")
    square(page, "b2").click()
    expect(page.get_by_label("Position as text")).to_have_value("x3/x,w1,x/x3 b")
    return page


@screen
def review(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    page = visitor.open_game(game, tokens["first"])
    press(page, "Review")
    page.locator(".point.weight-2").first.click()
    expect(page.locator(".detail")).to_contain_text("Best was")
    return page
