"""Perfect play, hints and reviews, by the tables of the solved games."""

import json
import subprocess
from pathlib import Path

import pytest

from nestline import Game, Position, Side, TableError, load_rules, read_record, tables
from nestline.engine.choices import best_line
from nestline.engine.players.levels import make_player
from nestline.engine.players.perfect import PerfectPlayer, ways_to_go_wrong
from nestline.engine.review import review_game
from nestline.solve.background import BackgroundTable
from support.command_line import nestline
from support.helpers import random_positions

SOLVED = ("tictactoe", "gobblers", "gobblers-official")


@pytest.mark.parametrize("rules", SOLVED)
def test_the_perfect_player_keeps_every_value_and_distance(
    rules: str, standard_tables: Path
) -> None:
    """Wins as fast as possible, loses as late as possible, never gives a draw away."""
    player = PerfectPlayer(seed=1, folder=standard_tables)
    with tables.open(rules, standard_tables) as table:
        for position in random_positions(rules, 150, seed=2):
            probes = table.moves(position)
            chosen = player.choose(Game(start=position))
            played = next(probe for probe in probes if probe.move == chosen)
            assert played[1:] == probes[0][1:]


def test_among_draws_it_leaves_the_most_ways_to_go_wrong(standard_tables: Path) -> None:
    player = PerfectPlayer(seed=1, folder=standard_tables)
    choices = 0
    with tables.open("gobblers-official", standard_tables) as table:
        for position in random_positions("gobblers-official", 400, seed=3):
            probes = table.moves(position)
            drawing = [probe.move for probe in probes if probe.value == "draw"]
            if probes[0].value != "draw" or len(drawing) < 2:
                continue
            ways = {move: ways_to_go_wrong(table, position.play(move)) for move in drawing}
            assert ways[player.choose(Game(start=position))] == max(ways.values())
            choices += len(set(ways.values())) > 1
    assert choices > 0


def test_the_first_player_wins_gobblers_in_thirteen_plies(standard_tables: Path) -> None:
    players = [PerfectPlayer(seed=side, folder=standard_tables) for side in Side]
    game = Game("gobblers")
    while not game.outcome:
        game.play(players[game.turn].choose(game))
    assert game.outcome.winner == Side.FIRST
    assert game.ply == 13


def test_a_lost_player_takes_the_draw_by_repetition(standard_tables: Path) -> None:
    """The table knows no history; the game does."""
    with tables.open("gobblers", standard_tables) as table:
        for start in random_positions("gobblers", 3000, seed=4):
            game = Game(start=start)
            lifts = [move for move in start.legal_moves() if move.origin]
            if not lifts or not (replies := _quiet_moves(start.play(lifts[0]))):
                continue
            out, reply = lifts[0], replies[0]
            cycle = [str(out), str(reply), f"{out.target}{out.origin}",
                     f"{reply.target}{reply.origin}"]  # fmt: skip
            try:
                for move in (cycle * 2)[:7]:
                    game.play(move)
            except ValueError:
                continue
            if game.outcome is None and table.probe(game.position).value == "loss":
                break
        else:
            pytest.fail("no lost position with a repetition was found")
    player = PerfectPlayer(seed=1, folder=standard_tables)
    game.play(player.choose(game))
    assert game.outcome is not None
    assert game.outcome.reason == "repetition"


def _quiet_moves(position: Position) -> list:  # type: ignore[type-arg]
    return [move for move in position.legal_moves() if move.origin]


def test_the_search_plays_while_the_table_is_built(tmp_path: Path) -> None:
    player = PerfectPlayer(seed=1, folder=tmp_path)
    game = Game("tictactoe")
    assert player.choose(game) in game.legal_moves()
    player.prepare(game.rules, wait=True)
    assert player.remark() is None
    game.play(player.choose(game))
    assert [path.suffix for path in tmp_path.iterdir()] != []


def test_a_person_is_told_what_perfect_play_waits_for(tmp_path: Path) -> None:
    with PerfectPlayer(folder=tmp_path) as player:
        assert player.remark() is None
        player.prepare(load_rules("gobblers"))
        assert str(player.remark()).startswith("The tablebase for perfect play is being built, ")
    assert player.remark() == (
        "The search plays, since there is no tablebase: "
        "the building of the tablebase was cancelled."
    )
    with pytest.raises(TableError, match="gobblers has no tablebase: the building of the"):
        player.prepare(load_rules("gobblers"), wait=True)


def test_a_build_in_the_background_can_be_left(tmp_path: Path) -> None:
    source = BackgroundTable(load_rules("gobblers"), tmp_path)
    source.cancel()
    assert source.table is None
    assert source.problem == "the building of the tablebase was cancelled"
    assert list(tmp_path.iterdir()) == []


def test_a_build_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    source = BackgroundTable(load_rules("tictactoe"), tmp_path / "file" / "folder")
    assert source.wait(60) is None
    assert source.problem


def test_perfect_play_of_a_large_game_is_refused() -> None:
    player = make_player("perfect")
    with pytest.raises(TableError, match="too large to be solved"):
        player.choose(Game("gobblet"))


RECORD = """[Rules "tictactoe"]
1. b2 b3 2. a1 c3 3. a3 *"""
"""O's first move loses, all others are best."""


def test_a_review_tells_what_was_thrown_away(standard_tables: Path) -> None:
    record = read_record(RECORD)
    with tables.open("tictactoe", standard_tables) as table:
        reviewed = list(review_game(record, table))
    assert [item.thrown_away for item in reviewed] == [None, "draw", None, None, None]
    mistake = reviewed[1]
    assert (mistake.number, mistake.side) == (1, Side.SECOND)
    assert mistake.before[:2] == ("draw", None)
    assert mistake.mark == "??"
    assert mistake.after.value == "loss"
    assert "1a1" in map(str, mistake.best)
    assert reviewed[2].before.distance == reviewed[2].after.distance
    assert reviewed[2].before.value == "win"


@pytest.mark.parametrize("rules", ["gobblers", "gobblers-official"])
def test_best_lines_end_after_the_distance(rules: str, standard_tables: Path) -> None:
    with tables.open(rules, standard_tables) as table:
        for position in random_positions(rules, 40, seed=6):
            probe = table.probe(position)
            line = list(best_line(position, table))
            if probe.distance is not None:
                assert len(line) == probe.distance
                for move in line:
                    position = position.play(move)
                assert position.outcome() is not None


def analyse(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return nestline("analyse", *arguments, text=text)


def test_analyse_as_json(standard_tables: Path) -> None:
    finished = analyse("-", "--json", "--tables", str(standard_tables), text=RECORD)
    told = json.loads(finished.stdout)
    assert told["rules"] == "tictactoe"
    assert told["start"]["value"] == "draw"
    second = told["moves"][1]
    assert second["thrown_away"] == "draw"
    assert second["before"]["value"] == "draw"
    assert second["mark"] == "??"
    assert second["after"]["value"] == "loss"
    assert second["best_line"][0] in second["best"]


def test_analyse_as_text(standard_tables: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    shown = analyse(str(file), "--tables", str(standard_tables)).stdout
    assert "At the start X draws." in shown
    assert "1. O  1b3??   draws            -> loses in" in shown
    assert "throws the draw away\n        best: 1" in shown
    assert "O: 1 best move of 2; wins thrown away: 0, draws: 1, only plies lost: 0." in shown


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[Rules "tictactoe"] 1. a1 a1', "line 1: move 1 of O: 1a1: a1 is occupied"),
        ("nonsense", "the tag [Rules"),
    ],
)
def test_analyse_refuses_in_one_line(text: str, message: str) -> None:
    finished = analyse("-", text=text)
    assert finished.returncode == 2
    assert message in finished.stderr
    assert finished.stderr.count("\n") == 1


def test_hints_tell_value_and_distance(
    standard_tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nestline.terminal.game.opponent import hint_for

    monkeypatch.setenv("NESTLINE_TABLES", str(standard_tables))
    assert "; it wins in 13 plies." in hint_for(Game("gobblers"))
    assert "; it draws." in hint_for(Game("tictactoe"))
    doomed = Game("tictactoe")
    for move in ("a1", "b1", "a3"):
        doomed.play(move)
    assert "; it loses in 4 plies." in hint_for(doomed)


def won_game_with_a_trap() -> Game:
    """The fastest winning move, c2c3, would repeat a position for the third time."""
    game = Game(start=Position("x,w3,b2w3/b3,x,w2/x2,b2 b", rules="gobblers"))
    there_and_back = ("c1a1", "c3c2", "a1c1")
    for move in (*there_and_back, "c2c3", *there_and_back):
        game.play(move)
    return game


def test_a_won_player_does_not_repeat(standard_tables: Path) -> None:
    game = won_game_with_a_trap()
    with tables.open("gobblers", standard_tables) as table:
        assert str(table.moves(game.position)[0].move) == "c2c3"
    chosen = PerfectPlayer(seed=1, folder=standard_tables).choose(game)
    assert str(chosen) in ("b3c1", "b3c3")


def test_a_review_knows_draws_by_repetition(standard_tables: Path) -> None:
    game = won_game_with_a_trap()
    game.play("c2c3")
    assert game.outcome is not None
    with tables.open("gobblers", standard_tables) as table:
        *_, last = review_game(game.to_record(), table)
    assert last.after[:2] == ("draw", None)
    assert last.thrown_away == "win"
    assert str(last.best[0]) in ("b3c1", "b3c3")


def test_a_damaged_block_does_not_end_the_game(standard_tables: Path, tmp_path: Path) -> None:
    with tables.open("tictactoe", standard_tables) as table:
        content = bytearray(table.path.read_bytes())
        name = table.path.name
    content[-20] ^= 1
    (tmp_path / name).write_bytes(content)
    player = PerfectPlayer(seed=1, folder=tmp_path)
    game = Game("tictactoe")
    assert player.choose(game) in game.legal_moves()
    player.prepare(game.rules, wait=True)
    assert (tmp_path / name).read_bytes() == (standard_tables / name).read_bytes()


def test_tables_from_python_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nestline

    monkeypatch.setenv("NESTLINE_TABLES", str(tmp_path))
    assert nestline.tables.build("tictactoe").parent == tmp_path
    assert nestline.tables.verify("tictactoe").committed in ("same", "same content")
    table = nestline.tables.open("tictactoe")
    assert table.probe("start") == ("draw", None)
    assert len(table.moves("start")) == 9
    table.close()
    with pytest.raises(TableError, match="has been closed"):
        table.probe("x3/x,w1,x/x3 b")
