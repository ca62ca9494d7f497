"""The start page, and what it says before a game begins."""

from playwright.sync_api import Page, expect

from browser.driver import Server, Visitor, choose_level, more_choices, press
from browser.screens.common import HERE, OPEN, READY, SHORT_GAME, open_page, screen
from browser.screens.games import game_begins


@screen
def start(visitor: Visitor, server: Server) -> Page:
    return open_page(visitor, "/")


@screen
def start_by_link(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/")
    page.locator('input[value="gobblet"]').check()
    page.locator('input[value="link"]').check()
    return page


@screen
def start_tictactoe(visitor: Visitor, server: Server) -> Page:
    """The rules say who begins."""
    page = open_page(visitor, "/")
    page.locator('input[value="tictactoe"]').check()
    expect(page.get_by_text("you play X and begin")).to_be_visible()
    return page


@screen
def start_official(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/")
    page.locator('input[value="gobblers-official"]').check()
    more_choices(page)
    expect(page.get_by_label("Covered pieces")).to_have_value("peek")
    return page


@screen
def start_at_full_strength(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/")
    page.locator('input[value="gobblet"]').check()
    choose_level(page, "maximum-1")
    expect(page.get_by_role("radio", name="5 s", exact=True)).to_be_checked()
    return page


@screen
def your_games(visitor: Visitor, server: Server) -> Page:
    """One that runs and one that is over by link, and one in this browser."""
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    waiting, others, _ = server.create(
        rules="gobblet", seats={"first": {"player": "here"}, "second": {"player": "link"}}
    )
    visitor.hold(game, tokens["first"])
    visitor.hold(waiting, others["first"])
    page = game_begins(visitor, server)
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator(".own-game")).to_have_count(3)
    expect(page.locator(".own-game .own-state").first).to_have_text("Your turn")
    return page


@screen
def getting_ready(visitor: Visitor, server: Server) -> Page:
    """What the server answers while it compiles, after its first start on a machine."""
    visitor.expected = ("503",)
    page = visitor.page()
    error = {"code": "getting-ready", "message": READY}
    page.route("**/api/v1/games", lambda route: route.fulfill(status=503, json={"error": error}))
    page.goto("/")
    page.locator('input[value="link"]').check()
    press(page, "Get the link")
    expect(page.get_by_text(READY)).to_be_visible()
    return page


@screen
def settings(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/")
    press(page, "Settings")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page
