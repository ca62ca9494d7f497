"""What surrounds a game: take-backs, stepping through the moves, the computer's seats, sharing."""

import re
import sqlite3
from contextlib import closing

from playwright.sync_api import WebSocketRoute, expect

from browser.conftest import MakeVisitor
from browser.driver import (
    DESKTOP,
    PHONE,
    Server,
    handle,
    let_play,
    more_choices,
    press,
    setup_of,
    square,
    status,
)
from browser.screens import HERE, OPEN, SHORT_GAME
from support.attacks import RULES, long_record


def test_take_back_and_redo(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], "3b2", "3a1")
    page = visitor().open_game(game, tokens["first"])
    press(page, "Take back", "Take back")
    expect(page.locator(".moves li")).to_have_count(1)
    expect(page.get_by_role("button", name="Take back")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("button", name="Take back")).to_be_focused()
    press(page, "Redo")
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large")


def test_against_the_computer_both_moves_are_taken_back(
    visitor: MakeVisitor, server: Server
) -> None:
    seats = {"first": {"player": "here"}, "second": {"player": "computer", "level": "random"}}
    game, tokens, _ = server.create(**OPEN, seats=seats)
    page = visitor().open_game(game, tokens["first"])
    handle(page, "first:2").click()
    square(page, "b2").click()
    expect(page.locator(".moves li")).to_have_count(3)
    press(page, "Take back")
    expect(page.locator(".moves li")).to_have_count(1)
    expect(status(page)).to_have_text("Your turn")


def test_the_moves_are_walked_through_with_keys(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME[:4])
    page = visitor().open_game(game, tokens["first"])
    last = page.locator('[data-ply="4"]')
    last.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('[data-ply="3"]')).to_be_focused()
    expect(square(page, "c3")).to_have_accessible_name("c3: empty")
    page.keyboard.press("Home")
    expect(status(page)).to_have_text("The start of the game")
    expect(square(page, "a1")).to_have_accessible_name("a1: empty")
    page.keyboard.press("End")
    expect(last).to_be_focused()
    expect(square(page, "c3")).to_have_accessible_name("c3: Blue medium")
    # Without the list too, wherever the focus is.
    page.locator("h2.status").focus()
    page.keyboard.press("ArrowLeft")
    expect(status(page)).to_have_text("After 3 of 4 moves")


def test_play_from_an_earlier_position(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME[:4])
    page = visitor().open_game(game, tokens["first"])
    page.locator('[data-ply="2"]').click()
    press(page, "Play from here")
    expect(status(page)).to_be_focused()
    handle(page, "first:2").click()
    square(page, "c1").click()
    expect(page.locator('[data-ply="3"]')).to_have_text("3c1")
    moves = [each["move"] for each in server.get(f"/games/{game}")["moves"]["list"]]
    assert moves == ["1a1", "3b1", "3c1"]


def test_a_new_move_does_not_tear_away_who_looks_back(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], "1a1", "3b1")
    page = visitor().open_game(game, tokens["first"])
    page.locator('[data-ply="1"]').click()
    server.play(game, tokens["first"], "2a2")
    expect(status(page)).to_have_text("After 1 of 3 moves")


def test_either_side_is_handed_to_the_computer_and_back(
    visitor: MakeVisitor, server: Server
) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor().open_game(game, tokens["first"])
    corner = square(page, "a1").bounding_box()
    let_play(page, "Red", "random")
    expect(page.locator('[data-ply="1"]')).to_be_visible()
    expect(status(page)).to_have_text("Your turn")
    # Flipping the board would swap the lists of the two players.
    assert square(page, "a1").bounding_box() == corner
    let_play(page, "Red", "")
    let_play(page, "Blue", "random")
    expect(page.locator('[data-ply="2"]')).to_be_visible()
    expect(status(page)).to_have_text("Your turn")
    seats = server.get(f"/games/{game}")["seats"]
    assert (seats["first"]["player"], seats["second"]["player"]) == ("person", "computer")


def test_a_side_is_taken_over_while_the_game_goes_on(visitor: MakeVisitor, server: Server) -> None:
    """Two computers may play faster than an action reaches the server."""
    seats = {"first": {"player": "computer", "level": "random"}, "second": {"player": "here"}}
    game, tokens, _ = server.create(**OPEN, seats=seats)
    ann = visitor()
    ann.hold(game, tokens["second"])
    page = ann.page()
    late: list[str] = []

    def forward(text: str | bytes) -> None:
        if "take-over" in str(text) and not late:
            late.append(server.get(f"/games/{game}")["legal"][0])
            server.play(game, tokens["second"], *late)
        upstream[0].send(text)

    upstream: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        upstream.append(socket.connect_to_server())
        socket.on_message(forward)

    page.route_web_socket("**/socket", connect)
    page.goto(f"/game/{game}")
    expect(status(page)).to_have_text("Your turn")
    let_play(page, "Red", "")
    expect(page.locator('[data-ply="2"]')).to_have_text(late[0])
    expect(page.locator(".name", has_text="Computer")).to_have_count(0)
    expect(page.locator(".notice")).to_have_count(0)
    assert server.get(f"/games/{game}")["seats"]["first"]["player"] == "person"


def test_a_tapped_button_does_not_stay_lit(visitor: MakeVisitor, server: Server) -> None:
    """A finger leaves no pointer behind; a mouse does."""
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    for viewport, stays in ((DESKTOP, True), (PHONE, False)):
        page = visitor(viewport=viewport).open_game(game, tokens["first"])
        more = page.get_by_role("button", name="More", exact=True)
        before = more.evaluate("each => getComputedStyle(each).backgroundColor")
        more.click()
        more.click()
        after = more.evaluate("each => getComputedStyle(each).backgroundColor")
        assert (after != before) == stays


def test_resigning_asks_first(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor().open_game(game, tokens["first"])
    press(page, "Resign", "Cancel")
    expect(page.get_by_role("button", name="Resign")).to_be_focused()
    press(page, "Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(status(page)).to_contain_text("Blue wins")
    press(page, "Rematch")
    expect(status(page)).to_have_text("Red is to move.")
    assert game not in page.url


def test_moves_and_results_are_announced(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor().open_game(game, tokens["first"])
    said = page.locator(".for-listeners[role=status]")
    server.play(game, tokens["first"], "1a1")
    expect(said).to_contain_text("Red small to a1.")
    server.play(game, tokens["first"], "3a1")
    expect(said).to_contain_text("Blue large to a1, over Red small.")
    server.play(game, tokens["first"], "2b2", "a1c3")
    expect(said).to_contain_text("Blue large from a1 to c3, uncovering Red small on a1.")
    server.act(game, tokens["first"], "resign")
    expect(said).to_contain_text("wins")


def test_the_last_choice_is_remembered(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    page.locator('input[value="tictactoe"]').check()
    page.locator('input[value="screen"]').check()
    press(page, "Play")
    expect(status(page)).to_have_text("X is to move.")
    page.get_by_role("link", name="nestline").click()
    expect(page.locator('input[value="tictactoe"]')).to_be_checked()
    expect(page.locator('input[value="screen"]')).to_be_checked()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_what_the_rules_offer_can_be_chosen(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    page.locator('input[value="gobblet"]').check()
    page.locator('input[value="screen"]').check()
    more_choices(page)
    page.get_by_role("checkbox", name="A touched piece must be played").uncheck()
    page.get_by_label("Covered pieces").select_option("memory")
    press(page, "Play")
    expect(status(page)).to_have_text("White is to move.")
    setup = setup_of(page)
    assert (setup["touch_move"], setup["visibility"]) == (False, "memory")


def test_long_games_have_all_their_moves(visitor: MakeVisitor, server: Server) -> None:
    """Messages have the last hundred."""
    name = server.post("/rules", {"toml": RULES})["name"]
    game, tokens, _ = server.create(record=f'[Rules "{name}"]\n\n{long_record(250)} *')
    page = visitor().open_game(game, tokens["first"])
    expect(page.locator("[data-ply]")).to_have_count(251)
    page.locator('[data-ply="7"]').click()
    expect(status(page)).to_have_text("After 7 of 250 moves")
    press(page, "To the end")
    # Another screen of the same player goes far back and forward again.
    server.act(game, tokens["first"], "undo", ply=10)
    expect(page.locator("[data-ply]")).to_have_count(11)
    server.act(game, tokens["first"], "redo", ply=240)
    expect(page.locator("[data-ply]")).to_have_count(241)
    expect(page.locator('[data-ply="240"]')).to_have_text(long_record(250).split()[239])
    expect(page.locator('[data-ply="30"]')).to_have_text(long_record(250).split()[29])


def test_players_keep_the_record_of_a_game_that_the_server_deletes(
    visitor: MakeVisitor, server: Server
) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], "3b2", "3a1")
    ann = visitor()
    page = ann.open_game(game, tokens["first"])
    press(page, "Share")
    expect(page.get_by_text("The server keeps this game until")).to_contain_text("if it goes on")
    page.keyboard.press("Escape")
    server.act(game, tokens["first"], "resign")
    page.wait_for_function("() => localStorage.getItem('nestline.records')?.includes('3b2')")
    with closing(sqlite3.connect(server.folder / "games.sqlite3")) as found:
        found.execute("PRAGMA foreign_keys = ON")
        found.execute("DELETE FROM games WHERE id = ?", [game])
        found.commit()
    page.goto("/about")
    expect(page.get_by_role("heading", name="About nestline")).to_be_visible()
    ann.expected = ("WebSocket", "ERR_")
    server.stop()
    server.start()
    page.goto(f"/game/{game}")
    expect(page.get_by_role("heading", name="A game you played")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("1. 3b2 3a1")
    press(page, "Open it again")
    expect(page.locator('[data-ply="2"]')).to_have_text("3a1")


def test_everything_can_be_taken_along(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], "3b2", "3a1")
    page = visitor().open_game(game, tokens["first"])
    press(page, "Share")
    assert page.get_by_label("Link to watch this game", exact=True).input_value() == page.url
    position = page.get_by_label("This position as text", exact=True).input_value()
    assert position == "x3/x,w3,x/b3,x2 w"
    press(page, "Copy record")
    expect(page.locator(".notice")).to_have_text("The record is copied.")
    record = page.evaluate("navigator.clipboard.readText()")
    assert "1. 3b2 3a1" in record
    for button, start in (
        ("SVG picture", b"<svg"),
        ("PNG picture", b"\x89PNG"),
        ("Record file", b"[Rules"),
    ):
        with page.expect_download() as download:
            press(page, button)
        assert download.value.path().read_bytes().startswith(start)
    link = page.get_by_label("Link to this position", exact=True).input_value()
    page.goto(link)
    expect(square(page, "b2")).to_have_accessible_name(re.compile("^b2: Red large"))

    press(page, "Paste")
    page.get_by_label("Position or record").fill(record)
    press(page, "Open")
    expect(page.locator('[data-ply="2"]')).to_have_text("3a1")
