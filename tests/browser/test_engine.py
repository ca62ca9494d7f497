"""The engine in the page: the same results in Chromium, stopped at once, exact where tables are."""

import random
from typing import Any

import pytest
from playwright.sync_api import Page, Worker

from browser.conftest import MakeVisitor
from browser.driver import Server
from core.test_perft import SUITE, rules_of
from nestline.engine.search.engine import Engine, Limits
from nestline.position import Position
from nestline.rules import RuleSet, load_rules
from nestline.web.games.views import board_json
from nestline.web.http.pages import page_files
from webassembly.test_search import boards, random_game

STOP_MILLISECONDS = 50

LOADED = """
async ([folder, given]) => {
  const { Engine } = await import(`${folder}engine/engine.js`);
  const { Law } = await import(`${folder}engine/law.js`);
  const { Instance, loadModule } = await import(`${folder}engine/module.js`);
  const engine = new Engine((name) => `/tables/${name}.table`);
  const law = given.rules && new Law(new Instance(await loadModule()), given.rules);
  const gameOf = (boards) => ({ positions: boards.map((board) => law.read(board)) });
  try {
    return await (async () => { %s })();
  } finally {
    engine.close();
  }
}
"""


def run(page: Page, code: str, **given: Any) -> Any:
    """What code answers in the page, with `engine`, `law`, `gameOf` and what is given at hand."""
    return page.evaluate(LOADED % code, [page_files()[0], given])


def opened(visitor: MakeVisitor) -> Page:
    page = visitor().page()
    page.goto("/about")
    return page


def rules_json(server: Server, name: str) -> Any:
    return server.get(f"/rules/{name}")


def test_perft(visitor: MakeVisitor) -> None:
    page = opened(visitor)
    for count in [each for each in SUITE if each.position == "start"]:
        rules = rules_of(count.name)
        depths = [depth for depth, nodes in enumerate(count.numbers, 1) if nodes < 500_000]
        found = run(
            page,
            "return given.depths.map((depth) => law.perft(law.start(), depth));",
            rules=rules.fields(),
            depths=depths,
        )
        assert found == [count.numbers[depth - 1] for depth in depths]


def games_of(rules: RuleSet, count: int) -> list[Any]:
    chance = random.Random(f"in Chromium {rules.name}")
    return [random_game(rules, chance) for _ in range(count)]


@pytest.mark.parametrize("name", ["gobblet", "gobblet-house"])
def test_the_search_finds_the_same_score(visitor: MakeVisitor, server: Server, name: str) -> None:
    """Move and line depend on the random order of equal moves; one seed is compared in node."""
    page = opened(visitor)
    native = Engine(name, seed=1, tables=False)
    for game in games_of(load_rules(name), 3):
        report = run(
            page,
            "return engine.think(given.rules, gameOf(given.boards), { depth: 4 });",
            rules=rules_json(server, name),
            boards=boards(game),
        )
        native.forget()
        found = native.think(game, Limits(depth=4))
        assert report["depth"] == found.depth
        assert not report["exact"]
        if found.plies_to_win or found.plies_to_loss:
            assert report["variations"][0]["score"] == found.score
        position = game.position
        for move in report["variations"][0]["moves"]:
            position = position.play(move)


def test_reports_come_as_it_deepens_and_a_stop_is_heard_at_once(
    visitor: MakeVisitor, server: Server
) -> None:
    page = opened(visitor)
    told = run(
        page,
        """
        const game = gameOf(given.boards);
        const stops = [];
        for (const [wait, deep] of [[0, 1], [50, 1], [300, 1], [1000, 5]]) {
          const reports = [];
          const abort = new AbortController();
          const answer = engine.think(given.rules, game, {}, {
            report: (report) => reports.push(report.depth), signal: abort.signal });
          await new Promise((resolve) => setTimeout(resolve, wait));
          while (!(reports.at(-1) >= deep)) await new Promise((resolve) => setTimeout(resolve, 1));
          const asked = performance.now();
          abort.abort();
          const found = await answer;
          stops.push({ wait, reports, depth: found.depth, took: performance.now() - asked });
        }
        return stops;
        """,
        rules=rules_json(server, "gobblet"),
        boards=[board_json(Position.start("gobblet"))],
    )
    for stop in told:
        assert stop["took"] <= STOP_MILLISECONDS, told
        # A depth is not reported where another thread has finished the next one, too.
        assert stop["reports"] == sorted(set(stop["reports"]))
        assert (stop["reports"][0], stop["reports"][-1]) == (1, stop["depth"])
    assert told[-1]["depth"] >= 5


def test_a_stop_does_not_wait_for_a_table(visitor: MakeVisitor, server: Server) -> None:
    """From a slow host it takes long; the next position must not wait for it either."""
    page = opened(visitor)
    page.route("**/*.table", lambda route: None)  # It never comes.
    found = run(
        page,
        """
        const abort = new AbortController();
        const game = gameOf(given.boards);
        const stopped = engine.think(given.rules, game, {}, { signal: abort.signal });
        const next = engine.choose(given.rules, game, "1");
        setTimeout(() => abort.abort(), 100);
        const late = new Promise((resolve) => setTimeout(resolve, 20_000, null));
        return Promise.race([late, Promise.all([stopped, next])]);
        """,
        rules=rules_json(server, "gobblers"),
        boards=[board_json(Position.start("gobblers"))],
    )
    assert found, "a stopped search waits for the tablebase"
    assert found[0]["depth"] == 1
    assert not found[0]["exact"]


def test_a_choice_is_stopped_at_once(visitor: MakeVisitor, server: Server) -> None:
    """The game has gone on meanwhile, and its next move must not wait."""
    page = opened(visitor)
    rules = rules_json(server, "gobblet")
    told = run(
        page,
        """
        const abort = new AbortController();
        const { signal } = abort;
        const game = gameOf(given.boards);
        const began = new Promise((report) => {
          const options = { report, signal };
          engine.choose(given.rules, game, "maximum-20", options).catch(({ message }) => {
            given.message = message;
          });
        });
        await began;
        const next = engine.choose(given.rules, game, "1");
        abort.abort();
        const late = new Promise((resolve) => setTimeout(resolve, 10_000, null));
        const move = await Promise.race([late, next]);
        return [given.message, move];
        """,
        rules=rules,
        boards=[rules["start"]],
    )
    assert told[0] == "The computer has been stopped."
    assert told[1], "it waits for a choice that nobody needs any more"


def test_threads_help_and_stop(visitor: MakeVisitor, server: Server) -> None:
    """The page is isolated, so threads share the transposition table and one word stops them."""
    page = opened(visitor)
    workers: list[str] = []
    page.on("worker", lambda worker: workers.append(worker.url.rpartition("/")[2]))
    rules = rules_json(server, "gobblet")
    found = run(
        page,
        """
        const game = gameOf(given.boards);
        const stopped = [];
        const first = new Map();
        globalThis.Worker = class extends Worker {
          constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data: { id, ...told } }) => {
              if (id && !first.has(id)) first.set(id, Object.keys(told));
            });
          }
        };
        for (let round = 0; round < 8; round += 1) {
          const abort = new AbortController();
          const depths = [];
          const report = ({ depth }) => depths.push(depth);
          const answer = engine.think(given.rules, game, {}, { signal: abort.signal, report });
          await new Promise((resolve) => setTimeout(resolve, 30 + 10 * round));
          abort.abort();
          stopped.push([(await answer).depth, depths.at(-1) ?? 1]);
        }
        const whole = await engine.think(given.rules, game, { depth: 7 });
        return { isolated: crossOriginIsolated, stopped, whole, first: [...first.values()] };
        """,
        rules=rules,
        boards=[rules["start"]],
    )
    assert found["isolated"]
    assert all(depth >= reported for depth, reported in found["stopped"])
    # The late stop of one search does not end another one.
    assert found["whole"]["depth"] == 7
    assert "helper.js" in workers
    # What stops a search is known before its first report, so that no stop ends the worker.
    assert found["first"] == [["stop"]] * 9
    assert workers.count("worker.js") == 1


def test_lost_threads_do_not_hold_up_the_search(visitor: MakeVisitor, server: Server) -> None:
    page = visitor().page()
    helpers: list[Worker] = []

    def lose(worker: Worker) -> None:
        if worker.url.endswith("/helper.js"):
            helpers.append(worker)
            worker.evaluate("self.close()")

    page.on("worker", lose)
    page.goto("/about")
    rules = rules_json(server, "gobblet")
    depths = run(
        page,
        """
        const depths = [];
        for (let round = 0; round < 5; round += 1) {
          const found = await engine.think(given.rules, gameOf(given.boards), { seconds: 0.1 });
          depths.push(found.depth);
        }
        return depths;
        """,
        rules=rules,
        boards=[rules["start"]],
    )
    assert all(depths)
    assert helpers


def test_a_time_limit_is_kept(visitor: MakeVisitor, server: Server) -> None:
    page = opened(visitor)
    seconds = run(
        page,
        """
        await engine.choose(given.rules, gameOf(given.boards), "1");
        const seconds = [];
        for (let round = 0; round < 3; round += 1) {
          const began = performance.now();
          await engine.think(given.rules, gameOf(given.boards), { seconds: 0.5 });
          seconds.push((performance.now() - began) / 1000);
        }
        return seconds;
        """,
        rules=rules_json(server, "gobblet"),
        boards=[board_json(Position.start("gobblet"))],
    )
    # A busy machine may be late once; an engine that keeps no limit always is.
    assert 0.1 < min(seconds) < 1.0


@pytest.mark.parametrize("level", ["random", "easy", "3", "10", "perfect"])
def test_levels_play_legal_moves(visitor: MakeVisitor, server: Server, level: str) -> None:
    page = opened(visitor)
    for name in ("tictactoe", "gobblers", "gobblet"):
        for game in games_of(load_rules(name), 2):
            move = run(
                page,
                "return engine.choose(given.rules, gameOf(given.boards), given.level);",
                rules=rules_json(server, name),
                boards=boards(game),
                level=level,
            )
            assert move in map(str, game.legal_moves())


def test_solved_games_have_exact_values(visitor: MakeVisitor, server: Server) -> None:
    page = opened(visitor)
    for game in games_of(load_rules("gobblers"), 3):
        study = server.get(f"/positions/gobblers?position={game.position}".replace(" ", "_"))
        told = run(
            page,
            """
            const game = { positions: gameOf(given.boards).positions.slice(-1) };
            return { values: await engine.values(given.rules, game),
                     best: await engine.think(given.rules, game, { variations: 2 }) };
            """,
            rules=rules_json(server, "gobblers"),
            boards=boards(game),
        )
        expected = [(each["move"], each["value"], each["distance"]) for each in study["moves"]]
        found = [(each["move"], each["value"], each["distance"]) for each in told["values"]]
        assert sorted(found, key=str) == sorted(expected, key=str)
        assert told["best"]["exact"]
        assert told["best"]["variations"][0]["moves"][0] == found[0][0]


def test_there_is_no_table_of_a_large_board(visitor: MakeVisitor, server: Server) -> None:
    page = opened(visitor)
    told = run(
        page,
        "return engine.values(given.rules, gameOf(given.boards));",
        rules=rules_json(server, "gobblet"),
        boards=[board_json(Position.start("gobblet"))],
    )
    assert told is None
