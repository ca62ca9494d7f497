"""A game in progress: what the players have done, may do, and may see.

`Position` decides whether a move is legal; this module has the rules that need a history or two
people: repetition, agreement, resignation, touched pieces, peeking, undo.

>>> game = Game("tictactoe")
>>> for move in ("a3", "a2", "b3", "b2", "c3"):
...     game.play(move)
>>> game.outcome
Outcome(winner=Side.FIRST, reason='line')
>>> game.explain()
'X wins with the line a3-b3-c3.'

A refused action raises `GameError`, `IllegalMove` or `NotationError`, and leaves the game
unchanged.
"""

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter

from nestline import notation
from nestline.errors import GameError
from nestline.game.seats import Seat, Status
from nestline.game.sentences import count_plies, explain_draw, explain_win
from nestline.game.tags import read_end, read_options
from nestline.position import Move, Outcome, Piece, Position, Side
from nestline.record import Line, Record, RecordedMove
from nestline.rules import RuleSet, load_rules
from nestline.rules.schema import VISIBILITIES
from nestline.values import picture_of

PLIES_WITHOUT_PEOPLE = 200
"""Some rules let a game go on forever, so a game between computers needs a ply limit."""


@dataclass(frozen=True, slots=True)
class _State:
    """The game after one action; a game is a list of these."""

    position: Position
    ply: int
    move: Move | None = None
    touched: str | None = None
    outcome: Outcome | None = None
    by_computer: bool = False
    """Whether the computer played the move; whoever holds the seat later does not matter."""


_PLY = attrgetter("ply")


class Game:
    """One game from its first move to its end."""

    def __init__(
        self,
        rules: str | RuleSet | None = None,
        *,
        start: Position | None = None,
        seats: tuple[Seat, Seat] | None = None,
        visibility: str | None = None,
        touch_move: bool | None = None,
        ply_limit: int | None = None,
        lenient: bool = False,
    ) -> None:
        """Start a game; of `gobblers`, unless rules or a start position are given.

        `visibility` and `touch_move` default to the rule set's; `ply_limit` ends a game between
        computers as `unfinished`, which is a rule of the match, not of the game. `lenient` is for
        games stored by earlier versions, which continue as they began: with the computer on any
        seat, and with an undo that releases touched pieces and reopens any finished game.
        """
        if start is not None and not isinstance(start, Position):
            raise GameError(f"a game starts from a Position, not from {start!r}")
        if start and rules and load_rules(rules) != start.rules:
            raise GameError(f"a game of {load_rules(rules).name} cannot start from a position of "
                            f"{start.rules.name}")  # fmt: skip
        self.rules = start.rules if start else load_rules(rules or "gobblers")
        self.start = start or Position.start(self.rules)
        self.lenient = lenient
        first, second = self.rules.players
        self.seats = (Seat(first), Seat(second)) if seats is None else seats
        visibility = self.rules.visibility if visibility is None else visibility
        if visibility not in VISIBILITIES:
            raise GameError(f"visibility is one of {', '.join(VISIBILITIES)}, not {visibility!r}")
        if visibility == "peek" and not self.rules.peek:
            raise GameError(f"{self.rules.name} does not allow looking under pieces")
        self.visibility = visibility
        if touch_move and not self.rules.touch_move:
            raise GameError(f"{self.rules.name} has no rule about touched pieces")
        self.touch_move = self.rules.touch_move if touch_move is None else touch_move
        if ply_limit is not None and not (isinstance(ply_limit, int) and ply_limit >= 1):
            raise GameError(f"a limit on plies is a whole number of at least 1, not {ply_limit!r}")
        self.ply_limit = ply_limit
        self.reset()

    def reset(self) -> None:
        """Start again: same players, same difficulty, same options."""
        self.tags: dict[str, str] = {}
        """What a record says about this game beyond its players and options: a date, an event."""
        self._states = [_State(self.start, 0, outcome=self.start.outcome())]
        self._undone: list[_State] = []
        self._occurrences = {self.start: 1}
        self._offer: Side | None = None

    def copy(self) -> "Game":
        """An independent copy of the game."""
        game = object.__new__(type(self))
        game.__dict__.update(self.__dict__)
        game._states, game._undone = self._states.copy(), self._undone.copy()
        game._occurrences, game.tags = self._occurrences.copy(), self.tags.copy()
        return game

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Who plays the two sides."""
        return self._seats

    @seats.setter
    def seats(self, seats: tuple[Seat, Seat]) -> None:
        is_pair = isinstance(seats, (tuple, list)) and len(seats) == 2
        if not is_pair or not all(isinstance(seat, Seat) for seat in seats):
            raise GameError(f"a game has two seats, not {seats!r}")
        first, second = seats
        if self.rules.person_begins and first.is_computer > second.is_computer and not self.lenient:
            person, computer = self.rules.players
            raise GameError(f"in {self.rules.name} a person who plays the computer is {person} and "
                            f"begins; the computer is {computer}")  # fmt: skip
        self._seats = first, second

    # State.

    @property
    def position(self) -> Position:
        return self._states[-1].position

    @property
    def turn(self) -> Side:
        return self.position.turn

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far."""
        return tuple(state.move for state in self._states if state.move)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The start and the position after each move."""
        return (self.start, *(state.position for state in self._states if state.move))

    def moves_and_positions(
        self, first: int = 0, end: int | None = None
    ) -> list[tuple[Move, Position]]:
        """The moves from one number to another, each with the position after it."""
        begin = bisect(self._states, first, key=_PLY)
        end = None if end is None else bisect(self._states, end, key=_PLY)
        found = self._states[begin:end]
        return [(state.move, state.position) for state in found if state.move]

    def common_moves(self, other: "Game") -> int:
        """How many first moves two games of one start have in common.

        From the end: of two states of one game, one usually continues the other.
        """
        mine, theirs = self._states, other._states
        if mine[-1].ply > theirs[-1].ply:
            mine, theirs = theirs, mine
        last = mine[-1].ply
        if len(theirs) > 1 and theirs[-2] is mine[-1]:
            return last
        shared = [state for state in theirs[-4:] if state.ply == last and state.move]
        if shared and any(state is shared[0] for state in mine[-4:]):
            return last
        pairs = zip(self.moves, other.moves, strict=False)
        return next((index for index, (one, two) in enumerate(pairs) if one != two), last)

    @property
    def ply(self) -> int:
        """How many moves have been played."""
        return self._states[-1].ply

    @property
    def kept_states(self) -> int:
        """How many states are kept to go back to or to redo, which is what takes memory."""
        return len(self._states) + len(self._undone)

    @property
    def last_move(self) -> Move | None:
        # Mostly the last state has one; a touch or a resignation may have followed it.
        return self._states[-1].move or next(
            (state.move for state in reversed(self._states) if state.move), None
        )

    @property
    def touched(self) -> str | None:
        """The square of the touched piece, which must be played."""
        return self._states[-1].touched

    @property
    def draw_offer(self) -> Side | None:
        """The player whose draw offer is pending."""
        return self._offer

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._states[-1].outcome

    @property
    def result(self) -> str:
        """1-0, 0-1, 1/2-1/2, or * while the game goes on."""
        return self.outcome.result if self.outcome else "*"

    @property
    def status(self) -> Status:
        """The state of the game, and who won: player or computer where a person plays one."""
        if self.outcome is None:
            return Status.ONGOING
        if self.outcome.winner is None:
            return Status.UNFINISHED if self.outcome.reason == "unfinished" else Status.DRAW
        computers = [seat.is_computer for seat in self.seats]
        if sum(computers) == 1:
            return Status.AI_WON if computers[self.outcome.winner] else Status.PLAYER_WON
        return Status(f"{self.outcome.winner} won")

    @property
    def repetitions(self) -> int:
        """How often the current position has occurred, including now."""
        return self._occurrences.get(self.position, 0)

    def legal_moves(self, surviving: bool = False) -> tuple[Move, ...]:
        """The moves of the player to move; only those of the touched piece, if there is one.

        `surviving` leaves out those that lose at once by a reveal.
        """
        if self.outcome:
            return ()
        moves, touched = self.position.legal_moves(surviving), self.touched
        if touched is None:
            return moves
        return tuple(move for move in moves if move.origin == touched)

    def view(self, side: Side | None = None) -> dict[str, tuple[Piece, ...]]:
        """What a player (None: a spectator) may see on each occupied square, bottom to top.

        Covered pieces are left out while they are secret; so is their number.
        """
        if self.visibility == "open" or self.outcome:
            return dict(self.position.stacks)
        return {square: stack[-1:] for square, stack in self.position.stacks.items()}

    def peek(self, side: Side, square: str) -> tuple[Piece, ...]:
        """Lift one of your pieces, look under it and put it back: the stack from bottom to top."""
        if not self.rules.peek:
            raise GameError(f"{self.rules.name} does not allow looking under pieces")
        if self.visibility == "memory":
            raise GameError("this game is played from memory, without looking under pieces")
        self._require_own_piece(side, square)
        return self.position.stack(square)

    # Actions.

    def play(self, move: Move | str, by: Side | None = None) -> None:
        """Play a move for the player to move.

        `by` is the player who asks, who must be the one to move; callers that play for the computer
        say so.
        """
        self._require_turn(by)
        if not isinstance(move, Move):
            move = self.position.read_move(move)
        if self.touched and move.origin != self.touched:
            raise GameError(f"{move}: {self._name(self.turn)} has touched {self.touched} "
                            "and must play it")  # fmt: skip
        position = self.position.play(move)
        if self._offer == self.turn.other:
            self._offer = None  # Playing on declines the opponent's offer.
        outcome, by_computer = self._outcome_after(position), self.seats[self.turn].is_computer
        self._push(_State(position, self.ply + 1, move, None, outcome, by_computer))
        self._undone.clear()

    def touch(self, square: str, by: Side | None = None) -> None:
        """Touch one of your pieces on the board, which must then be played; if it cannot, you
        lose."""
        self._require_turn(by)
        if not self.touch_move:
            raise GameError("touching a piece has no meaning here: touch-move is not played")
        self._require_own_piece(self.turn, square)
        square = notation.read_square(square, self.rules)
        if self.touched:
            raise GameError(f"{self._name(self.turn)} has already touched {self.touched}")
        can_be_played = any(move.origin == square for move in self.position.legal_moves())
        outcome = None if can_be_played else Outcome(self.turn.other, "touch")
        self._push(_State(self.position, self.ply, touched=square, outcome=outcome))
        self._undone.clear()

    def land(self, square: str, by: Side | None = None) -> None:
        """Play the touched piece to a square."""
        self._require_turn(by)
        if not self.touched:
            raise GameError("no piece has been touched")
        target = notation.read_square(square, self.rules)
        self.play(Move(self.touched + target), by)

    def resign(self, side: Side) -> None:
        """Resign; the opponent wins."""
        self._require_ongoing()
        self._end(Outcome(_side(side).other, "resignation"))

    def offer_draw(self, side: Side) -> None:
        """Offer a draw; the offer stands until it is answered or the opponent plays on."""
        self._require_agreement()
        if self._offer is not None:
            asks = self._name(self._offer)
            raise GameError(f"{asks} has already offered a draw, which waits for an answer")
        self._offer = _side(side)

    def accept_draw(self, side: Side) -> None:
        """Accept the opponent's draw offer."""
        self._require_offer_to(side)
        self._end(Outcome(None, "agreement"))

    def decline_draw(self, side: Side) -> None:
        """Decline the opponent's draw offer; the game goes on."""
        self._require_offer_to(side)
        self._offer = None

    @property
    def can_undo(self) -> bool:
        """Whether something can be undone without the opponent's consent."""
        return self._undo_refusal(agreed=False) is None

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def undo(self, agreed: bool = False) -> None:
        """Undo the last action: a move, a touch, or the end by agreement or resignation.

        People must play a piece they have touched, and to move a piece is to touch it. So undoing a
        move leaves the piece touched, and a touch itself stays. Only the opponent's consent to the
        undo releases the piece.
        """
        if refusal := self._undo_refusal(agreed):
            raise GameError(refusal)
        taken = self._states.pop()
        self._undone.append(taken)
        self._offer = None
        if taken.move is None:
            return
        self._occurrences[taken.position] -= 1
        is_free = agreed or self.lenient or taken.by_computer
        if self.touch_move and taken.move.origin and not is_free:
            self._push(_State(self.position, self.ply, touched=taken.move.origin))

    def secrecy_refusal(self, ply: int) -> str | None:
        """Why going back to this ply would be a look under pieces, in words; None if it would not.

        `undo` itself does not check: the interfaces do, since only they know who is looking.
        """
        if self.visibility == "open":
            return None
        if self.outcome:
            return "the covered pieces have been shown; this game cannot go on"
        before = self.positions[ply:]
        for move, position in zip(self.moves[ply:], before, strict=False):
            if move.origin:
                return "a piece was lifted, and taking that back would be a look under it"
            if position.top(move.target):
                return "a piece was covered, and taking that back would show it again"
        return None

    def redo(self) -> None:
        """Redo what was last undone."""
        if not self.can_redo:
            raise GameError("there is nothing to do again")
        self._push(self._undone.pop())
        self._offer = None

    # The game in words, and as a record.

    def __repr__(self) -> str:
        after = count_plies(self.ply)
        return f"<Game of {self.rules.name} after {after}, {self.status}: {self.position}>"

    def _repr_svg_(self) -> str | None:
        return picture_of(self)

    def explain(self) -> str:
        """The result and its reason as a sentence for people."""
        outcome = self.outcome
        if outcome is None:
            return f"{self._name(self.turn)} is to move."
        if outcome.winner is not None:
            return explain_win(outcome, self.position, self.last_move, self.touched)
        has_limit = self.ply_limit is not None
        return explain_draw(outcome.reason, self.position, self.ply, self.repetitions, has_limit)

    def to_record(self, tags: Mapping[str, str] | None = None) -> Record:
        """The game as a record; `tags`, such as a date, are added unless it has them already."""
        options = {"First": self.seats[0].name, "Second": self.seats[1].name}
        options |= dict(tags or {}) | self.tags
        reason = self.outcome.reason if self.outcome else "unfinished"
        options["Termination"] = reason
        for tag, seat in zip(("FirstLevel", "SecondLevel"), self.seats, strict=True):
            if seat.level is not None:
                options[tag] = seat.level
        if (self.visibility, self.rules.visibility) != ("open", "open"):
            # Without the tag a record is open.
            options["Visibility"] = self.visibility
        if self.touch_move != self.rules.touch_move:
            options["TouchMove"] = "no"
        if self.ply_limit is not None:
            options["PlyLimit"] = str(self.ply_limit)
        if self.touched:
            options["Touched"] = self.touched
        if self._offer is not None:
            options["DrawOffer"] = str(self._offer)
        line = Line(tuple(RecordedMove(move) for move in self.moves))
        return Record(self.rules, self.start, line, self.result, options)

    @classmethod
    def from_record(cls, record: Record, *, lenient: bool = False) -> "Game":
        """The game of a record's main line, with its players, options, other tags and result."""
        options = read_options(record)
        game = cls(
            record.rules,
            start=record.start,
            seats=options.seats,
            visibility=options.visibility,
            touch_move=options.touch_move,
            ply_limit=options.ply_limit,
            lenient=lenient,
        )
        game.tags = options.further
        for move in record.moves:
            game.play(move, by=game.turn)
        if options.touched and not game.outcome:
            game.touch(options.touched, by=game.turn)
        if end := read_end(record, game.outcome, game.touch_move):
            game._end(end)
        if options.draw_offer is not None and not game.outcome:
            game.offer_draw(options.draw_offer)
        return game

    # Helpers.

    def _name(self, side: Side) -> str:
        return self.rules.players[side]

    def _outcome_after(self, position: Position) -> Outcome | None:
        """How the move that leads to a position ends the game."""
        if outcome := position.outcome():
            return outcome
        if 0 < self.rules.repetition <= self._occurrences.get(position, 0) + 1:
            return Outcome(None, "repetition")
        if self.ply_limit is not None and self.ply + 1 >= self.ply_limit:
            return Outcome(None, "unfinished")
        return None

    def _push(self, state: _State) -> None:
        if state.move:
            self._occurrences[state.position] = self._occurrences.get(state.position, 0) + 1
            if self.touched:
                self._states.pop()  # The touched piece has been played.
        self._states.append(state)

    def _end(self, outcome: Outcome) -> None:
        self._push(_State(self.position, self.ply, touched=self.touched, outcome=outcome))
        self._undone.clear()
        self._offer = None

    def _undo_refusal(self, agreed: bool) -> str | None:
        """Why nothing can be undone, in words; None if something can."""
        if len(self._states) == 1:
            return "there is nothing to take back"
        if self.lenient:
            return None
        if self.outcome and not self.rules.take_back_after_end:
            return f"a finished game of {self.rules.name} cannot be taken back; start again instead"
        before, last = self._states[-2:]
        if last.touched and not before.touched and not agreed:
            return (f"{self._name(self.turn)} has touched {last.touched} and must play it; taking "
                    "back does not free a touched piece")  # fmt: skip
        return None

    def _require_ongoing(self) -> None:
        if self.outcome:
            raise GameError(f"the game is over: {self.explain()}")

    def _require_turn(self, by: Side | None) -> None:
        self._require_ongoing()
        turn = self.turn
        if by is not None and _side(by) != turn:
            raise GameError(f"it is {self._name(turn)}'s turn, not {self._name(_side(by))}'s")
        if by is None and self.seats[turn].is_computer:
            raise GameError(f"it is the computer's turn: whoever plays {self._name(turn)} for it "
                            f"says so with by=Side.{turn.name}")  # fmt: skip

    def _require_own_piece(self, side: Side, square: str) -> None:
        side, top = _side(side), self.position.top(square)
        if top is None or top.side != side:
            shown = "is empty" if top is None else f"shows {self._name(top.side)}'s piece"
            raise GameError(f"{square} {shown}; {self._name(side)} can only lift own pieces")

    def _require_agreement(self) -> None:
        self._require_ongoing()
        if not self.rules.draw_agreement:
            raise GameError(f"{self.rules.name} knows no draw by agreement")

    def _require_offer_to(self, side: Side) -> None:
        self._require_agreement()
        if self._offer != _side(side).other:
            raise GameError(f"nobody has offered {self._name(_side(side))} a draw")


def _side(side: int) -> Side:
    """A side given as such or as its number."""
    if side not in (Side.FIRST, Side.SECOND):
        raise GameError(f"{side!r} is not a side; sides are Side.FIRST and Side.SECOND")
    return Side(side)
