"""One game of a batch: start, step, copy, random playout, observation.

Every function works on one game of a bundle of arrays and is compiled for the CPU and, called from
CUDA kernels, for a GPU; `cpu` and `cuda` only decide who runs them on which games. Moves
and ends come from the kernel. Added here is what a game has besides its position: whose turn
it is, the ply limit, and how often the position has occurred. Pieces never return to the
reserve, so only positions since the last placement can recur; these are kept.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.action_space import action_of_code, code_of_action, write_mask
from nestline.compiled import inlined, rare
from nestline.observations import write_observation
from nestline.rules.law import Law

REPETITION, UNFINISHED = 10, 11
"""States of a game in addition to those of `kernel.outcome`."""

END_REASONS = (
    None, "line", "reveal", "all-placed", "board-full", "no-move", "no-move", "both-lines", "line",
    "reveal", "repetition", "unfinished",
)  # fmt: skip
"""The reason behind each number of an end, as in `Outcome`; None while the game goes on."""

TURN, PLY, SINCE, OCCURRENCES, END, COUNTERS = range(6)
"""Rows of the counters, and their number. SINCE: plies since the last placement."""

START_OWN, START_OPP, START_TURN, STARTS = range(4)
"""Rows of the starts, and their number."""

PLY_LIMIT, AUTO_RESET, HIDE_COVERED, SETTINGS = range(4)
"""Indices of the settings, and their number."""

TERMINATED, TRUNCATED, ILLEGAL, FLAGS = range(4)
"""Rows of the flags of a step, and their number."""

FIRST_WON, SECOND_WON, NOBODY_WON, TALLIES = range(4)
"""Rows of the tallies of finished games, and their number."""

CHANCE_BITS = 31
_GOLDEN = -7046029254386353131  # 0x9E3779B97F4A7C15 as a signed number


class State(NamedTuple):
    """Many games; NumPy arrays, or arrays on a GPU."""

    words: Any
    """(2, games) int64: the kernel's words of the player to move and of the other."""
    counters: Any
    """(COUNTERS, games) int32."""
    history: Any
    """(2, slots, games) int64: the words after the last placement and after each ply since; no
    slots where the rules have no draws by repetition."""
    chance: Any
    """(games,) int64: the state of each game's random number generator."""
    starts: Any
    """(STARTS, games) int64: where each game starts, and restarts."""
    settings: Any
    """(SETTINGS,) int64: the ply limit, whether games restart by themselves, what is hidden."""


class Results(NamedTuple):
    """What the last step did to each game."""

    rewards: Any
    """(games,) float32, for the player who moved: 1 a win, -1 a loss, 0 anything else."""
    flags: Any
    """(FLAGS, games) bool."""
    ends: Any
    """(games,) uint8: indices into END_REASONS."""
    tally: Any
    """(TALLIES, games) int32: finished games of a run of random steps."""
    finals: Any
    """(games, numbers per observation) int8, or no rows: how games that end look at the end."""


@inlined
def place(game: int, own: int, opp: int, turn: int, end: int, state: State) -> None:
    """Set a game to a position without history."""
    state.words[0, game] = own
    state.words[1, game] = opp
    state.counters[TURN, game] = turn
    state.counters[PLY, game] = 0
    state.counters[SINCE, game] = 0
    state.counters[OCCURRENCES, game] = 1
    state.counters[END, game] = end
    if state.history.shape[1]:
        state.history[0, 0, game] = own
        state.history[1, 0, game] = opp


@inlined
def begin(game: int, state: State) -> None:
    """Set a game to its start."""
    starts = state.starts
    own, opp = starts[START_OWN, game], starts[START_OPP, game]
    place(game, own, opp, starts[START_TURN, game], kernel.ONGOING, state)


@inlined
def put(game: int, own: int, opp: int, turn: int, law: Law, state: State) -> None:
    """Set a game to a position, which may be the end of a game; its start stays the same."""
    place(game, own, opp, turn, kernel.outcome(own, opp, law), state)


@inlined
def take(game: int, source: int, there: State, state: State) -> None:
    """Make a game a copy of a game of another bundle with as many slots."""
    for row in range(2):
        state.words[row, game] = there.words[row, source]
    for row in range(COUNTERS):
        state.counters[row, game] = there.counters[row, source]
    if state.history.shape[1]:
        for slot in range(there.counters[SINCE, source] + 1):
            state.history[0, slot, game] = there.history[0, slot, source]
            state.history[1, slot, game] = there.history[1, slot, source]
    state.chance[game] = there.chance[source]
    for row in range(STARTS):
        state.starts[row, game] = there.starts[row, source]


@inlined
def _remember(own: int, opp: int, since: int, game: int, history: NDArray[np.int64]) -> int:
    """Enter the present position into the history; return how often it has occurred."""
    history[0, since, game] = own
    history[1, since, game] = opp
    found = 1
    slot = since - 2  # the same player is to move every other ply
    while slot >= 0:
        if history[0, slot, game] == own and history[1, slot, game] == opp:
            found += 1
        slot -= 2
    return found


@inlined
def reward_of(end: int) -> int:
    """What an end means for the player who made the last move."""
    return kernel.verdict(end)


@inlined
def end_of(own: int, opp: int, ply: int, occurrences: int, law: Law, repetition: int, limit: int
            ) -> int:  # fmt: skip
    """The state of a game after a move, checked in the same order as in `Game`."""
    end = kernel.outcome(own, opp, law)
    if end == kernel.ONGOING:
        if 0 < repetition <= occurrences:
            return REPETITION
        if ply >= limit:
            return UNFINISHED
    return end


@inlined
def _tell_end(game: int, end: int, results: Results) -> None:
    results.ends[game] = end
    results.flags[TERMINATED, game] = end != kernel.ONGOING and end != UNFINISHED
    results.flags[TRUNCATED, game] = end == UNFINISHED


@rare
def _keep_final(
    game: int, own: int, opp: int, occurrences: int, law: Law, settings: NDArray[np.int64],
    finals: NDArray[np.int8],
) -> None:  # fmt: skip
    """Write how a game looks at its end."""
    write_observation(own, opp, occurrences, law, settings[HIDE_COVERED], game, finals)


@inlined
def step(game: int, action: int, law: Law, repetition: int, state: State, results: Results) -> None:
    """Play an action in an unfinished game; an illegal one only sets the flag.

    A finished game does not change. After its end a game restarts if the settings say so; the
    results still tell how it ended and how it looked to the player who would have moved.
    """
    counters = state.counters
    own = int(state.words[0, game])
    opp = int(state.words[1, game])
    move = code_of_action(action, law)
    end = int(counters[END, game])
    goes_on = end == kernel.ONGOING
    is_legal = move >= 0 and kernel.is_legal(own, opp, move, law)
    results.rewards[game] = 0
    results.flags[ILLEGAL, game] = goes_on and not is_legal
    if goes_on and is_legal:
        opp, own = kernel.play(own, move), opp
        since = int(counters[SINCE, game]) + 1
        if move < kernel.FIRST_BOARD_SOURCE * 16:
            since = 0
        occurrences = 1
        if repetition:
            occurrences = _remember(own, opp, since, game, state.history)
        ply = int(counters[PLY, game]) + 1
        end = end_of(own, opp, ply, occurrences, law, repetition, state.settings[PLY_LIMIT])
        results.rewards[game] = reward_of(end)
        if end != kernel.ONGOING and results.finals.shape[0]:
            _keep_final(game, own, opp, occurrences, law, state.settings, results.finals)
        if end != kernel.ONGOING and state.settings[AUTO_RESET]:
            begin(game, state)
        else:
            state.words[0, game] = own
            state.words[1, game] = opp
            counters[TURN, game] = 1 - counters[TURN, game]
            counters[PLY, game] = ply
            counters[SINCE, game] = since
            counters[OCCURRENCES, game] = occurrences
            counters[END, game] = end
    _tell_end(game, end, results)


@inlined
def mixed(number: int) -> int:
    """A number in which every bit depends on all bits of another one (splitmix64)."""
    # The masks turn arithmetic shifts into logical ones.
    number = (number ^ (number >> 30 & 0x3_FFFF_FFFF)) * -4658895280553007687
    number = (number ^ (number >> 27 & 0x1F_FFFF_FFFF)) * -7723592293110705685
    return number ^ (number >> 31 & 0x1_FFFF_FFFF)


@inlined
def drawn(chance: int, count: int) -> int:
    """A number below `count`; `chance` is what `next_chance` gave."""
    bits = mixed(chance) >> (64 - CHANCE_BITS) & ((1 << CHANCE_BITS) - 1)
    return bits * count >> CHANCE_BITS


@inlined
def next_chance(chance: int) -> int:
    """The next state of a game's random number generator."""
    return chance + _GOLDEN


@inlined
def choose(game: int, law: Law, state: State, actions: NDArray[np.int64]) -> None:
    """Write a uniformly random legal action; 0 for a finished game."""
    actions[game] = 0
    if state.counters[END, game] == kernel.ONGOING:
        own = int(state.words[0, game])
        opp = int(state.words[1, game])
        chance = next_chance(state.chance[game])
        state.chance[game] = chance
        number = drawn(chance, kernel.count_moves(own, opp, law))
        actions[game] = action_of_code(kernel.nth_move(own, opp, number, law), law)


@inlined
def play_at_random(
    game: int, steps: int, law: Law, repetition: int, state: State, results: Results
) -> None:
    """Repeat `choose` and `step`, keeping everything that changes in registers."""
    counters = state.counters
    settings = state.settings
    results.rewards[game] = 0
    results.tally[FIRST_WON, game] = 0
    results.tally[SECOND_WON, game] = 0
    results.tally[NOBODY_WON, game] = 0
    end = int(counters[END, game])
    own = int(state.words[0, game])
    opp = int(state.words[1, game])
    turn = int(counters[TURN, game])
    ply = int(counters[PLY, game])
    since = int(counters[SINCE, game])
    occurrences = int(counters[OCCURRENCES, game])
    chance = state.chance[game]
    reward = 0
    last_end = end
    for _ in range(steps):
        if end != kernel.ONGOING:
            break
        chance = next_chance(chance)
        number = drawn(chance, kernel.count_moves(own, opp, law))
        move = kernel.nth_move(own, opp, number, law)
        opp, own = kernel.play(own, move), opp
        ply += 1
        since = 0 if move < kernel.FIRST_BOARD_SOURCE * 16 else since + 1
        if repetition:
            occurrences = _remember(own, opp, since, game, state.history)
        end = end_of(own, opp, ply, occurrences, law, repetition, settings[PLY_LIMIT])
        turn = 1 - turn
        last_end = end
        reward = reward_of(end)
        if end != kernel.ONGOING:
            winner = NOBODY_WON
            if reward != 0:
                winner = 1 - turn if reward > 0 else turn
            results.tally[winner, game] += 1
            if settings[AUTO_RESET]:
                begin(game, state)
                own = int(state.starts[START_OWN, game])
                opp = int(state.starts[START_OPP, game])
                turn = int(state.starts[START_TURN, game])
                ply = 0
                since = 0
                occurrences = 1
                end = kernel.ONGOING
    state.words[0, game] = own
    state.words[1, game] = opp
    counters[TURN, game] = turn
    counters[PLY, game] = ply
    counters[SINCE, game] = since
    counters[OCCURRENCES, game] = occurrences
    counters[END, game] = end
    state.chance[game] = chance
    results.rewards[game] = reward
    results.flags[ILLEGAL, game] = False
    _tell_end(game, last_end, results)


@inlined
def mark_legal(game: int, law: Law, state: State, masks: NDArray[np.bool_]) -> None:
    """Write a game's row of the legal actions; a finished game has none."""
    if state.counters[END, game] == kernel.ONGOING:
        write_mask(int(state.words[0, game]), int(state.words[1, game]), law, game, masks)
    else:
        for action in range(masks.shape[1]):
            masks[game, action] = False


@inlined
def look(game: int, side: int, law: Law, state: State, planes: NDArray[np.int8]) -> None:
    """Write a game's row of the observations, as one side sees it: 0 the first, 1 the second."""
    own = int(state.words[0, game])
    opp = int(state.words[1, game])
    if side != state.counters[TURN, game]:
        own, opp = opp, own
    write_observation(
        own, opp, int(state.counters[OCCURRENCES, game]), law, state.settings[HIDE_COVERED], game,
        planes,
    )  # fmt: skip


@inlined
def worth(game: int, state: State) -> int:
    """What the end of a game is worth to the player to move: 1, 0 or -1; 0 while it goes on."""
    return -reward_of(int(state.counters[END, game]))
