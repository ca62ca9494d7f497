"""What all rooms of the page share: the list of screens, positions to show, ways to get there."""

from collections.abc import Callable

from playwright.sync_api import Page

from browser.driver import Server, Visitor

OPEN = {"rules": "gobblers-official", "visibility": "open"}
HERE = {"first": {"player": "here"}, "second": {"player": "here"}}
LINE_OF_X = ("a1", "a2", "b1", "b2", "c1")
SHORT_GAME = ("1a1", "3b1", "2a2", "2c3", "3a3")
STACKS = "w1b2,x,b3/x,b1w3,x/w2,b1w2,x w"
MIDDLE = ("1b3", "2a2", "3c3", "3a3", "3a2", "3a1", "b3c2", "2c2")
DANGER = "x,w2,x/b3,b2w3,b3/w1,x2 w"
READY = "The computer is getting ready: it compiles its search, once."

Screen = Callable[[Visitor, Server], Page]
SCREENS: dict[str, Screen] = {}


def screen(function: Screen) -> Screen:
    SCREENS[function.__name__.replace("_", "-")] = function
    return function


def open_page(visitor: Visitor, address: str) -> Page:
    page = visitor.page()
    page.goto(address)
    page.locator("h1").first.wait_for(state="attached")
    return page


def same_screen(visitor: Visitor, server: Server, **options: object) -> Page:
    game, tokens, _ = server.create(seats=HERE, **options)
    return visitor.open_game(game, *set(tokens.values()))
