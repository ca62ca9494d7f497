"""Games on this screen, against the computer or with somebody beside it."""

from playwright.sync_api import Page, WebSocketRoute, expect

from browser.driver import Server, Visitor, handle, open_menu, press, square, status
from browser.screens.common import (
    DANGER,
    HERE,
    LINE_OF_X,
    OPEN,
    SHORT_GAME,
    STACKS,
    open_page,
    same_screen,
    screen,
)


@screen
def game_begins(visitor: Visitor, server: Server) -> Page:
    page = open_page(visitor, "/")
    press(page, "Play")
    expect(status(page)).to_have_text("Your turn")
    return page


@screen
def piece_held(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, **OPEN, position=STACKS)
    square(page, "b2").click()
    expect(square(page, "b2")).to_have_attribute("aria-selected", "true")
    return page


@screen
def danger(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, **OPEN, position=DANGER)
    square(page, "b2").click()
    expect(page.locator(".danger").first).to_be_attached()
    return page


@screen
def game_won(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    page = visitor.open_game(game, tokens["first"])
    expect(status(page)).to_contain_text("Red wins")
    return page


@screen
def tictactoe(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(rules="tictactoe", seats=HERE)
    server.play(game, tokens["first"], "b2", "a1", "c1", "a3")
    return visitor.open_game(game, tokens["first"])


@screen
def tictactoe_won(visitor: Visitor, server: Server) -> Page:
    """The end is final: nothing can be taken back."""
    game, tokens, _ = server.create(rules="tictactoe", seats=HERE)
    server.play(game, tokens["first"], *LINE_OF_X)
    page = visitor.open_game(game, tokens["first"])
    expect(status(page)).to_contain_text("X wins")
    return page


@screen
def gobblet_touched(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2", "4c3", "3a1", "3d1", "4c2", "4b4")
    page = visitor.open_game(game, tokens["first"])
    square(page, "b2").click()
    expect(page.locator(".remark").first).to_contain_text("touched")
    return page


@screen
def gobblet_held(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, rules="gobblet-house")
    handle(page, "first:1").click()
    expect(handle(page, "first:1")).to_have_attribute("aria-pressed", "true")
    return page


@screen
def inside_a_stack(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, **OPEN, position=STACKS)
    square(page, "b2").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".inside")).to_be_visible()
    return page


@screen
def hint(visitor: Visitor, server: Server) -> Page:
    """With everything that the panel can show besides."""
    page = same_screen(visitor, server, **OPEN, position=STACKS)
    press(page, "Hint", "Where to?", "Why?")
    expect(page.locator(".item.hint")).to_contain_text("It completes")
    open_menu(page)
    return page


@screen
def who_plays(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, **OPEN)
    press(page, "Change who plays Blue")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def memory(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(rules="gobblers-official", seats=HERE, visibility="memory")
    server.play(game, tokens["first"], "1a1", "3a1", "2b2", "3b2")
    return visitor.open_game(game, tokens["first"])


@screen
def peeking(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(rules="gobblers-official", seats=HERE, visibility="peek")
    server.play(game, tokens["first"], "1a1", "2b2", "3b2", "3a1")
    page = visitor.open_game(game, tokens["first"])
    square(page, "b2").click()
    press(page, "Look under")
    expect(square(page, "b2")).to_have_attribute("aria-label", "b2: Red large, on Blue medium")
    return page


@screen
def looking_back(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME[:4])
    page = visitor.open_game(game, tokens["first"])
    page.locator('[data-ply="2"]').click()
    expect(status(page)).to_have_text("After 2 of 4 moves")
    return page


@screen
def resigning(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, **OPEN)
    press(page, "Resign")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def sharing(visitor: Visitor, server: Server) -> Page:
    page = same_screen(visitor, server, **OPEN, position=STACKS)
    press(page, "Share")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def computer_thinks(visitor: Visitor, server: Server) -> Page:
    seats = {"first": {"player": "here"}, "second": {"player": "computer", "level": "maximum-1"}}
    game, tokens, _ = server.create(rules="gobblet", seats=seats)
    visitor.hold(game, tokens["first"])
    page = visitor.page()
    thoughts: list[str] = []

    def connect(socket: WebSocketRoute) -> None:
        """Nothing more is received once the computer thinks, so that this screen stays."""
        upstream = socket.connect_to_server()

        def forward(text: str | bytes) -> None:
            if not thoughts:
                socket.send(text)
            if '"thinking":{' in str(text):
                thoughts.append(str(text))

        upstream.on_message(forward)

    page.route_web_socket("**/socket", connect)
    page.goto(f"/game/{game}")
    handle(page, "first:0").click()
    square(page, "b2").click()
    expect(status(page)).to_contain_text("is thinking")
    expect(page.locator(".thinking:visible")).to_have_count(1)
    expect(page.get_by_role("progressbar", name="Time to think")).to_be_visible()
    return page


@screen
def level_offered(visitor: Visitor, server: Server) -> Page:
    """After three losses in a row."""
    visitor.run_first(
        """localStorage.setItem("nestline.series", JSON.stringify(
            {gobblers: {level: "3", count: -2, game: "earlier"}}))"""
    )
    page = game_begins(visitor, server)
    press(page, "Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("button", name="Play Learner (2)")).to_be_visible()
    return page
