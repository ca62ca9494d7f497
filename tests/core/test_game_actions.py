"""Random actions, allowed and refused, in a game and in a model of a game.

The model is a list of what was visible after each action. A refused action must leave the game
exactly as it was, an allowed one must be accepted, and in every case the game must match its moves.
"""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nestline.errors import NestlineError
from nestline.game import Game, Seat
from nestline.position import Move, Outcome, Position, Side
from nestline.record import read_record, write_record
from nestline.rules import RuleSet, load_rules
from support.helpers import built_rules, snapshot

SHUFFLING = built_rules(
    board=2, line=2, stock=(1,), repetition=2, touch_move=True, draw_agreement=True
)
"""One piece each that walks about: games end by repetition."""

CROWDED = built_rules(
    stock=(4, 1), place_onto="empty", touch_move=True, draw_agreement=True, no_move="draw"
)
"""Nine squares for ten pieces: small ones that can no longer move can be touched."""

RULE_SETS: list[RuleSet] = [
    SHUFFLING,
    CROWDED,
    *map(load_rules, ("gobblet", "gobblers", "gobblers-official", "tictactoe", "gobblet-house")),
]
SQUARES = st.sampled_from([column + row for column in "abcd" for row in "1234"])
SIDES = st.sampled_from(Side)
SEEDS = st.integers(0, 2**32)
ASKING = st.sampled_from((None, None, None, Side.FIRST, Side.SECOND))


class Seen(NamedTuple):
    """What an action leaves behind."""

    position: Position
    moves: tuple[Move, ...]
    touched: str | None
    outcome: Outcome | None


class GameActions(RuleBasedStateMachine):
    @initialize(
        rules=st.sampled_from(RULE_SETS),
        seed=SEEDS,
        plies=st.integers(0, 9),
        ply_limit=st.sampled_from((None, None, 20)),
        visibility=st.sampled_from(("open", "memory")),
        second=st.sampled_from((Seat("Ben"), Seat("Computer", "hard"))),
    )
    def begin(
        self, rules: RuleSet, seed: int, plies: int, ply_limit: int | None, visibility: str,
        second: Seat,
    ) -> None:  # fmt: skip
        seats = (Seat("Ann"), second)
        self.game = Game(rules, seats=seats, ply_limit=ply_limit, visibility=visibility)
        self.options = (seats, visibility, ply_limit, rules.touch_move)
        self.past = [self.seen()]
        self.future: list[Seen] = []
        self.offer: Side | None = None
        self.play_some(random.Random(seed), plies)

    def play_some(self, chance: random.Random, plies: int) -> None:
        for _ in range(plies):
            if not self.ongoing():
                break
            # Moves that end the game are skipped at first.
            moves = chance.choices(self.game.legal_moves(), k=3)
            quiet = [move for move in moves if not self.game.position.play(move).outcome()]
            self.try_move(str((quiet or moves)[0]), self.game.turn)

    def seen(self) -> Seen:
        game = self.game
        return Seen(game.position, game.moves, game.touched, game.outcome)

    def attempt(self, action: Callable[[], object], allowed: bool) -> bool:
        """Do it, and check that it succeeds exactly if it is allowed."""
        if allowed:
            action()
        else:
            before = snapshot(self.game)
            with pytest.raises(NestlineError):
                action()
            assert snapshot(self.game) == before
        return allowed

    def ongoing(self) -> bool:
        return self.past[-1].outcome is None

    def may_play(self, by: Side | None) -> bool:
        """Whether it is the asker's turn; an anonymous asker is not the computer."""
        turn = self.past[-1].position.turn
        return self.ongoing() and (by == turn or (by is None and not self.seats[turn].is_computer))

    @property
    def seats(self) -> tuple[Seat, Seat]:
        seats: tuple[Seat, Seat] = self.options[0]
        return seats

    def played(self, move: Move) -> None:
        """What the model says about an allowed move."""
        present = self.past[-1]
        if self.offer == present.position.turn.other:
            self.offer = None
        self.past = [seen for seen in self.past if not seen.touched]
        position = present.position.play(move)
        moves = (*present.moves, move)
        self.past.append(Seen(position, moves, None, self.end_after(position, moves)))
        self.future = []

    def end_after(self, position: Position, moves: tuple[Move, ...]) -> Outcome | None:
        rules = position.rules
        line = [Position.start(rules)]
        for move in moves:
            line.append(line[-1].play(move))
        times = sum(str(earlier) == str(position) for earlier in line)
        if position.outcome():
            return position.outcome()
        if rules.repetition and times >= rules.repetition:
            return Outcome(None, "repetition")
        if self.game.ply_limit and len(moves) >= self.game.ply_limit:
            return Outcome(None, "unfinished")
        return None

    def ended(self, outcome: Outcome) -> None:
        self.past.append(self.past[-1]._replace(outcome=outcome))
        self.future = []
        self.offer = None

    # Steps that lead somewhere.

    @precondition(lambda self: self.ongoing())
    @rule(seed=SEEDS, plies=st.integers(1, 12))
    def play_on(self, seed: int, plies: int) -> None:
        self.play_some(random.Random(seed), plies)

    @precondition(lambda self: self.ongoing() and self.game.rules.touch_move and not self.touched)
    @rule(data=st.data())
    def touch_an_own_piece(self, data: Any) -> None:
        stacks = self.past[-1].position.stacks.items()
        own = [square for square, stack in stacks if stack[-1].side == self.game.turn]
        if own:
            self.try_touch(data.draw(st.sampled_from(sorted(own))), self.game.turn)

    @precondition(lambda self: self.ongoing() and self.touched)
    @rule(data=st.data())
    def land_the_touched_piece(self, data: Any) -> None:
        move = data.draw(st.sampled_from(self.game.legal_moves()))
        self.try_landing(move.target, self.game.turn)

    @precondition(lambda self: self.ongoing() and self.game.rules.draw_agreement)
    @rule(side=SIDES, answer=st.sampled_from(("accept", "decline", "decline", "wait", "wait")))
    def agree(self, side: Side, answer: str) -> None:
        if self.offer is None:
            self.try_offer(side)
        if answer == "wait":
            # A refused move does not answer an offer.
            for text in ("1a9", "a1a1", "c1c1"):
                self.try_move(text, None)
        else:
            self.try_answer(answer, side.other)

    @rule(undone=st.integers(1, 5), redone=st.integers(0, 5), agreed=st.booleans())
    def step_back_and_forth(self, undone: int, redone: int, agreed: bool) -> None:
        for _ in range(min(undone, len(self.past))):
            self.try_undo(agreed)
        for _ in range(min(redone, len(self.future))):
            self.try_redo()

    @precondition(lambda self: self.past[-1].outcome is not None)
    @rule()
    def begin_again(self) -> None:
        self.game.reset()
        self.past, self.future, self.offer = self.past[:1], [], None

    # Anything at any time, most of it refused.

    @rule(square=SQUARES, source=st.one_of(SQUARES, st.sampled_from("01234?")), by=ASKING)
    def play_anything(self, square: str, source: str, by: Side | None) -> None:
        self.try_move(source + square, by)

    @rule(square=SQUARES, by=ASKING, landing=st.booleans())
    def touch_or_land_anywhere(self, square: str, by: Side | None, landing: bool) -> None:
        if landing:
            self.try_landing(square, by)
        else:
            self.try_touch(square, by)

    @rule(
        side=SIDES, what=st.sampled_from(("offer", "accept", "decline", "redo", "undo", "resign"))
    )
    def do_anything(self, side: Side, what: str) -> None:
        if what == "offer":
            self.try_offer(side)
        elif what == "redo":
            self.try_redo()
        elif what == "undo":
            self.try_undo(agreed=False)
        elif what == "resign":
            if self.attempt(lambda: self.game.resign(side), self.ongoing()):
                self.ended(Outcome(side.other, "resignation"))
        else:
            self.try_answer(what, side)

    @rule(side=SIDES, square=SQUARES)
    def peek(self, side: Side, square: str) -> None:
        before = snapshot(self.game)
        stack = self.past[-1].position.stacks.get(square, ())
        looking = self.game.rules.peek and self.game.visibility != "memory"
        own = bool(stack) and stack[-1].side == side
        if self.attempt(lambda: self.game.peek(side, square), looking and own):
            assert self.game.peek(side, square) == stack
        assert snapshot(self.game) == before

    # The actions, in the game and in the model.

    @property
    def touched(self) -> str | None:
        return self.past[-1].touched

    def try_move(self, text: str, by: Side | None) -> None:
        legal = self.past[-1].position.legal_moves()
        move = next((move for move in legal if str(move) == text), None)
        allowed = move is not None and self.touched in (None, move.origin)
        if self.attempt(lambda: self.game.play(text, by), self.may_play(by) and allowed):
            self.played(Move(text))

    def try_touch(self, square: str, by: Side | None) -> None:
        present = self.past[-1]
        stack = present.position.stacks.get(square)
        own = stack is not None and stack[-1].side == present.position.turn
        allowed = self.may_play(by) and self.game.rules.touch_move and own and not self.touched
        if self.attempt(lambda: self.game.touch(square, by), allowed):
            origins = {move.origin for move in present.position.legal_moves()}
            lost = Outcome(present.position.turn.other, "touch")
            end = None if square in origins else lost
            self.past.append(present._replace(touched=square, outcome=end))
            self.future = []

    def try_landing(self, square: str, by: Side | None) -> None:
        move = Move((self.touched or "a1") + square)
        legal = move in self.past[-1].position.legal_moves()
        allowed = self.may_play(by) and self.touched is not None and legal
        if self.attempt(lambda: self.game.land(square, by), allowed):
            self.played(move)

    def try_offer(self, side: Side) -> None:
        free = self.ongoing() and self.game.rules.draw_agreement and self.offer is None
        if self.attempt(lambda: self.game.offer_draw(side), free):
            self.offer = side

    def try_answer(self, answer: str, side: Side) -> None:
        allowed = self.ongoing() and self.offer == side.other
        act = self.game.accept_draw if answer == "accept" else self.game.decline_draw
        if self.attempt(lambda: act(side), allowed):
            if answer == "accept":
                self.ended(Outcome(None, "agreement"))
            self.offer = None

    def may_undo(self, agreed: bool) -> bool:
        if len(self.past) == 1 or (not self.ongoing() and not self.game.rules.take_back_after_end):
            return False
        frees = self.past[-1].touched is not None and self.past[-2].touched is None
        return agreed or not frees

    def try_undo(self, agreed: bool) -> None:
        if self.attempt(lambda: self.game.undo(agreed), self.may_undo(agreed)):
            taken = self.past.pop()
            self.future.append(taken)
            self.offer = None
            present = self.past[-1]
            touched = taken.moves[-1].origin if len(taken.moves) > len(present.moves) else None
            is_person = not self.seats[present.position.turn].is_computer
            if touched and self.game.rules.touch_move and is_person and not agreed:
                self.past.append(present._replace(touched=touched))

    def try_redo(self) -> None:
        if self.attempt(self.game.redo, bool(self.future)):
            again = self.future.pop()
            if len(again.moves) > len(self.past[-1].moves):
                self.past = [seen for seen in self.past if not seen.touched]
            self.past.append(again)
            self.offer = None

    @invariant()
    def the_game_is_what_the_model_says(self) -> None:
        game, present = self.game, self.past[-1]
        assert self.seen() == present
        assert game.draw_offer == self.offer
        assert (game.can_undo, game.can_redo) == (self.may_undo(agreed=False), bool(self.future))
        assert (game.ply, game.turn) == (len(present.moves), present.position.turn)
        options = (game.seats, game.visibility, game.ply_limit, game.touch_move)
        assert options == self.options
        assert (game.legal_moves() == ()) == (present.outcome is not None)

    @invariant()
    def the_moves_lead_to_the_position(self) -> None:
        game = self.game
        position = Position.start(game.rules)
        positions = [position]
        for move in game.moves:
            position = position.play(move)
            positions.append(position)
        assert game.positions == tuple(positions)
        assert game.position == position
        assert game.repetitions == positions.count(position)

    @invariant()
    def the_covered_pieces_stay_secret(self) -> None:
        stacks = self.game.position.stacks
        hidden = self.game.visibility == "memory" and self.game.outcome is None
        for side in (None, *Side):
            shown = self.game.view(side)
            assert shown == ({at: stack[-1:] for at, stack in stacks.items()} if hidden else stacks)

    @invariant()
    def the_record_gives_the_game_back(self) -> None:
        game = self.game
        record = game.to_record()
        if game.rules.name != "built":
            record = read_record(write_record(record))
        again = Game.from_record(record)
        assert (again.position, again.moves, again.touched) == (
            game.position,
            game.moves,
            game.touched,
        )
        assert (again.outcome, again.seats, again.visibility) == (
            game.outcome,
            game.seats,
            game.visibility,
        )


GameActions.TestCase.settings = settings(max_examples=60, stateful_step_count=30)
TestGameActions = GameActions.TestCase


@pytest.mark.full
class TestManyGameActions(GameActions.TestCase):
    settings = settings(max_examples=1500, stateful_step_count=60)
