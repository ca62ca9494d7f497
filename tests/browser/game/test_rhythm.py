"""Rhythm and reward: pauses, the end of a game, celebration, sounds."""

from playwright.sync_api import WebSocketRoute, expect

from browser.conftest import MakeVisitor
from browser.driver import Server, handle, press, square, status
from browser.screens import OPEN

ONE_MOVE = "w1,x,w2/x,w3,b3/b2,x2 w"
COMPUTER = {"first": {"player": "here"}, "second": {"player": "computer", "level": "random"}}
LANDING, PAUSE = 340, 450
"""How long a piece is on its way, and then the computer waits, in milliseconds of the page."""
SOUNDS = """
window.tones = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (...when) {
  window.tones.push(this.frequency.value);
  return start.apply(this, when);
};
"""


def test_a_win_lights_up_and_is_celebrated(visitor: MakeVisitor, server: Server) -> None:
    """First the piece lands, then the line lights up and the headline tells it."""
    game, tokens, _ = server.create(**OPEN, seats=COMPUTER, position=ONE_MOVE)
    page = visitor(motion="no-preference").open_game(game, tokens["first"])
    page.evaluate("""() => {
      window.seen = [];
      const board = document.querySelector("nest-board");
      const look = () => {
        const isPiece = (each) => each.effect.target.matches(".piece");
        const flying = document.getAnimations().filter(isPiece);
        const line = board.querySelector("svg .line");
        const text = document.querySelector(".status").textContent;
        window.seen.push([flying.length > 0, line !== null, text]);
        requestAnimationFrame(look);
      };
      look();
    }""")
    handle(page, "first:1").click()
    square(page, "b3").click()
    expect(page.locator(".celebration i").first).to_be_attached()
    expect(status(page)).to_have_text("You win!")
    expect(page.locator(".headline .remark")).to_have_text("Red wins with the line a3-b3-c3.")
    seen = page.evaluate("window.seen")
    assert any(flies for flies, _, _ in seen)
    assert not [each for each in seen if each[0] and (each[1] or each[2] == "You win!")]
    expect(page.locator(".celebration")).to_have_count(0)


def test_reduced_motion_has_no_celebration(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=COMPUTER, position=ONE_MOVE)
    page = visitor().open_game(game, tokens["first"])
    page.evaluate("""() => new MutationObserver((changes) => {
      window.celebrated ||= changes.some((change) =>
        [...change.addedNodes].some((node) => node.className === "celebration"));
    }).observe(document.body, { subtree: true, childList: true })""")
    handle(page, "first:1").click()
    square(page, "b3").click()
    expect(status(page)).to_have_text("You win!")
    expect(page.locator("svg .line")).to_be_attached()
    page.wait_for_timeout(300)
    assert page.evaluate("window.celebrated ?? false") is False
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_computer_waits_until_the_piece_has_landed(
    visitor: MakeVisitor, server: Server
) -> None:
    """The page's clock stands still, and moves on only when told."""
    game, tokens, _ = server.create(**OPEN, seats=COMPUTER)
    ann = visitor(motion="no-preference", fresh=True)
    ann.hold(game, tokens["first"])
    page = ann.page()
    answers: list[str] = []

    def connect(socket: WebSocketRoute) -> None:
        upstream = socket.connect_to_server()

        def forward(text: str | bytes) -> None:
            socket.send(text)
            if '"ply":2' in str(text):
                answers.append(str(text))

        upstream.on_message(forward)

    page.route_web_socket("**/socket", connect)
    page.clock.install()
    page.goto(f"/game/{game}")
    handle(page, "first:2").click()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    square(page, "b2").click()
    expect(page.locator('[data-ply="1"]')).to_be_visible()
    while not answers:
        page.wait_for_timeout(20)
    for step in (LANDING, PAUSE - 1):
        page.clock.run_for(step)
        assert page.locator('[data-ply="2"]').count() == 0
    page.clock.run_for(1)
    expect(page.locator('[data-ply="2"]')).to_be_visible()


def test_sounds_are_off_until_somebody_wants_them(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=COMPUTER, position=ONE_MOVE)
    ann = visitor()
    ann.run_first(SOUNDS)
    page = ann.open_game(game, tokens["first"])
    handle(page, "first:0").click()
    square(page, "a2").click()
    expect(page.locator('[data-ply="2"]')).to_be_visible()
    assert page.evaluate("window.tones.length") == 0
    page.keyboard.press("s")
    assert page.evaluate("window.tones.length") > 0
    press(page, "Take back")
    expect(page.locator('[data-ply="1"]')).to_have_count(0)
    before = page.evaluate("window.tones.length")
    handle(page, "first:1").click()
    square(page, "b3").click()
    expect(status(page)).to_have_text("You win!")
    assert page.evaluate("window.tones.length") > before + 4
    page.reload()
    page.locator("nest-board [role=grid]").wait_for()
    press(page, "More")
    sounds = page.get_by_role("button", name="Sounds")
    expect(sounds).to_have_attribute("aria-pressed", "true")
    sounds.click()
    expect(sounds).to_have_attribute("aria-pressed", "false")
