"""What the source documents ask of a game, offered and refused on the page."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from browser.conftest import MakeVisitor
from browser.driver import (
    TIMEOUT,
    Server,
    handle,
    let_play,
    more_choices,
    press,
    setup_of,
    square,
    status,
)
from browser.screens import HERE, LINE_OF_X, READY

COMPUTER = {"player": "computer", "level": "random"}


def choices(page: Page, label: str) -> list[str]:
    press(page, label)
    found = page.get_by_role("dialog").locator("label").all_inner_texts()
    press(page, "Close")
    return found


def test_a_person_against_the_computer_has_x_and_begins(visitor: MakeVisitor) -> None:
    """002: "Player is always X", "AI is always O", "Player makes first move"."""
    page = visitor().page()
    page.goto("/")
    more_choices(page)
    expect(page.get_by_label("You play")).to_be_visible()
    page.locator('input[value="tictactoe"]').check()
    expect(page.get_by_label("You play")).to_be_hidden()
    expect(page.get_by_text("you play X and begin")).to_be_visible()
    page.locator('input[value="link"]').check()
    expect(page.get_by_label("You play")).to_be_visible()
    page.get_by_label("You play").select_option("second")
    page.locator('input[value="computer"]').check()
    press(page, "Play")
    expect(status(page)).to_have_text("Your turn")
    expect(page.locator(".player").filter(has_text="X")).to_be_visible()
    person, computer = setup_of(page)["seats"]
    assert person["level"] is None
    assert computer["level"] is not None


def test_no_seat_is_offered_that_the_rules_refuse(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="tictactoe", seats=HERE)
    page = visitor().open_game(game, tokens["first"])
    expect(page.get_by_role("button", name="Change who plays O")).to_be_visible()
    expect(page.get_by_role("button", name="Change who plays X")).to_be_hidden()
    let_play(page, "O", "random")
    expect(page.get_by_role("button", name="Change who plays X")).to_be_visible()
    let_play(page, "X", "random")
    expect(page.get_by_role("button", name="New game")).to_be_visible()


def test_two_computers_hand_back_x_first(visitor: MakeVisitor, server: Server) -> None:
    """The computer thinks long enough for the lists to be read."""
    seats = {"first": {"player": "here"}, "second": COMPUTER}
    game, tokens, _ = server.create(rules="tictactoe", seats=seats)
    each = visitor()
    each.hold(game, tokens["first"])
    page = each.page()

    def connect(socket: WebSocketRoute) -> None:
        upstream = socket.connect_to_server()

        def forward(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "game":
                seats = message["game"]["seats"]
                seats["first"] |= {"player": "computer", "level": "random"}
            socket.send(json.dumps(message))

        upstream.on_message(forward)

    page.route_web_socket("**/socket", connect)
    page.goto(f"/game/{game}")
    expect(page.get_by_role("button", name="Change who plays X")).to_be_visible()
    assert "A person" in choices(page, "Change who plays X")
    assert "A person" not in choices(page, "Change who plays O")


def test_playing_on_from_a_study_leaves_x_to_the_person(
    visitor: MakeVisitor, server: Server
) -> None:
    page = visitor().page()
    page.goto("/study?rules=tictactoe&moves=1b2")
    press(page, "Play on")
    page.get_by_role("dialog").get_by_label("Against").select_option("random")
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".player").filter(has_text="X")).to_be_visible()
    expect(status(page)).to_have_text("Your turn")


def test_in_the_editor_marks_tell_whose_turn_it_is(visitor: MakeVisitor) -> None:
    """002: "Enforce X always goes first"."""
    page = visitor().page()
    page.goto("/study?rules=gobblers")
    press(page, "Edit")
    expect(page.get_by_role("group", name="To move")).to_be_visible()
    page.goto("/study?rules=tictactoe")
    press(page, "Edit")
    expect(page.get_by_role("group", name="To move")).to_be_hidden()
    text = page.get_by_label("Position as text")
    square(page, "b2").click()
    expect(square(page, "b2")).to_have_accessible_name("b2: X")
    expect(text).to_have_value("x3/x,w1,x/x3 b")
    page.get_by_label("O", exact=True).check()
    square(page, "a1").click()
    expect(text).to_have_value("x3/x,w1,x/b1,x2 w")


def test_taking_back_frees_no_touched_piece(visitor: MakeVisitor, server: Server) -> None:
    """003: "Once you touch a gobblet that is on the board, you must play it"."""
    seats = {"first": {"player": "here"}, "second": COMPUTER}
    game, tokens, _ = server.create(rules="gobblet", seats=seats)
    page = visitor().open_game(game, tokens["first"])
    handle(page, "first:0").click()
    square(page, "b2").click()
    expect(page.locator('[data-ply="2"]')).to_be_visible()
    expect(page.get_by_role("button", name="Take back")).not_to_have_attribute(
        "aria-disabled", "true"
    )
    # Wherever the computer went, b2 shows the largest piece.
    square(page, "b2").click()
    expect(page.locator(".remark").first).to_contain_text("b2 has been touched and must be played")
    expect(page.get_by_role("button", name="Take back")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Take back").click(force=True)
    assert server.get(f"/games/{game}")["touched"] == "b2"


def test_between_people_a_touch_can_be_asked_back(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, invitations = server.create(
        rules="gobblet", seats={"first": {"player": "here"}, "second": {"player": "link"}}
    )
    joined = server.post(f"/games/{game}/join", {"invitation": invitations["second"]})
    server.play(game, tokens["first"], "4b2")
    server.play(game, joined["tokens"]["second"], "4c3")
    server.act(game, tokens["first"], "touch", square="b2")
    page = visitor().open_game(game, tokens["first"])
    expect(page.locator(".remark").first).to_contain_text("b2 has been touched and must be played")
    press(page, "Ask to take\u00a0back")
    other = visitor().open_game(game, joined["tokens"]["second"])
    press(other, "Allow")
    expect(page.locator(".remark").first).not_to_contain_text("touched")
    assert server.get(f"/games/{game}")["touched"] is None


@pytest.mark.parametrize(("rules", "is_final"), [("tictactoe", True), ("gobblers", False)])
def test_what_a_finished_game_offers(
    rules: str, is_final: bool, visitor: MakeVisitor, server: Server
) -> None:
    """002: "Game must be explicitly reset to play again"."""
    game, tokens, _ = server.create(rules=rules, seats=HERE)
    moves = LINE_OF_X if rules == "tictactoe" else ("3a1", "3a3", "3b1", "3b3", "2c1")
    server.play(game, tokens["first"], *moves)
    page = visitor().open_game(game, tokens["first"])
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.get_by_role("button", name="New game")).to_be_visible()
    expect(page.get_by_role("button", name="Take back")).to_be_visible(visible=not is_final)
    page.locator('[data-ply="2"]').click()
    expect(page.get_by_role("button", name="To the end")).to_be_visible()
    expect(page.get_by_role("button", name="Play from here")).to_be_visible(visible=not is_final)


def test_the_memory_rule_holds_unless_somebody_chooses_otherwise(visitor: MakeVisitor) -> None:
    """001: players lift their own pieces to see covered ones; 000, the default, hides nothing."""
    person = visitor()
    # A choice that an earlier version stored without being asked to.
    person.run_first(
        "localStorage.getItem('nestline.choice') ?? localStorage.setItem('nestline.choice', "
        "JSON.stringify({ visibility: 'open' }))"
    )
    page = person.page()

    def visibility() -> Any:
        expect(status(page)).to_have_text("Your turn")
        return setup_of(page)["visibility"]

    page.goto("/")
    expect(page.locator('input[value="gobblers"]')).to_be_checked()
    press(page, "Play")
    assert visibility() == "open"
    page.goto("/")
    page.locator('input[value="gobblers-official"]').check()
    expect(page.get_by_label("Covered pieces")).to_have_value("peek")
    press(page, "Play")
    assert visibility() == "peek"
    expect(page.get_by_role("button", name="Look under")).to_be_visible()
    page.goto("/")
    more_choices(page)
    page.get_by_label("Covered pieces").select_option("Always shown")
    press(page, "Play")
    assert visibility() == "open"
    page.goto("/")
    expect(page.get_by_label("Covered pieces")).to_have_value("open")
    page.locator('input[value="gobblers"]').check()
    page.locator('input[value="gobblers-official"]').check()
    expect(page.get_by_label("Covered pieces")).to_have_value("open")


def test_whoever_presses_play_too_early_is_told_what_is_going_on(visitor: MakeVisitor) -> None:
    early = visitor()
    early.expected = ("503",)
    page = early.page()
    refused: list[str] = []
    is_ready = False

    def answer(route: Route) -> None:
        if is_ready:
            return route.continue_()
        refused.append(route.request.url)
        error = {"code": "getting-ready", "message": READY}
        return route.fulfill(status=503, json={"error": error})

    page.route("**/api/v1/games", answer)
    page.goto("/")
    page.locator('input[value="link"]').check()
    press(page, "Get the link")
    for _ in range(TIMEOUT // 20):
        if len(refused) == 2:
            break
        page.wait_for_timeout(20)
    assert len(refused) >= 2
    expect(page.get_by_text(READY)).to_be_visible()
    is_ready = True
    expect(status(page)).to_have_text("Waiting for your friend")
    expect(page.get_by_text(READY)).to_be_hidden()


def test_while_the_search_is_compiled_the_game_says_so(
    visitor: MakeVisitor, server: Server
) -> None:
    seats = {"first": {"player": "here"}, "second": COMPUTER}
    game, tokens, _ = server.create(rules="gobblers", seats=seats)
    each = visitor()
    each.hold(game, tokens["first"])
    page = each.page()

    def connect(socket: WebSocketRoute) -> None:
        """What a server that is not ready sends; here it never becomes ready."""
        upstream = socket.connect_to_server()
        waits: list[bool] = []

        def forward(text: str | bytes) -> None:
            message = json.loads(text)
            if waits:
                return
            if message["type"] == "game" and message["game"]["thinking"]:
                waits.append(True)
                message["game"]["thinking"]["remark"] = READY
            socket.send(json.dumps(message))

        upstream.on_message(forward)

    page.route_web_socket("**/socket", connect)
    page.goto(f"/game/{game}")
    handle(page, "first:2").click()
    square(page, "b2").click()
    expect(page.locator(".headline .remark")).to_have_text(READY)
    expect(status(page)).to_have_text("Waiting for the computer…")
