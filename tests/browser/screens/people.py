"""Games between people: invitations, offers, requests, and a connection that breaks."""

from playwright.sync_api import Page, expect

from browser.driver import Server, Visitor, open_menu, press, status
from browser.screens.common import HERE, OPEN, open_page, screen


@screen
def waiting_for_a_friend(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/")
    page.locator('input[value="link"]').check()
    press(page, "Get the link")
    expect(page.get_by_label("Invitation link")).to_be_visible()
    return page


@screen
def lessons_offered(visitor: Visitor, server: Server) -> Page:
    """To an invited friend who is new here."""
    game, _, invitations = server.create(
        rules="gobblers", seats={"first": {"player": "here"}, "second": {"player": "link"}}
    )
    page = visitor.page()
    page.goto(f"/game/{game}#join={invitations['second']}")
    expect(page.get_by_role("link", name="Learn it in three minutes")).to_be_visible()
    return page


@screen
def met_by_link(visitor: Visitor, server: Server) -> Page:
    """The name is asked for; the other player is gone, and declined a draw."""
    seats = {"first": {"player": "here"}, "second": {"player": "link", "name": "Bob"}}
    game, tokens, invitations = server.create(rules="gobblet", seats=seats)
    joined = server.post(f"/games/{game}/join", {"invitation": invitations["second"]})
    server.play(game, tokens["first"], "4b2")
    server.act(game, tokens["first"], "offer-draw")
    server.act(game, joined["tokens"]["second"], "decline-draw")
    page = visitor.open_game(game, tokens["first"])
    expect(page.locator(".news")).to_contain_text("declined the draw")
    expect(page.locator(".player").first).to_contain_text("gone")
    open_menu(page)
    return page


@screen
def draw_offered(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2")
    server.act(game, tokens["first"], "offer-draw")
    page = visitor.open_game(game, tokens["first"])
    expect(page.locator(".news").get_by_text("offers a draw")).to_be_visible()
    return page


@screen
def take_back_asked(visitor: Visitor, server: Server) -> Page:
    game, tokens, invitations = server.create(
        rules="gobblers", seats={"first": {"player": "here"}, "second": {"player": "link"}}
    )
    joined = server.post(f"/games/{game}/join", {"invitation": invitations["second"]})
    server.play(game, tokens["first"], "3b2")
    server.act(game, tokens["first"], "ask-undo")
    page = visitor.open_game(game, joined["tokens"]["second"])
    expect(page.locator(".news").get_by_text("asks to take back")).to_be_visible()
    return page


@screen
def rematch_wanted(visitor: Visitor, server: Server) -> Page:
    """The end of a game between people, as a spectator sees it."""
    game, tokens, invitations = server.create(
        rules="gobblers", seats={"first": {"player": "here"}, "second": {"player": "link"}}
    )
    server.post(f"/games/{game}/join", {"invitation": invitations["second"]})
    server.play(game, tokens["first"], "3b2")
    server.act(game, tokens["first"], "resign")
    server.act(game, tokens["first"], "rematch")
    page = visitor.open_game(game)
    expect(page.locator(".news").get_by_text("wants a rematch")).to_be_visible()
    return page


@screen
def no_such_game(visitor: Visitor, server: Server) -> Page:
    page = visitor.page()
    page.goto("/game/nothing")
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    return page


@screen
def connection_lost(visitor: Visitor, server: Server) -> Page:
    visitor.expected = ("WebSocket", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION")
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor.page()
    sockets = []
    page.route_web_socket("**/socket", lambda socket: sockets.append(socket) or _connect(sockets))
    visitor.hold(game, tokens["first"])
    page.goto(f"/game/{game}")
    expect(status(page)).to_contain_text("Red")
    sockets[0].close(code=1012)
    expect(page.get_by_text("The connection is lost")).to_be_visible()
    return page


def _connect(sockets: list) -> None:  # type: ignore[type-arg]
    """The first connection works; all later ones break."""
    if len(sockets) == 1:
        sockets[0].connect_to_server()
    else:
        sockets[-1].close(code=1012)
