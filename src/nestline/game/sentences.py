"""The result of a game in sentences for people; `game` decides the result and the reason."""

from nestline.position import Move, Outcome, Position, Side


def count_plies(plies: int) -> str:
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def count_moves(plies: int) -> str:
    """The same in the words of people."""
    return f"{plies} move{'s' * (plies != 1)}"


def explain_win(
    outcome: Outcome, position: Position, last_move: Move | None, touched: str | None
) -> str:
    """Who won and how, as a sentence."""
    assert outcome.winner is not None
    players = position.rules.players
    winner, loser = players[outcome.winner], players[outcome.winner.other]
    # Where a line loses, the one that counts is the loser's.
    owner = outcome.winner.other if position.rules.misere else outcome.winner
    if outcome.reason == "line":
        if position.rules.misere:
            text = f"{winner} wins: {loser} has made the {_lines_of(owner, position)}, which loses"
        else:
            text = f"{winner} wins with the {_lines_of(owner, position)}"
        if position.lines(owner.other):
            other = players[owner.other]
            text += f", although {other} has the {_lines_of(owner.other, position)} too"
    elif outcome.reason == "reveal":
        lifted = last_move.origin if last_move else None
        how = f"lifting {lifted} revealed" if lifted else "there stands"
        text = f"{winner} wins: {how} {players[owner]}'s {_lines_of(owner, position)}"
    elif outcome.reason == "no-move":
        text = f"{winner} wins: {loser} has no legal move"
    elif outcome.reason == "touch":
        text = f"{winner} wins: {loser} touched {touched or 'a piece'}, which cannot be played"
    else:
        text = f"{winner} wins: {loser} resigned"
    return f"{text}."


def explain_draw(reason: str, position: Position, plies: int, times: int, has_limit: bool) -> str:
    """Why nobody won, as a sentence; the position has occurred this many `times`."""
    sentences = {
        "both-lines": "Draw: both players have a line.",
        "repetition": f"Draw: the same position has occurred {times} times.",
        "all-placed": "Draw: all pieces are on the board and nobody has a line.",
        "board-full": "Draw: every square is occupied and nobody has a line.",
        "no-move": f"Draw: {position.rules.players[position.turn]} has no legal move.",
        "agreement": "Draw by agreement.",
        "unfinished": f"Unfinished after {count_moves(plies)}"
        f"{', the limit of this game' * has_limit}; it counts as a draw.",
    }
    return sentences[reason]


def _lines_of(side: Side, position: Position) -> str:
    lines = ["-".join(line) for line in position.lines(side)]
    return f"line{'s' * (len(lines) > 1)} {' and '.join(lines)}"
