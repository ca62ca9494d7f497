"""Taking a game elsewhere: animations, previews of links, the small view in other pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from xml.etree import ElementTree

from playwright.sync_api import expect

from browser.conftest import MakeVisitor
from browser.driver import Server, press
from browser.screens import HERE, OPEN, SHORT_GAME
from nestline.draw import svg
from nestline.position import Position

SVG = "{http://www.w3.org/2000/svg}"


@contextmanager
def elsewhere(html: str) -> Iterator[str]:
    """The address of a page of another origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            """Nothing is written down."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_game_is_kept_as_an_animation(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    page = visitor().open_game(game, tokens["first"])
    press(page, "Share")
    with page.expect_download() as download:
        press(page, "Animation")
    picture = ElementTree.fromstring(Path(download.value.path()).read_text("utf-8"))
    frames = [each for each in picture.iter(f"{SVG}g") if "frame" in each.get("class", "")]
    assert len(frames) == len(SHORT_GAME) + 1
    assert [len(frame.findall(f"{SVG}g")) for frame in frames] == [0, 1, 2, 3, 4, 6]
    assert "prefers-reduced-motion" in (picture.findtext(f"{SVG}style") or "")


POSITIONS = (
    ("gobblers-official", "1b2 3b2 2c1 b2a1"),
    ("gobblers", " ".join(SHORT_GAME)),
    ("gobblet", "4a1 4b2 a1c1"),
    ("tictactoe", "b2 a1"),
)
DIFFERENT = """async ([one, other]) => {
  const pixels = await Promise.all([one, other].map(async (svg) => {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  }));
  if (pixels[0].length !== pixels[1].length) return 1;
  const [first, second] = pixels;
  return first.filter((value, place) => Math.abs(value - second[place]) > 32).length / first.length;
}"""
"""The share of colours in which two SVG pictures differ clearly."""


def test_a_picture_is_that_of_the_package(visitor: MakeVisitor) -> None:
    """The page draws it, with reserves, last move and lines; only the letters are a font's."""
    page = visitor().page()
    for rules, moves in POSITIONS:
        position, last = Position.start(rules), None
        for last in moves.split():
            position = position.play(last)
        page.goto(f"/study?rules={rules}&moves={moves.replace(' ', '+')}")
        press(page, "Share")
        with page.expect_download() as download:
            press(page, "SVG picture")
        drawn = Path(download.value.path()).read_text("utf-8")
        move = position.read_move(last or "")
        assert page.evaluate(DIFFERENT, [drawn, svg(position, size=720, last_move=move)]) < 0.01
        before = svg(Position.start(rules), size=720)
        assert page.evaluate(DIFFERENT, [drawn, before]) > 0.02


def test_a_link_has_a_preview(visitor: MakeVisitor, server: Server) -> None:
    seats = {"first": {"player": "here", "name": 'Ann <"&'}, "second": {"player": "link"}}
    game, _, _ = server.create(**OPEN, seats=seats)
    page = visitor().page()
    page.goto(f"/game/{game}")

    def content(name: str) -> str:
        return page.locator(f'meta[property="{name}"]').get_attribute("content") or ""

    assert content("og:title") == 'Gobblet Gobblers, official rules: Ann <"& against Blue'
    assert content("og:description") == "Red is to move."
    picture = server.client.get(content("og:image"))
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    page.goto("/study?rules=gobblers&moves=3b2")
    assert content("og:description") == "P2 is to move."
    assert server.client.get(content("og:image")).content.startswith(b"\x89PNG")
    page.goto("/study")
    assert page.locator('meta[property="og:title"]').count() == 0


def test_the_small_view_is_all_that_may_be_framed(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME[:2])
    each = visitor()
    each.expected = ("frame-ancestors", "ERR_BLOCKED_BY_RESPONSE", "404")
    page = each.page()
    frames = "".join(
        f'<iframe src="{server.address}{path}" width="400" height="640"></iframe>'
        for path in (
            f"/embed/{game}",
            "/embed?rules=gobblers-official&moves=3b2",
            f"/game/{game}",
            "/embed/nothing",
        )
    )
    with elsewhere(frames) as address:
        page.goto(address)
        each.problems.remove(f"asks another host: {address}")
        live, position, refused, missing = (
            page.frame_locator("iframe").nth(index) for index in range(4)
        )
        expect(live.locator(".words")).to_have_text("Red is to move.")
        live.get_by_role("button", name="Back").click()
        expect(live.locator(".words")).to_have_text("Red small to a1.")
        # It follows the game, and cannot be played in.
        live.get_by_role("button", name="To the end").click()
        server.play(game, tokens["first"], SHORT_GAME[2])
        expect(live.locator(".words")).to_have_text("Blue is to move.")
        expect(live.locator(".source")).to_have_count(0)
        expect(position.locator(".words")).to_have_text("Blue is to move.")
        expect(position.get_by_role("link", name="nestline")).to_have_attribute("target", "_blank")
        expect(refused.locator("nest-board")).to_have_count(0)
        expect(missing.get_by_role("heading", name="Not found")).to_be_visible()
        expect(missing.get_by_role("link")).to_have_count(1)
        expect(missing.get_by_role("link", name="Play a game")).to_have_attribute(
            "target", "_blank"
        )


def test_the_small_view_needs_no_scrolling(visitor: MakeVisitor) -> None:
    page = visitor().page()
    for moves in ("", "&moves=" + "+".join(SHORT_GAME)):
        page.goto(f"/embed?rules=gobblers-official{moves}")
        expect(page.locator(".words")).to_be_visible()
        for width, height in ((300, 420), (320, 480), (400, 640), (480, 300)):
            page.set_viewport_size({"width": width, "height": height})
            tall = "document.documentElement.scrollHeight - window.innerHeight"
            assert page.evaluate(tall) <= 0, (moves, width, height)
