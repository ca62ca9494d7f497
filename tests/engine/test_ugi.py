"""`nestline ugi`: every command through real pipes, and no line that upsets it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nestline import Game, Position, __version__, rule_set_names, tables
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.engine.protocol.options import read_option
from nestline.engine.protocol.ugi import COMMANDS, FULL, LONGEST_LINE, OPTIONS
from nestline.engine.search.engine import MEMORY, MOST_MEMORY, MOST_THREADS
from nestline.position import Move
from support.helpers import custom_rules
from support.ugi_driver import Conversation

PAGE = Path(__file__).parents[2] / "docs" / "program" / "protocol.md"

WON = "position startpos moves a3 a2 b3 b2 c3"
WIN_IN_ONE = "position fen x3/x3/w3,w3,x w"
LOSS_IN_TWO = "position fen w3,w2,x/w3,w2,x/x3 b"


@pytest.fixture(scope="module")
def program() -> Iterator[Conversation]:
    with Conversation() as running:
        running.ask()
        yield running


@pytest.fixture
def fresh(program: Conversation) -> Conversation:
    """The running program, as if it had just started."""
    settings = [f"setoption name {name} value {item.default}" for name, item in OPTIONS.items()]
    # It must make no difference whether this machine has tables.
    assert program.ask(*settings, "setoption name Tables value false", "uginewgame") == []
    return program


def best_move(answers: list[str]) -> Move:
    word, move = answers[-1].split()
    assert word == "bestmove"
    return Move(move)


def infos(answers: list[str]) -> list[dict[str, str]]:
    """The info lines of the search, each as a dictionary."""
    found = []
    for line in answers:
        match = re.fullmatch(
            r"info depth (?P<depth>\d+) score (?P<score>(cp|mate) -?\d+) nodes (?P<nodes>\d+) "
            r"nps \d+ time (?P<time>\d+) pv (?P<pv>.+)",
            line,
        )
        if match:
            found.append(match.groupdict())
    return found


# Who it is.


def test_ugi_tells_name_author_and_options(fresh: Conversation) -> None:
    fresh.say("ugi")
    heard = fresh.hear("ugiok")
    assert heard[:2] == [f"id name nestline {__version__}", "id author the nestline authors"]
    assert [read_option(line) for line in heard[2:-1]] == list(OPTIONS.values())


def test_ugi_is_answered_without_the_compiler() -> None:
    script = (
        "import sys\nfrom nestline.engine.protocol.ugi import Program\nprogram = Program(print)\n"
        "program.obey('ugi')\nassert program.finish()\nprint('numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-2:] == ["ugiok", "False"]


def test_the_levels_are_those_of_the_engine() -> None:
    assert OPTIONS["Level"].choices == (FULL, *LEVEL_NAMES, *ALIASES)


def test_the_options_are_within_what_the_engine_takes() -> None:
    assert OPTIONS["Threads"].most == MOST_THREADS
    assert OPTIONS["Hash"].most is not None
    assert OPTIONS["Hash"].most <= MOST_MEMORY
    assert OPTIONS["Hash"].default == str(MEMORY)


# Positions, and questions about them.


@pytest.mark.parametrize(
    ("rules", "line", "over", "first", "result"),
    [
        ("tictactoe", "position startpos", "false", "true", "none"),
        ("tictactoe", "position startpos moves a1", "false", "false", "none"),
        ("tictactoe", WON, "true", "false", "p1win"),
        ("tictactoe", "position startpos moves a1 a3 a2 b3 c1 c3", "true", "true", "p2win"),
        (
            "tictactoe",
            "position startpos moves b2 a1 a2 c2 c1 a3 b3 b1 c3",
            "true",
            "false",
            "draw",
        ),
        ("gobblers", "position fen x3/x,w3,x/x3 b", "false", "false", "none"),
        ("gobblers", "position fen x3/x,w3,x/x3_b", "false", "false", "none"),
        ("gobblers", "position fen x3/x,w3,x/x3 b moves 2a1 2a2", "false", "false", "none"),
        ("gobblers", "position fen start moves 3b2", "false", "false", "none"),
        ("gobblers", "position fen x3/x3/w3,w2,w1 b", "true", "false", "p1win"),
        (
            "gobblers",
            "position fen x3/x3/w3,b1,w3 w moves c1b2 b1a3 b2c1 a3b1 c1b2 b1a3 b2c1 a3b1",
            "true",
            "true",
            "draw",
        ),
        ("gobblet", "position startpos moves 4a1 4d4 a1a2", "false", "false", "none"),
        ("gobblet-house", "position startpos moves 4AA 4(0,3)", "false", "true", "none"),
    ],
)
def test_query_tells_the_state_of_a_position(
    fresh: Conversation, rules: str, line: str, over: str, first: str, result: str
) -> None:
    answers = fresh.ask(
        f"setoption name Rules value {rules}",
        line,
        "query gameover",
        "query p1turn",
        "query result",
    )
    assert answers == [f"response {answer}" for answer in (over, first, result)]


def test_a_new_game_begins_at_the_start(fresh: Conversation) -> None:
    assert fresh.ask("position startpos moves 3b2", "query p1turn") == ["response false"]
    assert fresh.ask("uginewgame", "query p1turn") == ["response true"]


# Searching.


@pytest.mark.parametrize("rules", rule_set_names())
def test_go_depth_reports_each_depth_and_a_legal_move(fresh: Conversation, rules: str) -> None:
    answers = fresh.think(
        f"setoption name Rules value {rules}",
        "position startpos",
        "go depth 3",
    )
    position = Position.start(rules)
    assert best_move(answers) in position.legal_moves()
    assert [info["depth"] for info in infos(answers)] == ["1", "2", "3"]
    for info in infos(answers):
        after = position
        for move in info["pv"].split():
            after = after.play(move)
    assert str(best_move(answers)) == infos(answers)[-1]["pv"].split()[0]
    assert re.fullmatch(r"info nodes \d+ nps \d+ time \d+", answers[-2])


def test_forced_wins_and_losses_are_told_in_plies(fresh: Conversation) -> None:
    answers = fresh.think(WIN_IN_ONE, "go depth 4")
    assert best_move(answers).target == "c1"
    assert infos(answers)[-1]["score"] == "mate 1"
    answers = fresh.think(LOSS_IN_TWO, "go depth 4")
    assert infos(answers)[-1]["score"] == "mate -2"


@pytest.mark.parametrize(
    "go",
    [
        "go nodes 2000",
        "go movetime 20",
        "go p1time 1000 p2time 1",
        "go p1time 600 p2time 600 p1inc 10 p2inc 0",
        "go p1time 100 p2time 100 p1inc 0 p2inc 0 movestogo 1",
        "go p1time 1 p2time 1 p1inc 0 p2inc 0",
        "go depth 0",
        "go depth 4 nodes 100000 movetime 5000",
        "go infinite depth 2",
        "go depth 1000 movetime 10",
    ],
)
def test_every_limit_ends_a_thought(fresh: Conversation, go: str) -> None:
    answers = fresh.think("setoption name Rules value gobblet", "position startpos", go)
    assert best_move(answers) in Position.start("gobblet").legal_moves()


def test_the_history_of_the_game_counts(fresh: Conversation) -> None:
    """The third occurrence is a draw, which is better than losing."""
    moves = "c1b2 b1a3 b2c1 a3b1 c1b2 b1a3 b2c1"
    line = f"position fen x3/x3/w3,b1,w3 w moves {moves}"
    answers = fresh.think(line, "go depth 6")
    assert str(best_move(answers)) == "a3b1"
    assert infos(answers)[-1]["score"] == "cp 0"


def test_while_thinking_it_listens(fresh: Conversation) -> None:
    fresh.say("setoption name Rules value gobblet", "position startpos", "go infinite", "isready")
    assert fresh.hear("readyok")[-1] == "readyok"
    fresh.say("ugi")
    assert fresh.hear("ugiok")[-1] == "ugiok"
    refused = ("position startpos", "go depth 1", "uginewgame", "query result", "setoption")
    fresh.say(*refused, "isready")
    heard = [line for line in fresh.hear("readyok") if line.startswith("info string")]
    assert heard == [
        f"info string {line.split()[0]} is not heard while thinking; isready, stop and quit are"
        for line in refused
    ]
    answers = fresh.think("stop")
    assert best_move(answers) in Position.start("gobblet").legal_moves()
    assert fresh.ask("query p1turn") == ["response true"]


def test_a_stop_is_never_missed(fresh: Conversation) -> None:
    """However quickly it follows: the search may not even have begun."""
    fresh.ask("setoption name Rules value gobblet", "stop")
    for number in range(30):
        if number % 10 == 0:
            # The engine is recreated first.
            fresh.say("setoption name Hash value 17")
        fresh.say("position startpos", "go infinite", "stop")
        assert best_move(fresh.hear("bestmove")) in Position.start("gobblet").legal_moves()
    assert fresh.ask("stop", "stop") == []


# Options.


def test_options_are_taken_in_any_case(fresh: Conversation) -> None:
    assert fresh.ask(
        "setoption name hash value 32",
        "setoption name THREADS value 2",
        "setoption name Tables value False",
        "setoption name Seed value 7",
        "setoption name level value Full",
        "setoption name rules value tictactoe",
        "position startpos moves b2",
    ) == []  # fmt: skip
    assert fresh.think("go depth 5")[-1] != "bestmove 0000"


@pytest.mark.parametrize(
    "level", [level for level in (*LEVEL_NAMES, *ALIASES) if level != "perfect"]
)
def test_every_level_plays_legal_moves(fresh: Conversation, level: str) -> None:
    answers = fresh.think(
        "setoption name Rules value tictactoe",
        f"setoption name Level value {level}",
        "position startpos moves a1 b1 a2 b2",
        "go movetime 50",
    )
    assert best_move(answers) in Game("tictactoe").legal_moves()
    assert infos(answers) == []


def test_a_level_goes_back_to_full_strength(fresh: Conversation) -> None:
    fresh.think("setoption name Level value random", "go depth 2")
    answers = fresh.think(f"setoption name Level value {FULL}", "go depth 2")
    assert len(infos(answers)) == 2


def test_the_same_seed_plays_the_same_moves(fresh: Conversation) -> None:
    games = []
    for seed in (5, 5, 6):
        fresh.ask("setoption name Level value random", f"setoption name Seed value {seed}")
        games.append([best_move(fresh.think("go depth 1")) for _ in range(12)])
    assert games[0] == games[1] != games[2]


def test_the_perfect_level_needs_a_game_that_can_be_solved(fresh: Conversation) -> None:
    answers = fresh.think(
        "setoption name Rules value gobblet",
        "setoption name Level value perfect",
        "position startpos",
        "go movetime 100",
    )
    assert answers[-1] == "bestmove 0000"
    assert "gobblet: too large to be solved" in answers[-2]


def test_rules_of_ones_own_are_played(fresh: Conversation, tmp_path: Path) -> None:
    folder = tmp_path / "two  blanks"
    folder.mkdir()
    rules = custom_rules(folder, board=2, line=2)
    assert fresh.ask(f"setoption name Rules value {rules.reference}", "position startpos") == []
    assert infos(fresh.think("go depth 5"))[-1]["score"] == "mate 3"
    assert fresh.ask("position fen x2/w1,w2 b", "query result") == ["response p1win"]


def test_the_solution_is_used_if_it_may_be(tmp_path: Path) -> None:
    rules = custom_rules(tmp_path, board=2, line=2)
    tables.build(rules, tmp_path / "tables")
    with Conversation(NESTLINE_TABLES=str(tmp_path / "tables")) as program:
        chosen = f"setoption name Rules value {rules.reference}"
        (solved,) = infos(program.think(chosen, "position startpos", "go depth 1"))
        assert (solved["score"], solved["depth"], solved["nodes"]) == ("mate 3", "3", "1")
        (searched,) = infos(program.think("setoption name Tables value false", "go depth 1"))
        assert searched["depth"] == "1"


def test_other_rules_begin_another_game(fresh: Conversation) -> None:
    answers = fresh.ask(
        "position startpos moves 3b2",
        "setoption name Rules value gobblet",
        "query p1turn",
        "position startpos moves 4d4",
        "query p1turn",
    )
    assert answers == ["response true", "response false"]


# Nonsense.


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("play well", "unknown command 'play'; commands are ugi, isready, uginewgame, setoption"),
        ("UGI", "unknown command 'UGI'"),
        ("setoption", "setoption is written: setoption name NAME value VALUE"),
        ("setoption name Hash", "setoption is written: setoption name NAME value VALUE"),
        ("setoption name Hash value", "setoption is written: setoption name NAME value VALUE"),
        ("setoption name value 3", "setoption is written: setoption name NAME value VALUE"),
        ("setoption name Cash value 3", "no option 'cash'; options are Rules, Threads, Hash"),
        ("setoption name Hash value 0", "Hash takes a whole number from 1 to"),
        ("setoption name Hash value 9999999999", "Hash takes a whole number from 1 to"),
        ("setoption name Threads value -1", "Threads takes a whole number from 1 to 256, not"),
        ("setoption name Threads value " + "9" * 5000, "Threads takes a whole number"),
        ("setoption name Level value godlike", "Level takes one of full, random,"),
        ("setoption name Tables value maybe", "Tables takes one of true, false, not 'maybe'"),
        ("setoption name Rules value chess", "unknown rule set 'chess'; known are tictactoe"),
        ("setoption name Rules value ./none.toml", "./none.toml: the rule set cannot be read"),
        ("setoption name Rules value /dev/zero", "/dev/zero: the rule set cannot be read"),
        ("setoption name Rules value a\0b.toml", "the rule set cannot be read"),
        ("position", "position takes startpos, or fen and a position, then perhaps moves"),
        ("position moves 3b2", "position takes startpos, or fen and a position"),
        ("position startpos 3b2", "position takes startpos, or fen and a position"),
        ("position fen", "'' is not a position; it takes a board and w or b"),
        ("position fen x3/x3/x3", "'x3/x3/x3' is not a position"),
        ("position fen x3/x3/x3 q", "the player to move is w or b, not 'q'"),
        ("position fen x3/x3 w", "the board has 2 rows; gobblers has 3"),
        ("position fen w9,x2/x3/x3 w", "there is no size 9"),
        ("position fen w3,w3,w3/x3/x3 b", "has 3 pieces of size 3 on the board; there are 2"),
        ("position startpos moves 9z9", "z9 is not on the 3x3 board"),
        ("position startpos moves well", "'well' is not a move"),
        ("position startpos moves 3b2 3b2", "3b2: b2 shows a size 3"),
        ("position startpos moves 0000", "'0000' is not a move"),
        ("position fen x3/x3/w3,w2,w1 b moves 3b2", "the game is over: P1 wins"),
        ("query", "query takes one of gameover, p1turn, result, not ''"),
        ("query weather", "query takes one of gameover, p1turn, result, not 'weather'"),
        ("query result now", "query takes one of gameover, p1turn, result, not 'result now'"),
        ("x" * LONGEST_LINE * 3, f"a line of more than {LONGEST_LINE} bytes is not read"),
        ("\x1b[2J \udcff", "unknown command '\\x1b[2J'"),
    ],
)
def test_nonsense_gets_one_sentence_and_changes_nothing(
    fresh: Conversation, line: str, sentence: str
) -> None:
    fresh.ask("setoption name Rules value gobblers", "position startpos moves 3b2")
    fresh.say_bytes(line.encode("utf-8", "surrogateescape") + b"\n")
    (answer,) = fresh.ask()
    assert answer.startswith("info string ")
    assert sentence in answer
    assert fresh.ask("query p1turn", "position startpos moves 3a1 3a2 3a3 3c3") == [
        "response false"
    ]


@pytest.mark.parametrize(
    ("go", "sentence"),
    [
        ("go depth", "go: depth takes a whole number from 0 to 999999999999; it is missing"),
        ("go depth x", "go: depth takes a whole number from 0 to 999999999999, not 'x'"),
        ("go depth -3", "go: depth takes a whole number from 0"),
        ("go nodes 0", "go: nodes takes a whole number from 1"),
        ("go movetime 0", "go: movetime takes a whole number from 1"),
        ("go movetime 1.5", "go: movetime takes a whole number from 1"),
        ("go movetime 99999999999999999999", "go: movetime takes a whole number from 1"),
        ("go p1time -5 p2time 100", "go: p1time takes a whole number from 1"),
        ("go p2time 100", "go: p1 is to move, and p1time is missing"),
        ("go p1inc 100", "go: p1 is to move, and p1time is missing"),
        ("go movestogo 5", "go: p1 is to move, and p1time is missing"),
        ("go quickly", "go: unknown word 'quickly'; allowed are depth, nodes, movetime"),
        ("go wtime 100 btime 100", "go: unknown word 'wtime'"),
        ("go infinite 5", "go: unknown word '5'"),
    ],
)
def test_impossible_limits_are_refused_and_still_answered(
    fresh: Conversation, go: str, sentence: str
) -> None:
    refusal, answer = fresh.think("position startpos", go)
    assert refusal.startswith("info string ")
    assert sentence in refusal
    assert answer == "bestmove 0000"


def test_a_finished_game_has_no_move(fresh: Conversation) -> None:
    answers = fresh.think("setoption name Rules value tictactoe", WON, "go depth 3")
    assert answers == [
        "info string there is no move to choose: X wins with the line a3-b3-c3.",
        "bestmove 0000",
    ]
    assert fresh.ask("query result") == ["response p1win"]


def test_empty_lines_and_strange_ends_of_lines_are_no_matter(fresh: Conversation) -> None:
    fresh.say_bytes(b"\n  \n\t\n\r\nquery p1turn\r\n  query   gameover  \n")
    assert fresh.ask() == ["response true", "response false"]


def test_a_line_may_be_cut_into_pieces(fresh: Conversation) -> None:
    for piece in (b"que", b"ry p1", b"turn", b"\nisre", b"ady\n"):
        fresh.say_bytes(piece)
    assert fresh.hear("readyok") == ["response true", "readyok"]


# The end.


@pytest.mark.parametrize("last", [("quit",), ()])
def test_quit_and_the_end_of_the_input_end_a_thought(last: tuple[str, ...]) -> None:
    with Conversation() as program:
        program.say("setoption name Rules value gobblet", "position startpos", "go infinite")
        # Compiled code has to be loaded before it begins, and nobody waits for that.
        program.hear("info depth")
        said, errors = program.leave(*last)
        assert best_move(said) in Position.start("gobblet").legal_moves()
        assert errors == ""
        assert program.process.returncode == 0


@pytest.mark.parametrize("line", ["isready", "go infinite"])
def test_the_first_compilation_is_announced_and_can_be_left(tmp_path: Path, line: str) -> None:
    with Conversation(NUMBA_CACHE_DIR=str(tmp_path)) as program:
        program.say("ugi", line)
        assert program.hear("ugiok")[-1] == "ugiok"
        assert program.output.readline().startswith(b"info string Compiling the search")
        said, errors = program.leave("quit")
        assert errors == ""
        assert said == []
        assert program.process.returncode == 0


def test_it_ends_when_nobody_reads_any_more() -> None:
    with Conversation() as program:
        program.say("ugi")
        program.hear("ugiok")
        program.output.close()
        program.say("ugi", "isready")
        assert program.process.wait(timeout=60) == 0


# Its page in the documentation.


def test_the_page_names_every_command_and_option() -> None:
    page = PAGE.read_text("utf-8")
    for command in COMMANDS:
        assert re.search(rf"^\| `{command}\b", page, re.M), command
    for option in OPTIONS.values():
        assert re.search(rf"^\| `{option.name}` \| {option.kind} \|", page, re.M), option.name


def test_the_session_of_the_page_goes_as_it_says() -> None:
    page = PAGE.read_text("utf-8")
    (session,) = re.findall(r"```\n(> ugi\n.*?)```", page, re.S)
    with Conversation() as program:
        _compare(session, program)


def _compare(session: str, program: Conversation) -> None:
    compared = 0
    for line in session.splitlines():
        if line.startswith("> "):
            program.say(line[2:])
        else:
            pattern = ".*".join(re.escape(part) for part in line.split("…"))
            heard = program.output.readline().decode().rstrip("\n")
            assert re.fullmatch(pattern, heard), (line, heard)
            compared += 1
    assert compared > 10
    assert program.leave() == ([], "")
