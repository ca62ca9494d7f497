"""Whole games on the board, played in each of the four ways alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import MakeVisitor
from browser.driver import DESKTOP, PHONE, Server, handle, open_menu, press, square, status
from browser.screens import DANGER, HERE, OPEN

GAME = ("1a1", "3b1", "2a2", "2c3", "a1b3", "2c1", "3a1", "1b2", "3a3")
END = "Red wins with the line a1-a2-a3."


def source(page: Page, move: str, ply: int) -> str:
    """The selector of the piece a move takes."""
    if move[0].isdigit():
        seat = "second" if ply % 2 else "first"
        return f'[data-handle="{seat}:{int(move[0]) - 1}"]'
    return f'[data-square="{move[:2]}"]'


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def by_dragging(page: Page, move: str, ply: int) -> None:
    x, y = centre(page, source(page, move, ply))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 20, steps=2)
    page.mouse.move(*centre(page, f'[data-square="{move[-2:]}"]'), steps=4)
    page.mouse.up()


def by_touch(page: Page, move: str, ply: int) -> None:
    x, y = centre(page, source(page, move, ply))
    to_x, to_y = centre(page, f'[data-square="{move[-2:]}"]')
    device = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", (x, y))
    for part in (0.2, 0.6, 1.0):
        send("touchMove", (x + (to_x - x) * part, y + (to_y - y) * part))
    send("touchEnd")
    device.detach()


def by_pressing(page: Page, move: str, ply: int) -> None:
    page.locator(source(page, move, ply)).click()
    square(page, move[-2:]).click()


def by_tapping(page: Page, move: str, ply: int) -> None:
    page.locator(source(page, move, ply)).tap()
    square(page, move[-2:]).tap()


def walk_to(page: Page, target: str) -> None:
    """Move the focus from one square to another with the arrow keys."""
    focused = page.evaluate("document.activeElement.dataset.square")
    across, up = ord(target[0]) - ord(focused[0]), int(target[1]) - int(focused[1])
    for _ in range(abs(across)):
        page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
    for _ in range(abs(up)):
        page.keyboard.press("ArrowUp" if up > 0 else "ArrowDown")
    expect(square(page, target)).to_be_focused()


def by_keys(page: Page, move: str, ply: int) -> None:
    if ply == 0:
        square(page, "b2").focus()
    if move[0].isdigit():
        page.keyboard.press(move[0])
    else:
        walk_to(page, move[:2])
        page.keyboard.press("Enter")
    walk_to(page, move[-2:])
    page.keyboard.press("Enter")


def by_typing(page: Page, move: str, ply: int) -> None:
    field = page.get_by_label("Type a move")
    field.fill(move)
    field.press("Enter")


def by_names(page: Page, move: str, ply: int) -> None:
    """Play as with a screen reader: by roles and names alone."""
    if move[0].isdigit():
        name = f"{'Blue' if ply % 2 else 'Red'} {('small', 'medium', 'large')[int(move[0]) - 1]}, "
        page.get_by_role("button", name=name).press("Enter")
    else:
        page.get_by_role("gridcell", name=f"{move[:2]}: ").press("Enter")
    target = page.get_by_role("gridcell", name=f"{move[-2:]}: ")
    expect(target).to_have_accessible_name(f"{move[-2:]}: empty, possible")
    target.press("Enter")


@pytest.mark.parametrize(
    ("way", "viewport"),
    [
        (by_dragging, DESKTOP), (by_pressing, DESKTOP), (by_keys, DESKTOP), (by_typing, DESKTOP),
        (by_names, DESKTOP), (by_touch, PHONE), (by_tapping, PHONE), (by_typing, PHONE),
    ],
    ids=lambda value: getattr(value, "__name__", None) or f"{value['width']} wide",
)  # fmt: skip
def test_a_whole_game(
    way: Callable[[Page, str, int], None],
    viewport: dict[str, int],
    visitor: MakeVisitor,
    server: Server,
) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    ann = visitor(viewport=viewport)
    ann.prefer(typed=way is by_typing)
    page = ann.open_game(game, tokens["first"])
    for ply, move in enumerate(GAME):
        way(page, move, ply)
        expect(page.locator(f'[data-ply="{ply + 1}"]')).to_have_text(move)
    expect(page.locator(".headline .remark")).to_have_text(END)
    expect(page.locator("svg .line")).to_be_attached()
    assert [each["move"] for each in server.get(f"/games/{game}")["moves"]["list"]] == list(GAME)


TYPED_ON = """async (module) => {
  const { TypedMove } = await import(module);
  let accept = () => {};
  const field = new TypedMove(() => new Promise((done) => { accept = done; }), { stock: [2] });
  const shown = [];
  for (const next of ["b2", ""]) {
    field.input.value = "a1";
    const sent = field.submit(new Event("submit"));
    field.input.value = next || "a1";
    accept();
    await sent;
    shown.push(field.input.value);
  }
  return shown;
}"""


def test_what_is_typed_while_a_move_is_on_its_way_stays(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/about")
    folder = str(page.locator("script[type=module]").first.get_attribute("src"))
    module = folder.replace("main.js", "panels/typed_move.js")
    assert page.evaluate(TYPED_ON, module) == ["b2", ""]


def test_a_visitor_with_a_keyboard_plays_at_once(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    expect(status(page)).to_have_text("Your turn")
    page.keyboard.press("3")
    expect(handle(page, "first:2")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".square.target:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator('[data-ply="1"]')).to_have_text(re.compile("^3"))


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_visitor_plays_at_once(viewport: dict[str, int], visitor: MakeVisitor) -> None:
    """The first click is on Play, already in view; the second and third are a move."""
    page = visitor(viewport=viewport).page()
    page.goto("/")
    button = page.get_by_role("button", name="Play", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    handle(page, "first:2").click()
    square(page, "b2").click()
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")
    expect(status(page)).to_have_text("Your turn")
    expect(page.locator('[data-ply="2"]')).to_be_visible()


def test_a_game_against_the_computer_to_the_end(visitor: MakeVisitor, server: Server) -> None:
    seats = {"first": {"player": "here"}, "second": {"player": "computer", "level": "random"}}
    game, tokens, _ = server.create(rules="tictactoe", seats=seats)
    page = visitor().open_game(game, tokens["first"])
    for _ in range(5):
        if server.get(f"/games/{game}")["outcome"]:
            break
        expect(status(page)).to_have_text("Your turn")
        ply = server.get(f"/games/{game}")["ply"]
        page.locator('.square[aria-label$=": empty"]').first.click()
        expect(page.locator(f'[data-ply="{ply + 1}"]')).to_be_attached()
        expect(page.locator(".thinking:visible")).to_have_count(0)
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(status(page)).to_have_text(
        {"first": "You win!", "second": "You lose", None: "A draw"}[
            server.get(f"/games/{game}")["outcome"]["winner"]
        ]
    )


def test_targets_are_marked_and_the_rest_dimmed(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], "3b2", "1a1")
    page = visitor().open_game(game, tokens["first"])
    handle(page, "first:1").click()
    expect(page.locator(".signs .target")).to_have_count(8)
    expect(square(page, "b2")).to_have_class("spot square source dimmed")
    expect(square(page, "b2")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".signs .target")).to_have_count(0)


def test_a_move_that_reveals_is_marked_unless_unwanted(
    visitor: MakeVisitor, server: Server
) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE, position=DANGER)
    page = visitor().open_game(game, tokens["first"])
    square(page, "b2").click()
    expect(square(page, "c1")).to_have_accessible_name(
        "c1: empty, possible, but reveals a line and loses"
    )
    marked = page.locator(".signs .danger").count()
    assert marked >= 3
    remark = page.locator(".remark").first
    expect(remark).to_have_text("A triangle marks a move that reveals a line and loses.")
    press(page, "Settings")
    page.get_by_label("Warn of moves").uncheck()
    press(page, "Close")
    expect(page.locator(".signs .danger")).to_have_count(0)
    expect(remark).not_to_contain_text("triangle")


def test_a_drop_elsewhere_puts_the_piece_back(visitor: MakeVisitor, server: Server) -> None:
    """And the next press is not swallowed."""
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor(motion="full").open_game(game, tokens["first"])
    x, y = centre(page, '[data-handle="first:2"]')
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    expect(handle(page, "first:2")).to_have_attribute("aria-pressed", "false")
    handle(page, "first:2").click()
    square(page, "b2").click()
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")


def test_a_message_during_a_drag_disturbs_nothing(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE, touch_move=False)
    server.play(game, tokens["first"], "4b2", "4c3")
    page = visitor().open_game(game, tokens["first"])
    keeps = page.locator(".piece").first.element_handle()
    x, y = centre(page, '[data-handle="first:1"]')
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=3)
    server.act(game, tokens["first"], "offer-draw")
    expect(page.locator(".news").get_by_text("offers a draw")).to_be_visible()
    page.mouse.move(*centre(page, '[data-square="d4"]'), steps=3)
    page.mouse.up()
    expect(page.locator('[data-ply="3"]')).to_have_text("4d4")
    assert keeps.evaluate("element => element.isConnected")


COUNTING_ANIMATIONS = """() => {
  window.animated = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    window.animated += 1;
    return animate.apply(this, how);
  };
}"""
"""How many have begun: the piece may have landed before the test looks."""


def test_pieces_wander_and_are_not_drawn_anew(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor(motion="full").open_game(game, tokens["first"])
    page.evaluate("[...document.querySelectorAll('.piece')].forEach((each, at) => each.mark = at)")
    page.evaluate(COUNTING_ANIMATIONS)
    server.play(game, tokens["first"], "3b2")
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")
    assert page.evaluate("animated") >= 1
    marks = page.evaluate("[...document.querySelectorAll('.piece')].map(each => each.mark)")
    assert sorted(marks) == list(range(12))


def test_without_motion_nothing_moves(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor(motion="reduce").open_game(game, tokens["first"])
    page.evaluate(COUNTING_ANIMATIONS)
    server.play(game, tokens["first"], "3b2")
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")
    assert page.evaluate("animated") == page.evaluate("document.getAnimations().length") == 0


def test_a_mistyped_move_is_explained(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], "3b2")
    ann = visitor()
    ann.prefer(typed=True)
    page = ann.open_game(game, tokens["first"])
    by_typing(page, "2b2", 1)
    expect(page.locator(".typed .problem")).to_contain_text("b2 shows a size 3")
    by_typing(page, "L a1", 1)
    expect(page.locator('[data-ply="2"]')).to_have_text("3a1")
    expect(page.locator(".typed .problem")).to_be_hidden()


def test_the_board_turns_for_the_second_player(visitor: MakeVisitor, server: Server) -> None:
    seats = {"first": {"player": "computer", "level": "random"}, "second": {"player": "here"}}
    game, tokens, _ = server.create(**OPEN, seats=seats)
    ann = visitor()
    ann.prefer(typed=True)
    page = ann.open_game(game, tokens["second"])
    above, below = (centre(page, f'[data-square="{name}"]')[1] for name in ("a1", "a3"))
    assert above < below
    press(page, "Flip")
    above, below = (centre(page, f'[data-square="{name}"]')[1] for name in ("a1", "a3"))
    assert above > below
    square(page, "b2").press("f")
    above, below = (centre(page, f'[data-square="{name}"]')[1] for name in ("a1", "a3"))
    assert above < below
    page.get_by_label("Type a move").press("f")
    assert centre(page, '[data-square="a1"]')[1] == above


def test_a_touched_piece_must_be_played(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2", "4c3")
    page = visitor().open_game(game, tokens["first"])
    square(page, "b2").click()
    expect(page.locator(".remark").first).to_contain_text("b2 has been touched and must be played")
    page.keyboard.press("Escape")
    handle(page, "first:0").click(force=True)  # marked as disabled
    expect(square(page, "b2")).to_have_attribute("aria-selected", "true")
    assert server.get(f"/games/{game}")["touched"] == "b2"
    square(page, "a1").click()
    expect(page.locator('[data-ply="3"]')).to_have_text("b2a1")


def test_a_touched_piece_can_be_dragged_in_one_go(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2", "4c3")
    page = visitor().open_game(game, tokens["first"])
    by_dragging(page, "b2a1", 2)
    expect(page.locator('[data-ply="3"]')).to_have_text("b2a1")


def test_memory_shows_no_more_than_the_tops(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblers-official", seats=HERE, visibility="memory")
    server.play(game, tokens["first"], "1a1", "3a1")
    page = visitor().open_game(game, tokens["first"])
    expect(square(page, "a1")).to_have_accessible_name("a1: Blue large")
    expect(page.locator("nest-moves")).to_be_hidden()
    open_menu(page)
    expect(page.get_by_role("button", name="Study")).to_be_hidden()
    assert page.locator(".rings .piece").count() == 0
    server.play(game, tokens["first"], "2b2", "3c3", "2c1", "a1a3")
    expect(square(page, "a1")).to_have_accessible_name("a1: Red small")


def test_looking_under_a_piece_is_forgotten_again(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblers-official", seats=HERE, visibility="peek")
    server.play(game, tokens["first"], "1a1", "2b2", "3b2", "3c3")
    ann = visitor(fresh=True)
    ann.context.clock.install()
    page = ann.open_game(game, tokens["first"])
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large")
    # From here on the page's clock moves on only when told.
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    square(page, "b2").focus()
    page.keyboard.press("p")
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large, on Blue medium")
    expect(page.locator(".rings .piece")).to_have_count(1)
    # The timer of the first look does not end the second.
    said = page.locator(".for-listeners[role=status]")
    page.clock.run_for(3000)
    expect(said).to_contain_text("Looking under")
    page.evaluate("document.querySelector('.for-listeners[role=status]').textContent = ''")
    page.keyboard.press("p")
    for _ in range(100):
        if said.inner_text():
            break
        page.clock.run_for(10)
    assert "Looking under" in said.inner_text()
    page.clock.run_for(1500)
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large, on Blue medium")
    page.clock.run_for(4000)
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large")
