"""Random records of games as people write them: every spelling, comments, variations, mistakes."""

import random

from nestline.position import Move, Position, Side
from nestline.record import RESULTS
from nestline.rules import RuleSet
from nestline.values import REASONS

LETTERS = (
    *"xXabcdeslmwb0123456789", *"{}()[];.,*-/\\\"'", "½-½", "1-0", " ", "\n", "\t", "\u2003",
    "\x85", "é", "→", "...", "[Rules ", "{a}", "; b\n", "\x07", "\ufeff", "😀",
)  # fmt: skip
REMARKS = ("good", "a (b) c", "[x]", "two\nlines", "é “”", "")


def spelled(square: str, rules: RuleSet, chance: random.Random) -> str:
    """A square in one of its spellings."""
    row, column = int(square[1]) - 1, "abcd".index(square[0])
    spelling = f"{rules.board - 1 - row},{column}"
    spellings = (square, square, square.upper(), f"({spelling})", f"( {spelling} )",
                 "abcd"[column] + "abcd"[row], spelling)  # fmt: skip
    return chance.choice(spellings)


def spelled_move(move: Move, rules: RuleSet, chance: random.Random) -> str:
    """A move in one of its spellings."""
    target = spelled(move.target, rules, chance)
    if move.origin is not None:
        between = chance.choice(("", "-", "->", " → ", "x", " x ", " ", "\t"))
        return spelled(move.origin, rules, chance) + between + target
    size = str(move.size)
    if rules.sizes == 3 and chance.random() < 0.3:
        size = chance.choice(("sml", "SML"))[int(size) - 1]
    return size + chance.choice(("", "", " ", "  ")) + target


def random_record(rules: RuleSet, start: Position, chance: random.Random) -> str:
    """A record of a game from a position; many are damaged, and some never were right."""
    tags = _random_tags(rules, chance)
    if start != Position.start(rules):
        tags.append(("Position", str(start)))
    chance.shuffle(tags)
    if chance.random() < 0.98:
        tags.insert(0, (chance.choice(("Rules", "rules")), rules.name))
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags]
    words = _line(start, chance.randint(0, 20), 1, 0, chance)
    if chance.random() < 0.7:
        words.append(chance.choice((*RESULTS, "*", "½-½")))
    text = chance.choice(("\n", " ", "")).join(head) + "\n" + " ".join(words)
    if chance.random() < 0.4:
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(text) + 1)
            length = chance.choice((0, 0, 1, 1, 3))
            text = text[:place] + chance.choice((*LETTERS, "")) + text[place + length :]
    return text


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _random_tags(rules: RuleSet, chance: random.Random) -> list[tuple[str, str]]:
    choices = (
        ("First", ("Ann", rules.players[0], "Computer", 'A "B" \\C', "x" * 50, "tab\there", " ")),
        ("Second", ("Bob", "Person", "  two   words ", "é")),
        ("Date", ("2020.01.02", "????.??.??")),
        ("Event", ("Club", "a\u2003b", "é")),
        ("Result", (*RESULTS, "*", "1-1")),
        ("Termination", (*REASONS, "unfinished", "boredom")),
        ("Visibility", ("open", "peek", "memory", "dark")),
        ("TouchMove", ("yes", "no", "No", "perhaps")),
        ("PlyLimit", ("5", "200", "0", "ten")),
        ("Touched", ("b2", "(1,1)", "a1", "z9")),
        ("DrawOffer", ("first", "Second", "nobody")),
        ("FirstLevel", ("3",)),
        ("SecondLevel", ("perfect",)),
        ("date", ("2021.01.01",)),
    )
    return [(name, chance.choice(values)) for name, values in choices if chance.random() < 0.08]


def _line(
    position: Position, plies: int, number: int, depth: int, chance: random.Random
) -> list[str]:
    words = []
    if chance.random() < 0.1:
        words.append(f"{{{chance.choice(REMARKS)}}}")
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        is_first = position.turn == Side.FIRST
        if chance.random() < 0.8:
            dots = chance.choice((".", ".", " .", "", "...")) if is_first else "..."
            words += [f"{number}{dots}"] if is_first or chance.random() < 0.1 else []
        move = chance.choice(moves)
        words.append(spelled_move(move, position.rules, chance))
        if chance.random() < 0.1:
            words.append(chance.choice((f"{{{chance.choice(REMARKS)}}}", "; to the end\n")))
        while depth < 3 and chance.random() < 0.1:
            inner = " ".join(_line(position, chance.randint(0, 3), number, depth + 1, chance))
            words.append(f"({inner})")
        number += position.turn == Side.SECOND
        position = position.play(move)
    return words
