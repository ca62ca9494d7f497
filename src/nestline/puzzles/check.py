"""Checks puzzles against the tablebase or the prover: whatever `Puzzle` promises."""

from collections.abc import Callable, Iterable

from nestline.errors import NestlineError
from nestline.position import Position
from nestline.puzzles.find import PROOF_MARGIN, SHORTEST, shape
from nestline.puzzles.judges import Judge
from nestline.puzzles.puzzle import ATTEMPTS, Puzzle, PuzzleError
from nestline.rules import RuleSet


def check_puzzle(puzzle: Puzzle, rules: RuleSet, judge: Judge) -> None:
    """`PuzzleError` if the puzzle is not sound."""
    try:
        position = Position(puzzle.position, rules)
    except NestlineError as error:
        raise PuzzleError(str(error)) from None

    def require(is_so: bool, what: str) -> None:
        if not is_so:
            raise PuzzleError(f"{puzzle.position}: {what}")

    require(puzzle.plies >= SHORTEST and puzzle.plies % 2 == 1, "the solver moves last")
    require(0 <= puzzle.fails <= ATTEMPTS, f"of {ATTEMPTS} attempts {puzzle.fails} cannot fail")
    spoils = judge.longest or puzzle.plies + PROOF_MARGIN
    solver = position.turn
    for place, move in enumerate(puzzle.line):
        left = puzzle.plies - place
        if position.turn == solver:
            wins = {str(won): plies for won, plies in judge.wins(position, spoils).items()}
            require(wins.get(move) == left, f"{move} does not win in {left} plies")
            require(left == 1 or len(wins) == 1, f"besides {move} there are other wins")
        else:
            defences = [str(each) for each in judge.defences(position, left)]
            require(move in defences, f"{move} does not hold out longest")
        position = position.play(move)
        spoils = left - 1
    outcome = position.outcome()
    require(outcome is not None and outcome.winner == solver, "the line ends before the win")


def check_duplicates(puzzles: Iterable[Puzzle], rules: RuleSet) -> None:
    """`PuzzleError` if two puzzles are images of each other, or the same in other colours."""
    seen: dict[tuple[int, int], str] = {}
    for puzzle in puzzles:
        key = shape(Position(puzzle.position, rules))
        if key in seen:
            raise PuzzleError(f"{puzzle.position} is an image of {seen[key]}")
        seen[key] = puzzle.position


def check_all(
    rules: RuleSet, puzzles: list[Puzzle], judge: Judge,
    told: Callable[[float], None] = lambda part: None,
) -> None:  # fmt: skip
    """Everything about a whole file."""
    check_duplicates(puzzles, rules)
    for place, puzzle in enumerate(puzzles):
        check_puzzle(puzzle, rules, judge)
        told(place / len(puzzles))
