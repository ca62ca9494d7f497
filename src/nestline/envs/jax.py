"""The games for JAX: pure functions on a pytree, for `jit`, `vmap`, `scan` and mctx.

>>> import jax
>>> import jax.numpy as jnp
>>> env = make("gobblers")
>>> state = env.init()
>>> state = jax.jit(env.step)(state, 22)                  # 3b2
>>> int(state.turn), bool(state.terminated), int(env.legal_action_mask(state).sum())
(1, False, 24)
>>> states = jax.vmap(lambda _: env.init())(jnp.arange(1000))
>>> states = jax.vmap(env.step)(states, jnp.arange(1000) % 27)
>>> jax.vmap(env.observe)(states).shape
(1000, 19, 3, 3)

This is a second implementation of the rules, since JAX traces arrays and cannot compile the kernel:
tests compare the two step by step, in every rule set. A custom call over the compiled kernel would
run on the CPU alone, and 64-bit words need a setting of JAX that changes the rest of a program.
Here a player's pieces are one mask of 16 bits per size. Actions, observations and ends are those of
`Batch`; a finished game does not change, and an illegal action only sets a flag.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from nestline.errors import missing_extra

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise missing_extra("nestline.envs.jax", "jax", error) from None

from nestline import kernel
from nestline.action_space import action_count
from nestline.envs.batch.base import DEFAULT_PLY_LIMIT, LONGEST_PLY_LIMIT, whole_number
from nestline.envs.batch.stepping import END_REASONS, REPETITION, UNFINISHED, reward_of
from nestline.errors import GameError
from nestline.observations import observation_shape
from nestline.position import Position
from nestline.rules import RuleSet, load_rules
from nestline.rules.law import (
    ANY,
    ANY_SIZES,
    EMPTY,
    EQUAL,
    FORBIDDEN,
    IGNORED,
    NOTHING,
    OPPONENTS,
    SMALLER,
    Law,
)

Array = Any
Layers = list[Array]
"""The masks of one player's pieces, by size, the smallest first."""


__all__ = ["Environment", "State", "make"]


class State(NamedTuple):
    """One game; arrays without a dimension unless told."""

    own: Array
    """(sizes,) uint16: the squares with pieces of the player to move."""
    opp: Array
    """(sizes,) uint16: those of the other player."""
    turn: Array
    """int32: 0 where the first player is to move, 1 for the second."""
    ply: Array
    """int32"""
    since: Array
    """int32: plies since the last placement."""
    occurrences: Array
    """int32: how often the position has occurred, this time included."""
    end: Array
    """int32: an index into `END_REASONS`; 0 while the game goes on."""
    reward: Array
    """float32, of the last step, for the player who moved: 1 a win, -1 a loss, 0 else."""
    illegal: Array
    """bool: the last action was illegal and the game is unchanged."""
    history: Array
    """(slots, 2, sizes) uint16: the position after the last placement and after each ply since; no
    slots where the rules have no draws by repetition."""

    @property
    def terminated(self) -> Array:
        """bool: the game is over by the rules."""
        return (self.end != kernel.ONGOING) & (self.end != UNFINISHED)

    @property
    def truncated(self) -> Array:
        """bool: the ply limit stopped the game."""
        return self.end == UNFINISHED

    @property
    def ended(self) -> Array:
        """bool: either of both."""
        return self.end != kernel.ONGOING


class Environment(NamedTuple):
    """The functions of one rule set; all but `init` are pure and can be traced."""

    init: Callable[..., State]
    """A new game, from the start or from a `Position`."""
    step: Callable[[State, Array], State]
    """The game after an action."""
    restart: Callable[[State], State]
    """A new game from the start in place of one that has ended; any other game as it is."""
    legal_action_mask: Callable[[State], Array]
    """(actions,) bool; a finished game has no legal actions."""
    observe: Callable[[State], Array]
    """What the player to move sees, (planes, board, board) int8."""
    actions: int
    observation_shape: tuple[int, int, int]


def _or(masks: Layers) -> Array:
    found = jnp.uint16(0)
    for mask in masks:
        found = found | mask
    return found


def _count(mask: Array) -> Array:
    return jax.lax.population_count(mask).astype(jnp.int32)


class _Rules:
    """The rules on masks; a method for each function of the kernel that is needed, by its name."""

    def __init__(self, rules: RuleSet) -> None:
        self.law: Law = rules.law
        self.sizes = range(self.law.sizes)
        self.squares = self.law.board * self.law.board
        lines = np.zeros((kernel.MAX_LINES, 4), np.int64)
        count = kernel.write_lines(self.law, lines)
        self.paths = (1 << lines[:count, : self.law.line]).astype(np.uint16)
        self.lines = [jnp.uint16(mask) for mask in self.paths.sum(axis=1).tolist()]
        self.all_squares = jnp.uint16(self.law.all_squares)

    def under_larger(self, own: Layers, opp: Layers) -> Layers:
        return [_or(own[size + 1 :] + opp[size + 1 :]) for size in self.sizes]

    def visible(self, own: Layers, opp: Layers) -> Layers:
        covered = self.under_larger(own, opp)
        return [own[size] & ~covered[size] for size in self.sizes]

    def landings(self, own: Layers, opp: Layers) -> Layers:
        covered = self.under_larger(own, opp)
        spared = jnp.uint16(0)
        if self.law.cover == NOTHING:
            spared = _or(own + opp)
        elif self.law.cover != ANY:
            spared = _or(
                self.visible(own, opp) if self.law.cover == OPPONENTS else self.visible(opp, own)
            )
        return [
            ~(own[size] | opp[size] | covered[size] | spared) & self.all_squares
            for size in self.sizes
        ]

    def movable(self, own: Layers, opp: Layers) -> Layers:
        shown = self.visible(own, opp)
        if self.law.reveal != FORBIDDEN:
            return shown
        for square in range(self.squares):
            origin = jnp.uint16(1 << square)
            lifted = [own[size] & ~(shown[size] & origin) for size in self.sizes]
            reveals = self.shows_line(self.visible(opp, lifted))
            shown = [jnp.where(reveals, mask & ~origin, mask) for mask in shown]
        return shown

    def shows_line(self, shown: Layers) -> Array:
        if self.law.line_sizes == ANY_SIZES:
            return self.has_line(_or(shown))
        if self.law.line_sizes == EQUAL:
            return jnp.stack([self.has_line(mask) for mask in shown]).any()
        both_ways = np.concatenate([self.paths, self.paths[:, ::-1]])
        held = jnp.stack(shown)[:, None, None] & both_ways != 0
        sizes = np.array(list(combinations(self.sizes, self.law.line)))
        return held[sizes, :, np.arange(self.law.line)].all(axis=1).any()

    def has_line(self, mask: Array) -> Array:
        found = jnp.bool_(False)
        for line in self.lines:
            found = found | (mask & line == line)
        return found

    def threatening(self, mask: Array) -> Array:
        short = [
            jnp.where(_count(mask & line) == self.law.line - 1, mask & line, jnp.uint16(0))
            for line in self.lines
        ]
        return _or(short)

    def in_reserve(self, own: Layers, size: int) -> Array:
        placed = _count(own[size])
        if self.law.nested and size + 1 < self.law.sizes:
            return _count(own[size + 1]) > placed
        return placed < self.law.stock[size]

    def placing_squares(self, own: Layers, opp: Layers) -> Layers:
        free = self.landings(own, opp)
        if self.law.place_onto == SMALLER:
            return free
        allowed = ~_or(own + opp)
        if self.law.place_onto != EMPTY:
            allowed = allowed | self.threatening(_or(self.visible(opp, own)))
        return [mask & allowed for mask in free]

    def legal(self, own: Layers, opp: Layers) -> Array:
        """(actions,) bool, whether the game goes on or not."""
        placing = self.placing_squares(own, opp)
        targets = [
            jnp.where(self.in_reserve(own, size), placing[size], jnp.uint16(0))
            for size in self.sizes
        ]
        if self.law.moving:
            shown, free = self.movable(own, opp), self.landings(own, opp)
            for square in range(self.squares):
                origin = jnp.uint16(1 << square)
                stays = origin if self.law.same_square else jnp.uint16(0)
                from_here = [
                    jnp.where(shown[size] & origin != 0, free[size] | stays, jnp.uint16(0))
                    for size in self.sizes
                ]
                targets.append(_or(from_here))
        bits = jnp.arange(self.squares, dtype=jnp.uint16)
        return (jnp.stack(targets)[:, None] >> bits & 1 != 0).reshape(-1)

    def play(self, own: Layers, action: Array) -> tuple[Layers, Array]:
        """The mover's pieces after a legal action, and whether it placed a new one."""
        source, target = action // self.squares, action % self.squares
        places = source < self.law.sizes
        origin_square = jnp.maximum(source - self.law.sizes, 0)
        origin = jnp.where(places, 0, 1 << origin_square).astype(jnp.uint16)
        there = (1 << target).astype(jnp.uint16)
        after = []
        larger = jnp.bool_(False)
        for size in reversed(self.sizes):
            is_there = own[size] & origin != 0
            moves = jnp.where(places, source == size, is_there & ~larger)
            larger = larger | is_there
            after.append(jnp.where(moves, own[size] & ~origin | there, own[size]))
        return after[::-1], places

    def outcome(self, own: Layers, opp: Layers) -> Array:
        law = self.law
        mine = self.shows_line(self.visible(own, opp))
        theirs = self.shows_line(self.visible(opp, own))
        if law.reveal == IGNORED:
            mine = mine & theirs
        stuck = kernel.NO_MOVE_DRAWS if law.no_move_draws else kernel.NO_MOVE_LOSES
        end = jnp.where(self.legal(own, opp).any(), kernel.ONGOING, stuck)
        if law.draw_board_full:
            is_full = _or(own + opp) == self.all_squares
            end = jnp.where(is_full, kernel.BOARD_FULL, end)
        if law.draw_all_placed:
            placed = sum(_count(mask) for mask in own + opp)
            end = jnp.where(placed == 2 * kernel.pieces_each(law), kernel.ALL_PLACED, end)
        mover_wins = theirs if law.mover_wins_both else theirs & ~mine
        for_mover, for_other = kernel.LINE, kernel.REVEAL
        if law.misere:
            for_mover, for_other = kernel.LINE_LOSES, kernel.REVEAL_WINS
        end = jnp.where(mine | theirs, for_other, end)
        end = jnp.where(mover_wins, for_mover, end)
        if law.both_lines_draw:
            end = jnp.where(mine & theirs, kernel.BOTH_LINES, end)
        return end.astype(jnp.int32)


@lru_cache
def make(rules: str | RuleSet = "gobblers", ply_limit: int = DEFAULT_PLY_LIMIT) -> Environment:
    """The functions of a rule set; with draws by repetition, states hold `ply_limit` positions."""
    loaded = load_rules(rules)
    limit = whole_number("a limit has", "plies", ply_limit, LONGEST_PLY_LIMIT)
    on_masks = _Rules(loaded)
    law, sizes = loaded.law, loaded.sizes
    slots = limit + 1 if loaded.repetition else 0
    count, shape = action_count(loaded), observation_shape(loaded)
    verdicts = jnp.array([reward_of(end) for end in range(len(END_REASONS))], jnp.float32)

    def init(start: Position | None = None) -> State:
        position = start or Position.start(loaded)
        if position.rules != loaded:
            raise GameError(
                f"a game of {loaded.name} cannot start from a position of {position.rules.name}"
            )
        masks = jnp.array(
            [[kernel.layer(word, size + 1) for size in range(sizes)] for word in position.words],
            jnp.uint16,
        )
        history = jnp.zeros((slots, 2, sizes), jnp.uint16)
        zero = jnp.int32(0)
        return State(
            own=masks[0],
            opp=masks[1],
            turn=jnp.int32(int(position.turn)),
            ply=zero,
            since=zero,
            occurrences=jnp.int32(1),
            end=jnp.int32(kernel.outcome(*position.words, law)),
            reward=jnp.float32(0),
            illegal=jnp.bool_(False),
            history=history.at[0].set(masks) if slots else history,
        )

    def one_of(is_first: Array, first: State, second: State) -> State:
        """One of two states with the same history."""
        parts = zip(first[:-1], second[:-1], strict=True)
        chosen = (jnp.where(is_first, ours, theirs) for ours, theirs in parts)
        return State._make([*chosen, first.history])

    def restart(state: State) -> State:
        history = state.history
        if slots:
            # Positions beyond the first are not looked at before they are written.
            first = jnp.where(state.ended, begun.history[0], history[0])
            history = history.at[0].set(first)
        fresh, kept = begun._replace(history=history), state._replace(history=history)
        return one_of(state.ended, fresh, kept)

    def legal_action_mask(state: State) -> Array:
        legal = on_masks.legal(list(state.own), list(state.opp))
        return legal & (state.end == kernel.ONGOING)

    def step(state: State, action: Array) -> State:
        chosen = jnp.asarray(action, jnp.int32)
        is_action = (chosen >= 0) & (chosen < count)
        chosen = jnp.where(is_action, chosen, 0)
        is_legal = is_action & legal_action_mask(state)[chosen]
        after, places = on_masks.play(list(state.own), chosen)
        own, opp = list(state.opp), after
        since = jnp.where(places, 0, state.since + 1)
        position = jnp.stack([jnp.stack(own), jnp.stack(opp)])
        occurrences = jnp.int32(1)
        history = state.history
        if slots:
            same = (history == position).all((1, 2))
            # The same player is to move every other ply; what lies beyond is of an earlier time.
            numbers = jnp.arange(slots)
            same &= (numbers < since) & ((since - numbers) % 2 == 0)
            occurrences = 1 + same.sum(dtype=jnp.int32)
            # Only what changes is written: a state with a long history would be slow to copy.
            slot = jnp.where(is_legal, since, 0)
            history = history.at[slot].set(jnp.where(is_legal, position, history[slot]))
        ply = state.ply + 1
        end = on_masks.outcome(own, opp)
        goes_on = end == kernel.ONGOING
        end = jnp.where(goes_on & (ply >= limit), UNFINISHED, end)
        if loaded.repetition:
            end = jnp.where(goes_on & (occurrences >= loaded.repetition), REPETITION, end)
        reward = verdicts[end]
        played = State(
            own=position[0],
            opp=position[1],
            turn=1 - state.turn,
            ply=ply,
            since=since.astype(jnp.int32),
            occurrences=occurrences,
            end=end.astype(jnp.int32),
            reward=reward,
            illegal=jnp.bool_(False),
            history=history,
        )
        goes_on_here = state.end == kernel.ONGOING
        kept = state._replace(
            reward=jnp.float32(0), illegal=goes_on_here & ~is_legal, history=history
        )
        return one_of(is_legal, played, kept)

    def observe(state: State) -> Array:
        own, opp = list(state.own), list(state.opp)
        own_shown, opp_shown = on_masks.visible(own, opp), on_masks.visible(opp, own)
        covered = [
            [mask & ~shown for mask, shown in zip(masks, visible, strict=True)]
            for masks, visible in ((own, own_shown), (opp, opp_shown))
        ]
        bits = jnp.arange(loaded.squares, dtype=jnp.uint16)
        pieces = jnp.stack([*own_shown, *covered[0], *opp_shown, *covered[1]])
        left = jnp.stack(
            [law.stock[size] - _count(masks[size]) for masks in (own, opp) for size in range(sizes)]
        )
        planes = [pieces[:, None] >> bits & 1, jnp.repeat(left[:, None], loaded.squares, 1)]
        if loaded.repetition:
            planes.append(jnp.full((1, loaded.squares), state.occurrences))
        return jnp.concatenate([part.astype(jnp.int8) for part in planes]).reshape(shape)

    begun = init()
    return Environment(init, step, restart, legal_action_mask, observe, count, shape)
