"""The page in Firefox and WebKit: on a static site, a game against the computer goes on without the
network, and is reviewed; exact values are studied, and the engine thinks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.game.test_local_games import WITH_TYPING
from browser.site.firefox import FIREFOX, Firefox
from browser.site.test_static_site import BASE, READY, FileServer, PlainFiles
from browser.site.test_static_site import written as written
from browser.site.webkit import WEBKIT, WebKit
from core.test_perft import SUITE, rules_of

Other = Firefox | WebKit
NO_FIREFOX = "there is no Firefox here; install the package firefox-esr"
NO_WEBKIT = "there is no WebKit here; install the packages webkit2gtk-driver and xvfb"

LAW = """
const folder = document.querySelector("script[type=module]").src.replace("main.js", "");
const { Law } = await import(`${folder}engine/law.js`);
const { Instance, loadModule } = await import(`${folder}engine/module.js`);
const law = new Law(new Instance(await loadModule()), given[0]);
"""
MOVES = """[...document.querySelectorAll("nest-moves button.move")].map(
  (each) => each.innerText.trim())"""
PLAY = f"""
{LAW}
const isOver = () => /You (win|lose)|draw/i.test(document.querySelector(".status").innerText);
for (let moves = {MOVES}; moves.length < given[1] && !isOver(); ) {{
  const position = moves.slice(1).reduce((at, move) => law.play(at, move), law.start());
  const field = await until(() => document.querySelector(".typed input:enabled"));
  field.value = law.legalMoves(position).at(-1);
  field.form.requestSubmit();
  moves = await until(() => ({MOVES}.length > moves.length + 1 || isOver()) && {MOVES});
}}
return {MOVES};
"""
"""The last legal move each time, until so many moves are listed or the game is over."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(Firefox, marks=pytest.mark.skipif(not FIREFOX, reason=NO_FIREFOX)),
        pytest.param(WebKit, marks=pytest.mark.skipif(not WEBKIT, reason=NO_WEBKIT)),
    ],
)
def other(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Other]:
    running: Other = request.param(tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


def test_a_site_is_played_offline(other: Other, written: Path) -> None:
    host = FileServer(written, PlainFiles)
    other.open(host.address + BASE)
    other.run(WITH_TYPING)
    # WebKit's service worker may never finish installing if the page is left meanwhile.
    other.run(f"await until({READY});")
    other.open(host.address + BASE)
    other.run("""
      const button = await until(() => document.querySelector("form.chooser button[type=submit]"));
      document.querySelector('input[name=rules][value="gobblers"]').click();
      document.querySelector('input[name=opponent][value="computer"]').click();
      button.click();
      await until(() => document.querySelector("nest-board [role=grid]"));
    """)
    rules = rules_of("gobblers").fields()
    begun = other.run(PLAY, rules, 3)
    assert len(begun) >= 3
    address = other.run("return location.href;")
    host.stop()
    other.open(address)
    assert other.run(f"return until(() => {MOVES}.length > 1 && {MOVES});") == begun
    assert other.run("return crossOriginIsolated;")
    assert other.run(PLAY, rules, 200)[: len(begun)] == begun
    other.run("""
      const named = (text) => [...document.querySelectorAll("button")].find(
        (button) => button.innerText.trim() === text);
      (await until(() => named("Review"))).click();
      await until(() => document.querySelector(".review .remark")?.innerText.includes("Exact"));
    """)
    other.open(f"{host.address}{BASE}study/?rules=gobblers")
    told = other.run("""
      const words = () => document.querySelector(".value")?.innerText;
      return until(() => words()?.includes("wins") && words());
    """)
    assert told.startswith("P1 wins in 13")
    other.open(f"{host.address}{BASE}study/?rules=gobblet")
    other.run("""
      await until(() => /depth [5-9]/.test(document.querySelector(".study .remark")?.innerText));
    """)
    small = "gobblers.board-2.line-2.stock-1-1.same_square-yes"
    other.open(f"{host.address}{BASE}workshop/?rules={small}")
    verdict = other.run("""
      const button = () => document.querySelector(".facts button");
      (await until(button)).click();
      const words = () => document.querySelector(".verdict").innerText;
      return until(() => !/Not solved yet|Solving/.test(words()) && words());
    """)
    assert verdict.strip() == "Solved: P1, who begins, wins in 3 moves."


def test_perft(other: Other, written: Path) -> None:
    host = FileServer(written, PlainFiles)
    other.open(f"{host.address}{BASE}about/")
    for count in (each for each in SUITE if each.position == "start"):
        depths = [depth for depth, nodes in enumerate(count.numbers, 1) if nodes < 500_000]
        perft = "return given[1].map((depth) => law.perft(law.start(), depth));"
        found = other.run(LAW + perft, rules_of(count.name).fields(), depths)
        assert found == [count.numbers[depth - 1] for depth in depths]
    host.stop()
