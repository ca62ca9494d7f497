"""What is read: rules, help, the small view in other pages, the workshop."""

from playwright.sync_api import Page, expect

from browser.driver import Server, Visitor
from browser.screens.common import SHORT_GAME, open_page, screen


@screen
def rules(visitor: Visitor, server: Server) -> Page:
    return open_page(visitor, "/rules")


@screen
def rules_of_a_game(visitor: Visitor, server: Server) -> Page:
    return open_page(visitor, "/rules/gobblers-official")


@screen
def help(visitor: Visitor, server: Server) -> Page:  # noqa: A001
    return open_page(visitor, "/help")


@screen
def about(visitor: Visitor, server: Server) -> Page:
    return open_page(visitor, "/about")


@screen
def embedded(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, f"/embed?rules=gobblers-official&moves={'+'.join(SHORT_GAME)}")
    expect(page.locator(".words")).to_contain_text("Red wins")
    return page


@screen
def workshop(visitor: Visitor, server: Server) -> Page:
    """A game from the atlas."""
    page = open_page(visitor, "/workshop?rules=gobblers.title-Tiny.stock-1-1-1")
    expect(page.locator(".verdict")).to_contain_text("Solved")
    return page


@screen
def workshop_refused(visitor: Visitor, server: Server) -> Page:
    """Rules that contradict each other, in parts that are folded, too."""
    page = open_page(visitor, "/workshop?rules=gobblet.moving-no.stock-3-3-2")
    expect(page.locator(".game-title")).to_have_text("This cannot be played")
    return page
