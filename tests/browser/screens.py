"""Every screen of the page, by name: how a visitor gets there.

The accessibility test visits them all, and so does `make screenshots`.
"""

from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

from browser.driver import (
    Server,
    Visitor,
    choose_level,
    handle,
    more_choices,
    open_menu,
    press,
    square,
    status,
)  # fmt: skip

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


def _open(visitor: Visitor, address: str) -> Page:
    page = visitor.page()
    page.goto(address)
    page.locator("h1").first.wait_for(state="attached")
    return page


def _same_screen(visitor: Visitor, server: Server, **options: object) -> Page:
    game, tokens, _ = server.create(seats=HERE, **options)
    return visitor.open_game(game, *set(tokens.values()))


@screen
def start(visitor: Visitor, server: Server) -> Page:
    return _open(visitor, "/")


@screen
def start_by_link(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/")
    page.locator('input[value="gobblet"]').check()
    page.locator('input[value="link"]').check()
    return page


@screen
def start_tictactoe(visitor: Visitor, server: Server) -> Page:
    """The rules say who begins."""
    page = _open(visitor, "/")
    page.locator('input[value="tictactoe"]').check()
    expect(page.get_by_text("you play X and begin")).to_be_visible()
    return page


@screen
def start_official(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/")
    page.locator('input[value="gobblers-official"]').check()
    more_choices(page)
    expect(page.get_by_label("Covered pieces")).to_have_value("peek")
    return page


@screen
def start_at_full_strength(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/")
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
def game_begins(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/")
    press(page, "Play")
    expect(status(page)).to_have_text("Your turn")
    return page


@screen
def piece_held(visitor: Visitor, server: Server) -> Page:
    page = _same_screen(visitor, server, **OPEN, position=STACKS)
    square(page, "b2").click()
    expect(square(page, "b2")).to_have_attribute("aria-selected", "true")
    return page


@screen
def danger(visitor: Visitor, server: Server) -> Page:
    page = _same_screen(visitor, server, **OPEN, position=DANGER)
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
def draw_offered(visitor: Visitor, server: Server) -> Page:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2")
    server.act(game, tokens["first"], "offer-draw")
    page = visitor.open_game(game, tokens["first"])
    expect(page.locator(".news").get_by_text("offers a draw")).to_be_visible()
    return page


@screen
def waiting_for_a_friend(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/")
    page.locator('input[value="link"]').check()
    press(page, "Get the link")
    expect(page.get_by_label("Invitation link")).to_be_visible()
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
def hint(visitor: Visitor, server: Server) -> Page:
    """With everything that the panel can show besides."""
    page = _same_screen(visitor, server, **OPEN, position=STACKS)
    press(page, "Hint", "Where to?", "Why?")
    expect(page.locator(".item.hint")).to_contain_text("It completes")
    open_menu(page)
    return page


@screen
def who_plays(visitor: Visitor, server: Server) -> Page:
    page = _same_screen(visitor, server, **OPEN)
    press(page, "Change who plays Blue")
    expect(page.get_by_role("dialog")).to_be_visible()
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
def inside_a_stack(visitor: Visitor, server: Server) -> Page:
    page = _same_screen(visitor, server, **OPEN, position=STACKS)
    square(page, "b2").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".inside")).to_be_visible()
    return page


@screen
def embedded(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, f"/embed?rules=gobblers-official&moves={'+'.join(SHORT_GAME)}")
    expect(page.locator(".words")).to_contain_text("Red wins")
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
    page = _same_screen(visitor, server, **OPEN)
    press(page, "Resign")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def sharing(visitor: Visitor, server: Server) -> Page:
    page = _same_screen(visitor, server, **OPEN, position=STACKS)
    press(page, "Share")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def settings(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/")
    press(page, "Settings")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def studying_a_game(visitor: Visitor, server: Server) -> Page:
    page = _same_screen(visitor, server, **OPEN, position=STACKS)
    press(page, "Study")
    expect(page.locator(".value")).to_contain_text("in")
    return page


@screen
def study(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, f"/study?rules=gobblers-official&moves={'+'.join(MIDDLE)}")
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
    page = _open(visitor, "/study?rules=gobblet&moves=4b2+4c3")
    expect(page.locator(".study .remark")).to_contain_text("depth")
    expect(page.locator(".group.open")).to_be_visible()
    return page


@screen
def openings(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/study?rules=gobblet&moves=4a1")
    expect(page.locator(".openings tbody tr")).to_have_count(9)
    expect(page.locator(".study .remark")).to_contain_text("depth")
    return page


@screen
def editor(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/study?rules=gobblers-official")
    press(page, "Edit")
    square(page, "b2").click()
    page.get_by_label("Blue small", exact=True).check()
    square(page, "a1").click()
    expect(square(page, "a1")).to_have_attribute("aria-label", "a1: Blue small")
    return page


@screen
def editor_of_marks(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/study?rules=tictactoe")
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


@screen
def rules(visitor: Visitor, server: Server) -> Page:
    return _open(visitor, "/rules")


@screen
def rules_of_a_game(visitor: Visitor, server: Server) -> Page:
    return _open(visitor, "/rules/gobblers-official")


@screen
def help(visitor: Visitor, server: Server) -> Page:  # noqa: A001
    return _open(visitor, "/help")


@screen
def about(visitor: Visitor, server: Server) -> Page:
    return _open(visitor, "/about")


@screen
def no_such_game(visitor: Visitor, server: Server) -> Page:
    page = visitor.page()
    page.goto("/game/nothing")
    expect(page.get_by_role("heading", name="That did not work")).to_be_visible()
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


@screen
def gobblet_held(visitor: Visitor, server: Server) -> Page:
    page = _same_screen(visitor, server, rules="gobblet-house")
    handle(page, "first:1").click()
    expect(handle(page, "first:1")).to_have_attribute("aria-pressed", "true")
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
def branches(visitor: Visitor, server: Server) -> Page:
    """With a preview and a mistyped move."""
    page = _open(visitor, "/study?rules=gobblers-official&moves=3b2")
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
    page = _open(visitor, "/study?rules=gobblers-official")
    press(page, "Paste")
    page.get_by_label("Position or record").fill("rubbish")
    press(page, "Open")
    expect(page.locator("dialog .problem")).not_to_be_empty()
    return page


@screen
def playing_on(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/study?rules=gobblers-official")
    press(page, "Play on")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@screen
def puzzle(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/puzzles/gobblers")
    expect(status(page)).to_contain_text("Your turn: win in")
    return page


@screen
def puzzle_failed(visitor: Visitor, server: Server) -> Page:
    """With the refutation on the board."""
    page = _open(visitor, "/puzzles/gobblet")
    expect(status(page)).to_contain_text("Your turn: win in")
    page.locator(".square.source, .handle.source").first.click()
    page.locator(".square.target").last.click()
    press(page, "Why not?")
    expect(page.locator(".panel .remark")).to_contain_text("answers")
    return page


@screen
def puzzle_solved(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/puzzles/gobblers")
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


@screen
def lesson(visitor: Visitor, server: Server) -> Page:
    page = _open(visitor, "/learn")
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
def workshop(visitor: Visitor, server: Server) -> Page:
    """A game from the atlas."""
    page = _open(visitor, "/workshop?rules=gobblers.title-Tiny.stock-1-1-1")
    expect(page.locator(".verdict")).to_contain_text("Solved")
    return page


@screen
def workshop_refused(visitor: Visitor, server: Server) -> Page:
    """Rules that contradict each other, in parts that are folded, too."""
    page = _open(visitor, "/workshop?rules=gobblet.moving-no.stock-3-3-2")
    expect(page.locator(".game-title")).to_have_text("This cannot be played")
    return page
