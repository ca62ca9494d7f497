"""The page reads the same values from the tables' files, by range requests and from whole files."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nestline import tables
from nestline.engine.choices import best_line, ranked_moves
from nestline.engine.players.perfect import ways_to_go_wrong
from nestline.position import Position
from nestline.rules import load_rules
from nestline.solve.table import Table
from nestline.web.games.views import board_json
from support.helpers import random_position
from webassembly.conftest import Ask, ask_node
from webassembly.test_search import boards, random_game

SCRIPT = "table.mjs"
SOLVED = ("tictactoe", "gobblers", "gobblers-official")


class WholeFiles(SimpleHTTPRequestHandler):
    """A plain file server, which knows no ranges."""

    asked: list[str]

    def log_message(self, *what: Any) -> None:
        self.asked.append(self.headers.get("Range", ""))

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


class Ranges(WholeFiles):
    """One that sends the part that is asked for."""

    def do_GET(self) -> None:
        if "Range" not in self.headers:
            super().do_GET()
            return
        content = Path(self.translate_path(self.path)).read_bytes()
        first, last = self.headers["Range"].removeprefix("bytes=").split("-")
        part = content[int(first) : int(last) + 1]
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


class BreakingOff(WholeFiles):
    """One whose connections break off within a file."""

    def do_GET(self) -> None:
        content = Path(self.translate_path(self.path)).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:20])


@contextmanager
def serving(folder: Path, handler: type[WholeFiles]) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    local = type("Local", (handler,), {"asked": asked})
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *given: local(*given, directory=folder)
    ) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", asked
        finally:
            server.shutdown()
            thread.join()


def table_path(folder: Path, name: str) -> Path:
    with tables.open(name, folder) as table:
        return table.path


def some_words(name: str, count: int) -> list[tuple[int, int]]:
    chance = random.Random(f"probed {name}")
    return [random_position(load_rules(name), chance).words for _ in range(count)]


def check_probes(
    ask: Ask, folder: Path, name: str, count: int, handler: type[WholeFiles]
) -> list[str]:
    words = some_words(name, count)
    with serving(folder, handler) as (address, asked):
        question = {
            "rules": load_rules(name).fields(),
            "url": address + table_path(folder, name).name,
            "positions": [[str(own), str(opp)] for own, opp in words],
        }
        answer = ask(SCRIPT, question)
    with tables.open(name, folder) as table:
        owns, opps = np.array(words, np.int64).T
        values, distances = table.probe_many(owns, opps)
    names = {1: "win", 0: "draw", -1: "loss"}
    expected = [
        [names[int(value)], None if distance < 0 else int(distance)]
        for value, distance in zip(values, distances, strict=True)
    ]
    assert answer == {"probes": expected, "games": []}
    return asked


@pytest.mark.parametrize("name", SOLVED)
def test_probes_by_ranges(ask: Ask, standard_tables: Path, name: str) -> None:
    asked = check_probes(ask, standard_tables, name, 300, Ranges)
    assert all(asked)
    assert asked[0] == "bytes=0-65535"


def test_probes_of_a_whole_file(ask: Ask, standard_tables: Path) -> None:
    assert len(check_probes(ask, standard_tables, "gobblers-official", 300, WholeFiles)) == 1


@pytest.mark.full
@pytest.mark.parametrize("name", SOLVED)
def test_many_probes(ask: Ask, standard_tables: Path, name: str) -> None:
    check_probes(ask, standard_tables, name, 100_000, WholeFiles)


@pytest.mark.parametrize(("name", "draws"), [("tictactoe", 5), ("gobblers", 0)])
def test_moves_of_games(ask: Ask, standard_tables: Path, name: str, draws: int) -> None:
    """Values, best lines and the perfect player's choice, where positions have occurred before."""
    chance = random.Random("games in tables")
    games = [random_game(load_rules(name), chance) for _ in range(25)]
    games = [game for game in games if not game.outcome]
    path = table_path(standard_tables, name)
    with serving(standard_tables, Ranges) as (address, _):
        question = {
            "rules": load_rules(name).fields(),
            "url": address + path.name,
            "games": [boards(game) for game in games],
        }
        answers = ask(SCRIPT, question)["games"]
    drawn = 0
    with tables.open(name, standard_tables) as table:
        for game, answer in zip(games, answers, strict=True):
            ranked = ranked_moves(table, game)
            assert answer["moves"] == [
                {"move": str(each.move), "value": each.value, "distance": each.distance}
                for each in ranked
            ]
            assert answer["line"] == [str(move) for move in best_line(game.position, table)]
            best = [each.move for each in ranked if each[1:] == ranked[0][1:]]
            chosen = next(each for each in best if str(each) == answer["chosen"])
            if ranked[0].value == "draw":
                drawn += 1
                assert is_hardest(table, game.position, str(chosen), list(map(str, best)))
    assert drawn >= draws


def is_hardest(table: Table, position: Position, chosen: str, best: list[str]) -> bool:
    ways = {move: ways_to_go_wrong(table, position.play(move)) for move in best}
    return ways[chosen] == max(ways.values())


def damaged(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda content: b"other", "it is not a tablebase"),
        (lambda content: content[:50], "it is cut off inside its header"),
        (lambda content: content[:100], "it is cut off inside its header"),
        (lambda content: damaged(content, 60), "the checksum of its header does not fit"),
        (lambda content: damaged(content, len(content) - 9), "block 1 of 1 is not as written"),
        (lambda content: content[:-5], "block 1 of 1 is not as written"),
    ],
)
@pytest.mark.parametrize("handler", [Ranges, WholeFiles])
def test_damaged_files(
    standard_tables: Path, tmp_path: Path, handler: type[WholeFiles], spoil: Any, problem: str
) -> None:
    content = table_path(standard_tables, "tictactoe").read_bytes()
    (tmp_path / "spoilt.table").write_bytes(spoil(content))
    rules = load_rules("tictactoe")
    with serving(tmp_path, handler) as (address, _):
        question = {
            "rules": rules.fields(),
            "url": f"{address}spoilt.table",
            "games": [[board_json(Position.start(rules))]],
        }
        told = ask_node(SCRIPT, question)
    assert told["problem"] == f"The tablebase of this game is damaged: {problem}."


def test_other_problems(standard_tables: Path, tmp_path: Path) -> None:
    rules = load_rules("tictactoe")
    gobblers = table_path(standard_tables, "gobblers")
    (tmp_path / "other.table").write_bytes(gobblers.read_bytes())
    with serving(tmp_path, WholeFiles) as (address, _):
        told = [
            ask_node(SCRIPT, {"rules": rules.fields(), "url": url})["problem"]
            for url in (f"{address}nothing.table", f"{address}other.table")
        ]
    told.append(ask_node(SCRIPT, {"rules": rules.fields(), "url": address})["problem"])
    with serving(tmp_path, BreakingOff) as (address, _):
        question = {"rules": rules.fields(), "url": f"{address}other.table"}
        told.append(ask_node(SCRIPT, question)["problem"])
    assert told == [
        "There is no tablebase of this game.",
        "This is the tablebase of another game.",
        "The tablebase cannot be loaded: there is no connection.",
        "The tablebase cannot be loaded: the connection broke off.",
    ]


def test_a_missing_table_is_asked_for_again_and_takes_no_memory(standard_tables: Path) -> None:
    """A design plays the same game without a table's address; memory is never given back."""
    with serving(standard_tables, WholeFiles) as (address, asked):
        missing = f"{address}nothing.table"
        found = address + table_path(standard_tables, "tictactoe").name
        question = {
            "rules": load_rules("tictactoe").fields(),
            "urls": [None, missing, missing, found, missing, None],
        }
        told = ask_node("player.mjs", question)
    is_open, taken = zip(*told, strict=True)
    assert is_open == (False, False, False, True, True, False)
    assert taken[2] == 0 < taken[3] == taken[5]
    assert len(asked) > 2
