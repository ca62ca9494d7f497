"""`nestline play` through a real pseudo-terminal: whole games, mistakes, and every way to leave."""

import datetime
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nestline.game import Game
from nestline.position import Move
from nestline.record import read_record, read_records
from nestline.rules import rule_set_names
from nestline.terminal.game.spelling import spell
from nestline.terminal.game.typed_commands import COMMANDS
from support.terminal_driver import CONTROL_C, CONTROL_D, Terminal, computer_moves, shows

ESCAPE = "\x1b"
SAME_SQUARE_EXAMPLE = ("1a3", "2a3", "2a2", "1c3", "3a1")  # of document 000: lifting a3 loses
CANNOT_MOVE = "b1,b2,w3,b3/b4,w2,b1,b2/b3,b4,b1,w4/w1,b2,b3,b4 w"  # the White piece on a1


Start = Callable[..., Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    terminals: list[Terminal] = []

    def begin(*arguments: str, **options: Any) -> Terminal:
        terminals.append(Terminal(tmp_path, *arguments, **options))
        return terminals[-1]

    yield begin
    for terminal in terminals:
        terminal.close()


# Whole games of each rule set, with no, one and two people.


def test_without_people_it_plays_to_the_end_by_itself(start: Start) -> None:
    options = ("--rules", "gobblet-house", "--people", "0", "--level", "random", "--seed", "4")
    terminal = start(*options, until="")
    assert terminal.leave() == 0
    assert "The computer plays Player 1 (random) and Player 2 (random)." in terminal.rest
    _check_self_play("gobblet-house", terminal.rest)


def test_without_people_in_every_rule_set(start: Start, tmp_path: Path) -> None:
    terminal = start("--rules", "tictactoe", "--people", "2", "--seed", "8")
    for rules in rule_set_names():
        (tmp_path / rules).write_text(
            f'[Rules "{rules}"]\n[FirstLevel "random"]\n[SecondLevel "random"]\n*'
        )
        _check_self_play(rules, terminal.type(f"load {rules}"))


def _check_self_play(rules: str, output: str) -> None:
    game = Game(rules, ply_limit=200)
    parts = re.split(r"Move \d+: .* plays (.+)\.\n", output)
    assert shows(parts[0], game)
    for move, shown in zip(parts[1::2], parts[2::2], strict=True):
        game.play(move)
        assert shows(shown, game)
    assert game.outcome
    assert spell(game.explain(), game.rules) in output.replace("\n", " ")


def test_one_person_plays_a_whole_game_of_each_rule_set(start: Start, tmp_path: Path) -> None:
    terminal = start("--rules", "tictactoe", "--people", "1", "--level", "random", "--seed", "1")
    for rules in rule_set_names():
        (tmp_path / rules).write_text(f'[Rules "{rules}"] *')
        _play_against_computer(terminal, rules, terminal.type(f"load {rules}"))
    assert terminal.quit() == 0


def _play_against_computer(terminal: Terminal, rules: str, shown: str) -> None:
    game = Game(rules)
    first, second = game.rules.players
    assert f"You are {first}; the computer (random) is {second}." in shown
    chance = random.Random(rules)
    while not game.outcome:
        assert shows(shown, game)
        assert f"\n{first} to move (" in shown
        moves = game.legal_moves()
        wins = [move for move in moves if game.position.play(move).lines(game.turn)]
        move = wins[0] if wins else chance.choice([move for move in moves if move.places] or moves)
        shown = terminal.type(str(move))
        game.play(move)
        before, *_ = shown.partition(" plays ")
        assert shows(before, game)  # document 004: before each move, the computer's too
        for answer in computer_moves(shown):
            game.play(answer)
        assert game.turn == 0 or game.outcome
    assert shows(shown, game)
    winner = game.outcome.winner
    assert ("\nDraw" if winner is None else f"\n{('You', 'The computer')[winner]} won. ") in shown


TWO_PEOPLE = (
    # Scenarios 1 and 3 of document 002, in its own coordinates.
    ("tictactoe", "(0,0) (1,0) (0,1) (1,1) (0,2)", "X wins with the line a3-b3-c3."),
    (
        "tictactoe",
        "(0,0) (0,1) (0,2) (1,0) (1,2) (1,1) (2,0) (2,2) (2,1)",
        "Draw: every square is occupied and nobody has a line.",
    ),
    (
        "gobblers",
        " ".join((*SAME_SQUARE_EXAMPLE, "a3b2")),
        "P1 wins: lifting a3 revealed P1's line a1-a2-a3.",
    ),
    ("gobblers-official", "La1 Mb2 Sa2 sc3 Ma3", "Red wins with the line a1-a2-a3."),
    ("gobblet", "4a1 4a4 4b1 4b4 4c1 4a3 3d1", "White wins with the line a1-b1-c1-d1."),
    ("gobblet-house", "4AA 4AD 4BA 4BD 4CA 4AC 3DA", "Player 1 wins with the line AA-BA-CA-DA."),
)


def test_two_people_play_a_whole_game_of_each_rule_set(start: Start, tmp_path: Path) -> None:
    terminal = start("--rules", "gobblers", "--people", "2")
    for rules, moves, end in TWO_PEOPLE:
        (tmp_path / rules).write_text(f'[Rules "{rules}"] *')
        shown = terminal.type(f"load {rules}")
        game = Game(rules)
        for move in moves.split():
            assert f"\n{game.rules.players[game.turn]} to move" in shown
            shown = terminal.type(move)
            game.play(move)
            assert shows(shown, game)
        assert f"\n{end}\n" in shown
        undo = "undo, " if game.rules.take_back_after_end else ""
        assert f"The game is over (new, {undo}save FILE, quit): " in shown
        assert "is over" in terminal.type(moves.split()[0])
    assert {rules for rules, _, _ in TWO_PEOPLE} == set(rule_set_names())
    assert terminal.quit() == 0


# Document 004's screen, and document 002's program.


def test_the_board_of_document_004(start: Start) -> None:
    terminal = start("--rules", "gobblet-house", "--people", "2")
    shown = terminal.play("4 BC", "4 DD", "3 CA")
    document = """
  +----+----+----+----+
  |    |    |    | OO |
D |    |    |    | OO |
  +----+----+----+----+
  |    | XX |    |    |
C |    | XX |    |    |
  +----+----+----+----+
  |    |    |    |    |
B |    |    |    |    |
  +----+----+----+----+
  |    |    | XX |    |
A |    |    | X  |    |
  +----+----+----+----+
    A    B    C    D

Player 1 (X) Stacks: [2, 4, 4]
Player 2 (O) Stacks: [3, 4, 4]

Player 2 to move (4 BB, AA CC, help): """
    assert shown.endswith(document)
    assert "AA BA CA DA" in terminal.type("moves")  # a size 4, also onto CA
    assert "4 CA: CA shows a size 3" not in terminal.type("dd ca")
    assert "CA: O4 over X3" in terminal.type("board")


def test_tic_tac_toe_as_document_002_wants_it(start: Start) -> None:
    terminal = start("--rules", "tictactoe", "--people", "1", "--level", "easy", "--seed", "3")
    assert "You are X; the computer (easy) is O." in terminal.start
    shown = terminal.type("b2")
    game = Game("tictactoe")
    game.play("b2")
    (answer,) = computer_moves(shown)  # exactly one move of O, then it is X's turn again
    game.play(answer)
    assert shown.count("The computer (O) plays") == 1
    for wrong, reason in (
        ("b2", "occupied"),
        (answer, "occupied"),
        ("(-1,0)", "not on the 3x3 board"),
        ("(3,5)", "not on the 3x3 board"),
        ("d4", "not on the 3x3 board"),
    ):
        refused = terminal.type(wrong)
        assert reason in refused
        assert refused.count("\n") <= 3  # the echo and one sentence
        assert "X to move" in refused
    assert shows(terminal.type("board"), game)
    assert "over" not in shown
    terminal.type("resign")
    assert "the game is over" in terminal.type("a1")
    again = terminal.type("new")
    assert "You are X; the computer (easy) is O." in again
    assert shows(again, Game("tictactoe"))
    assert "X to move" in again
    assert "at the level hard" in terminal.type("level hard")
    assert "the computer (hard) is O." in terminal.type("new")
    refused = terminal.type("level best")
    assert "there is no level 'best'; levels are random, 1, 2, 3, perfect, easy, " in refused


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_keys_pressed_while_the_computer_thinks_are_thrown_away(
    start: Start, tmp_path: Path, term: str
) -> None:
    """Document 002: "Prevent moves during AI's turn"."""
    terminal = start("--rules", "tictactoe", "--people", "1", "--level", "easy", term=term)
    terminal.press("a1\na2\na3\nb")
    terminal.read()
    assert "'b'" not in terminal.type("")
    assert "Saved as" in terminal.type("save game.txt")
    assert len(read_record((tmp_path / "game.txt").read_text()).moves) == 2


# Typing errors.


def test_mistakes_cost_nothing_and_get_one_sentence(start: Start) -> None:
    terminal = start("--rules", "gobblers", "--people", "2")
    shown = terminal.play("3b2", "1a1")
    for wrong, sentence in (
        ("xyzzy", "'xyzzy' is not a move; moves are written like 3c3 or a1c3."),
        ("hepl", "'hepl' is neither a move nor a command (did you mean help?)."),
        ("3b2", "3b2: b2 shows a size 3; a size 3 can only land on smaller pieces."),
        ("a1c3", "a1c3: a1 shows P2's piece, and it is P1's turn."),
        ("b2b2", "b2b2: a piece cannot go back to its own square."),
        ("4a1", "there is no size 4; sizes are 1 to 3."),
        ("undo 3", "undo stands alone, without '3'."),
        ("save", "save needs something after it: save FILE."),
        ("draw", "gobblers knows no draw by agreement."),
        ("accept", "gobblers knows no draw by agreement."),
        ("peek b2", "gobblers does not allow looking under pieces."),
        ("touch b2", "touching a piece has no meaning here: touch-move is not played."),
        ("level hard", "no computer plays in this game."),
        ("redo", "there is nothing to do again."),
        ("", ""),
        ("\x00\x07 é ☃", "is not a move"),
    ):
        answer = terminal.type(wrong)
        assert sentence in answer
        assert "P1 to move" in answer
        assert answer.count("\n") <= 3
    assert _picture_part(shown) == _picture_part(terminal.type("board"))
    page = terminal.type("help")
    for command in COMMANDS:
        applies = command.name not in ("peek", "touch", "draw", "accept", "decline", "level")
        assert (f"\n  {command.usage} " in page) == applies
    assert terminal.quit() == 0


def _picture_part(shown: str) -> str:
    """The last board shown, and what follows it."""
    return shown[shown.rindex("\n\n  +----+") :]


def test_moves_marks_those_that_lose_at_once(start: Start) -> None:
    terminal = start("--rules", "gobblers", "--people", "2")
    shown = terminal.play(*SAME_SQUARE_EXAMPLE)
    assert "a3: O2 over X1" in shown
    page = terminal.type("moves")
    assert "Move a3 to:      b1! c1! b2! c2! b3! c3!\n" in page
    assert "Place size 3 on: b1 c1 a2 b2 c2 a3 b3 c3\n" in page
    assert "! loses at once" in page


def test_the_questions_ask_again(start: Start) -> None:
    terminal = start(until=r"\]: ")
    assert "3  gobblers-official  Gobblet Gobblers, official rules" in terminal.start
    for wrong, sentence in (
        ("chess", "unknown rule set 'chess'"),
        ("9", "there is no game 9; the numbers are 1 to 5."),
        ("./none.toml", "./none.toml: the rule set cannot be read"),
    ):
        assert sentence in terminal.type(wrong, r"\]: ")
    assert "How many people" in terminal.type("3", r"\]: ")
    assert "'three' is not 0, 1 or 2." in terminal.type("three", r"\]: ")
    assert "level" in terminal.type("", r"\]: ")
    assert "'grand' is not a level" in terminal.type("grand", r"\]: ")
    assert "You are Red; the computer (easy) is Blue." in terminal.type("Easy")


# Leaving.


def test_leaving_by_control_c_and_by_the_end_of_input(start: Start) -> None:
    options = ("--rules", "tictactoe", "--people", "2")
    terminal = start(*options)
    assert terminal.leave(CONTROL_C) == 130
    terminal = start(*options)
    assert terminal.leave(CONTROL_D) == 0
    terminal = start("--rules", "tictactoe", until=r"\]: ")
    assert terminal.leave(CONTROL_C) == 130
    terminal = start("--rules", "tictactoe", until=r"\]: ")
    assert terminal.leave(CONTROL_D) == 0


def test_several_games_in_one_file(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text('[Rules "tictactoe"]\n[Date "2001-02-03"]\n1. b2 *\n')
    terminal = start("--rules", "gobblers", "--people", "2")
    terminal.type("3b2")
    days = {datetime.date.today().isoformat()}
    assert "Added to games.txt." in terminal.type("append games.txt")
    assert "Game 2 of 2." in terminal.type("load games.txt")
    assert "P1 to move" in terminal.type("3a1")
    assert "games.txt holds 2 games, which would be lost" in terminal.type("save games.txt")
    shown = terminal.type("load games.txt 1")
    assert "Game 1 of 2." in shown
    assert "O to move" in shown
    assert "there is no game 3; the file has 2 games." in terminal.type("load games.txt 3")
    records = read_records(file.read_text())
    assert [(record.rules.name, len(record.moves)) for record in records] == [
        ("tictactoe", 1),
        ("gobblers", 1),
    ]
    # What was loaded keeps its date; what is new has today's.
    terminal.type("save again.txt")
    assert read_record((tmp_path / "again.txt").read_text()).tags["Date"] == "2001-02-03"
    assert records[1].tags["Date"] in days | {datetime.date.today().isoformat()}
    terminal.quit()
    assert "O to move" in start("--load", "games.txt", "--game", "1").start


def test_moves_without_tags_are_a_record_of_the_rule_set_in_use(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "moves.txt").write_text("1. 3b2 3a1")
    terminal = start("--rules", "gobblers-official", "--people", "2")
    shown = terminal.type("load moves.txt")
    assert "Gobblet Gobblers, official rules" in shown
    assert "Red to move" in shown
    terminal.quit()
    assert "P1 to move" in start("--load", "moves.txt", "--rules", "gobblers").start


# Undo.


def test_undo_takes_back_the_answer_of_the_computer_too(start: Start) -> None:
    terminal = start("--rules", "gobblers", "--people", "1", "--level", "random", "--seed", "5")
    assert "there is nothing to take back" in terminal.type("undo")
    shown = terminal.type("3b2")
    (answer,) = computer_moves(shown)
    undone = terminal.type("undo")
    assert f"Taken back: 3b2, {answer}." in undone
    assert shows(undone, Game("gobblers"))
    redone = terminal.type("redo")
    assert f"Played again: 3b2, {answer}." in redone
    assert _picture_part(redone) == _picture_part(shown)
    assert "The computer won. P2 wins: P1 resigned." in terminal.type("resign")
    assert _picture_part(terminal.type("undo")) == _picture_part(shown)


def test_when_the_computer_begins(start: Start) -> None:
    terminal = start(
        "--rules", "gobblers", "--people", "1", "--level", "random", "--first", "computer"
    )
    assert "You are P2; the computer (random) is P1." in terminal.start
    (first,) = computer_moves(terminal.start)
    assert "there is nothing to take back" in terminal.type("undo")
    assert "can only land on smaller pieces" in terminal.type(first)
    assert "Hint: " in terminal.type("hint")
    assert "The computer (P1) plays" in terminal.type("new")


# Files.


def test_save_and_load(start: Start, tmp_path: Path) -> None:
    terminal = start("--rules", "gobblers", "--people", "1", "--level", "random", "--seed", "2")
    shown = terminal.play("3b2")
    assert "Saved as game.txt." in terminal.type("save game.txt")
    written = (tmp_path / "game.txt").read_text()
    game = Game.from_record(read_record(written))
    assert game.moves[0] == Move("3b2")
    assert [seat.level for seat in game.seats] == [None, "random"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.txt"]

    (tmp_path / "notes").write_text("not ours")
    (tmp_path / "broken.txt").write_text('[Rules "gobblers"]\n1. 3b2 2b2')
    (tmp_path / "level.txt").write_text('[Rules "gobblers"]\n[FirstLevel "divine"]\n*')
    for wrong, sentence in (
        ("save notes", "notes already exists and is not a record; choose another name."),
        ("save no/such/folder/game", "cannot be written: no such file or directory."),
        ("save .", ". is a folder; name a file."),
        ("save /dev/null", "/dev/null is not an ordinary file."),
        ("load missing", "missing cannot be read: no such file or directory."),
        ("load notes", "'not' is not a move"),
        ("load broken.txt", "broken.txt: line 2: move 1 of P2: 2b2: b2 shows a size 3"),
        ("load level.txt", "there is no level 'divine'"),
    ):
        answer = terminal.type(wrong)
        assert sentence in answer
        assert "P1 to move" in answer
    assert (tmp_path / "notes").read_text() == "not ours"
    assert _picture_part(terminal.type("board")) == _picture_part(shown)

    terminal.type("new")
    assert _picture_part(terminal.type("load game.txt")) == _picture_part(shown)
    assert "Taken back: 3b2, " in terminal.type("undo")
    (tmp_path / "bare.txt").write_text('[Rules "tictactoe"] 1. b2 a1 *')
    assert "You are X; the computer (random) is O." in terminal.type("load bare.txt")
    assert terminal.quit() == 0
    terminal = start("--load", "game.txt")
    assert _picture_part(terminal.start) == _picture_part(shown)


def test_a_rule_set_of_ones_own(start: Start, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'like = "gobblers"\ntitle = "Mine"\nboard = 2\nline = 2\nstock = [1, 1]\n'
        'players = ["Ann", "Ben"]\nsymbols = ["A", "B"]\n'
    )
    terminal = start("--rules", "./mine.toml", "--people", "2")
    assert "Ann to move (2b2, a1b2, help): " in terminal.start
    assert "Saved" in terminal.type("save game.txt")
    assert "Ann wins with the line a1-b2." in terminal.play("2a1", "1b1", "1b2")
    assert "Ann to move" in terminal.type("load game.txt")


# Agreement, touched pieces, covered pieces.


def test_draw_offers_between_two_people(start: Start) -> None:
    terminal = start("--rules", "gobblet", "--people", "2")
    offered = terminal.type("draw")
    assert "Black: White offers a draw (accept, decline): " in offered
    assert "first type accept or decline" in terminal.type("4a1")
    declined = terminal.type("decline")
    assert "The draw is declined." in declined
    assert "White to move" in declined
    assert "nobody has offered Black a draw" in terminal.type("accept")
    terminal.play("4a1", "draw")
    assert "\nDraw by agreement.\n" in terminal.type("accept")
    assert "Black to move" in terminal.type("undo")
    assert "White wins: Black resigned." in terminal.type("resign")


def test_draw_offers_to_the_computer(start: Start, tmp_path: Path) -> None:
    (tmp_path / "winning.txt").write_text(
        '[Rules "gobblet"]\n[SecondLevel "easy"]\n1. 4a1 4a4 2. 4b1 4b4 3. 4c1 4a3 *'
    )
    terminal = start("--rules", "gobblet", "--people", "1", "--level", "easy", "--seed", "1")
    declined = terminal.type("draw")
    assert "The computer declines the draw." in declined
    assert "White to move" in declined
    terminal.type("load winning.txt")
    assert "Hint: 3d1; it wins at once." in terminal.type("hint")
    accepted = terminal.type("draw")
    assert "The computer accepts the draw." in accepted
    assert "\nDraw by agreement.\n" in accepted


def test_touched_pieces(start: Start, tmp_path: Path) -> None:
    (tmp_path / "stuck.txt").write_text(f'[Rules "gobblet"]\n[Position "{CANNOT_MOVE}"]\n*')
    terminal = start("--rules", "gobblet", "--people", "2")
    terminal.play("4a1", "4d4")
    assert "White plays a1 to (a square, help): " in terminal.type("touch a1")
    assert "White has touched a1 and must play it." in terminal.type("4b2")
    page = terminal.type("moves")
    assert "Move a1 to: b1" in page
    assert "Place" not in page
    assert "Black to move" in terminal.type("c3")
    assert "White to move" in terminal.type("load stuck.txt")
    assert "Black wins: White touched a1, which cannot be played." in terminal.type("touch a1")
    terminal.quit()
    terminal = start("--rules", "gobblet", "--people", "2", "--no-touch")
    assert "touch-move is not played" in terminal.play("4a1", "4d4", "touch a1")


MOVED = "1. 4a1 4d4 2. a1b1 4c4 *"
AGREE = r"\(yes,\s+no\)\? "


def test_taking_back_frees_no_touched_piece(start: Start, tmp_path: Path) -> None:
    """Document 003: "Once you touch a gobblet that is on the board, you must play it"."""
    (tmp_path / "game.txt").write_text(f'[Rules "gobblet"]\n[SecondLevel "random"]\n{MOVED}')
    terminal = start("--load", "game.txt")
    must_play = "White plays a1 to (a square, help): "
    assert must_play in terminal.type("undo")
    assert "taking back does not free a touched piece" in terminal.type("undo").replace("\n", " ")
    assert "must play it" in terminal.type("4b2")
    terminal.type("save touched.txt")
    assert "White to move" in terminal.type("new")
    assert must_play in terminal.type("load touched.txt")
    assert "does not free" in terminal.type("undo").replace("\n", " ")
    assert "The computer (Black) plays" in terminal.type("b2")


def test_between_people_a_touched_piece_is_free_if_the_other_agrees(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "game.txt").write_text(f'[Rules "gobblet"]\n{MOVED}')
    terminal = start("--load", "game.txt")
    assert "Black to move" in terminal.type("undo")  # a new piece was not touched on the board
    assert "Black: White has touched a piece" in terminal.type("undo", AGREE)
    assert "White plays a1 to" in terminal.type("no")
    terminal.type("undo", AGREE)
    assert "does not free" in terminal.type("no").replace("\n", " ")
    terminal.type("undo", AGREE)
    assert "White to move" in terminal.type("yes")
    assert "Black to move" in terminal.type("4b2")


def test_a_finished_game_of_tictactoe_takes_only_a_new_game(start: Start) -> None:
    """Document 002: "Game must be explicitly reset to play again"."""
    terminal = start("--rules", "tictactoe", "--people", "2")
    over = "The game is over (new, save FILE, quit): "
    assert over in terminal.play("a3", "a2", "b3", "b2", "c3")
    for typed in ("undo", "redo", "a1", "resign", "moves"):
        assert over in terminal.type(typed)
    assert "X to move" in terminal.type("new")


def test_gobblers_official_begins_with_peek_and_open_is_one_choice_away(start: Start) -> None:
    options = ("--rules", "gobblers-official", "--people", "2")
    moves = ("1a1", "1b2", "2a1")
    terminal = start(*options)
    assert " over " not in terminal.play(*moves)
    terminal = start(*options, "--visibility", "open")
    assert "a1: R2 over R1" in terminal.play(*moves)


def test_in_tictactoe_the_computer_does_not_begin(start: Start, tmp_path: Path) -> None:
    """Document 002: "Player is always X", "Player makes first move"."""
    sentence = "in tictactoe a person who plays the computer is X and begins; the computer is O"
    terminal = start(
        "--rules", "tictactoe", "--people", "1", "--level", "easy", "--first", "computer", until=""
    )
    assert terminal.leave() == 2
    assert sentence in terminal.rest.replace("\n", " ")
    (tmp_path / "game.txt").write_text('[Rules "tictactoe"]\n[FirstLevel "easy"]\n*')
    terminal = start("--rules", "gobblers", "--people", "2")
    assert sentence in terminal.type("load game.txt").replace("\n", " ")


def test_a_narrow_screen_is_broken_at_words(start: Start) -> None:
    options = ("--rules", "gobblet-house", "--people", "2")
    wide, narrow = start(*options), start(*options, columns=40)
    for typed in ("help", "4 AA", "4 BB", "AA CC", "BB AA", "moves", "4 AA", "hepl", "resign"):
        one, other = wide.type(typed), narrow.type(typed)
        assert max(map(len, other.splitlines())) <= 40
        assert len(other.splitlines()[-1]) <= 32  # there is room to type
        assert other.split() == one.split()
    assert narrow.quit() == 0


def test_peeking_under_own_pieces(start: Start) -> None:
    options = ("--rules", "gobblers-official", "--people", "2", "--visibility", "peek")
    terminal = start(*options)
    assert "Covered pieces stay hidden until the end." in terminal.start.replace("\n", " ")
    terminal.play("1a1", "1b2", "2a1")
    assert "a1 shows Red's piece; Blue can only lift own pieces." in terminal.type("peek a1")
    assert "Nothing lies under b2." in terminal.type("peek b2")
    terminal.type("3c3")
    assert "a1: R2 over R1." in terminal.type("peek a1")
    terminal.quit()
    terminal = start(*options, term="xterm-256color")
    terminal.play("1a1", "1b2", "2a1", "3c3")
    assert "a1: R2 over R1." in terminal.type("peek a1", "put the piece back: ")
    assert f"{ESCAPE}[2A{ESCAPE}[J" in terminal.type("")


def test_memory_hides_covered_pieces_until_the_end(start: Start, tmp_path: Path) -> None:
    terminal = start("--rules", "gobblers", "--people", "2", "--visibility", "memory")
    assert "Hint: " in terminal.type("hint")  # nothing is covered yet
    secret = "a3: O2 over X1"
    seen = [terminal.type(move) for move in SAME_SQUARE_EXAMPLE]
    seen += [terminal.type(word) for word in ("moves", "hint", "board", "peek a3", "help")]
    seen.append(terminal.type("save secret.txt"))
    assert "do not read it before the end" in seen[-1].replace("\n", " ")
    assert not any(" over " in shown or "!" in shown.split("help")[0] for shown in seen[:-2])
    assert "there are no hints while pieces lie covered" in seen[6]
    assert "Taken back: 3a1." in terminal.type("undo")
    assert secret not in terminal.type("redo")
    terminal.type("3c3")
    terminal.type("a2b2")
    assert "taking that back would be a look under it" in terminal.type("undo")
    assert secret not in terminal.type("load secret.txt")
    assert secret in terminal.type("resign")
    assert "the covered pieces have been shown" in terminal.type("undo")


# Dumb terminals.


def test_colour_only_where_it_can_be_seen(start: Start) -> None:
    options = ("--rules", "gobblers", "--people", "2")
    assert ESCAPE in start(*options, term="xterm-256color").type("3b2")
    assert ESCAPE not in start(*options, "--plain", term="xterm-256color").type("3b2")
    assert ESCAPE not in start(*options, term="dumb").type("3b2")
