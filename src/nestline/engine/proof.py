"""Proofs."""
import time
import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import compiled, lean, lean_recursive
from nestline.engine.reach import Lines, has_quiet_move, is_never_stuck, lines_of, may_be_stuck, out_of_reach
from nestline.kernel import ONGOING, LINE, REVEAL, NO_MOVE_LOSES
from nestline.rules.law import Law
from nestline.solve.steps import wins_at_once

NONE, WIN, UNKNOWN = range(3)
NODES, STOP, BOUND = range(3)
Words = NDArray[np.int64]

TABLE_PLIES = 3
SYMMETRY_PLIES = 5
SYMMETRY_PIECES = 8


@lean
def _slot(own: int, opp: int, size: int) -> int:
    mixed = own * 0x1E3779B97F4A7C15 + opp * 0x42B2AE3D27D4EB4F
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    mixed *= 0x165667B19E3779F9
    return (mixed >> 20) & (size - 1)


@lean
def _key(own: int, opp: int, plies: int, law: Law) -> tuple[int, int]:
    if plies >= SYMMETRY_PLIES and kernel.popcount(own) + kernel.popcount(opp) <= SYMMETRY_PIECES:
        symmetry = kernel.canonical_symmetry(own, opp, law.board)
        own = kernel.transform(own, symmetry, law.board)
        opp = kernel.transform(opp, symmetry, law.board)
    return own, opp


@lean_recursive
def _remembered(own: int, opp: int, plies: int, attacks: int, law: Law, table: Words) -> int:
    own, opp = _key(own, opp, plies, law)
    bucket = table[_slot(own, opp, len(table))]
    for place in range(0, 8, 4):
        entry = bucket[place + 2]
        if bucket[place] == own and bucket[place + 1] == opp and entry & 1 == attacks and entry > 1:
            if plies <= (entry >> 1) & 255:
                return NONE
            proved = (entry >> 9) & 255
            if proved and proved <= plies:
                return WIN
    return UNKNOWN


@lean_recursive
def _remember(own: int, opp: int, plies: int, attacks: int, won: bool, law: Law, table: Words) -> None:
    own, opp = _key(own, opp, plies, law)
    bucket = table[_slot(own, opp, len(table))]
    refuted, proved = (0, plies) if won else (plies, 0)
    place = 4
    for candidate in range(0, 8, 4):
        entry = bucket[candidate + 2]
        if bucket[candidate] == own and bucket[candidate + 1] == opp and entry & 1 == attacks and entry > 1:
            refuted = max(refuted, (entry >> 1) & 255)
            known = (entry >> 9) & 255
            if known and (proved == 0 or known < proved):
                proved = known
            place = candidate
            break
        if candidate == 0 and plies >= (entry >> 17):
            place = 0
            # the displaced one moves on
            bucket[4] = bucket[0]
            bucket[5] = bucket[1]
            bucket[6] = bucket[2]
            break
    bucket[place] = own
    bucket[place + 1] = opp
    bucket[place + 2] = attacks | refuted << 1 | proved << 9 | plies << 17


@lean_recursive
def look(
    own: int, opp: int, plies: int, attacks: int, law: Law, lines: Lines, table: Words, control: Words
) -> int:
    control[NODES] += 1
    state = kernel.decision(own, opp, law)
    if state == ONGOING:
        state = kernel.outcome_without_lines(own, opp, law)
    if state != ONGOING:
        if state == REVEAL:
            return WIN if attacks else NONE
        if state == LINE or state == NO_MOVE_LOSES:
            return NONE if attacks else WIN
        return NONE
    if plies == 0:
        return NONE
    shown_own = kernel.squares_of(kernel.visible(own, opp))
    shown_opp = kernel.squares_of(kernel.visible(opp, own))
    if wins_at_once(own, opp, shown_own, shown_opp, law, lines):
        return WIN if attacks else NONE
    if plies == 1:
        if attacks:
            return UNKNOWN if may_be_stuck(opp, own, law) else NONE
        return NONE if has_quiet_move(own, opp, law) else UNKNOWN
    if control[BOUND]:
        if attacks:
            if out_of_reach(own, opp, shown_own, law, lines, plies // 2 + 1, 1):
                return NONE
        elif out_of_reach(opp, own, shown_opp, law, lines, (plies + 1) // 2, 0):
            return NONE
    if plies <= 2 and not attacks and lines.completing[shown_opp] == 0 and is_never_stuck(own, law) and has_quiet_move(own, opp, law):
        return NONE
    if plies >= TABLE_PLIES:
        return _remembered(own, opp, plies, attacks, law, table)
    return UNKNOWN


@lean_recursive
def wins(
    own: int, opp: int, plies: int, attacks: int, law: Law, lines: Lines, table: Words, moves: Words,
    history: Words, control: Words,
) -> bool:
    row = moves[plies]
    count = kernel.legal_moves(own, opp, law, row)
    wanted = WIN if attacks else NONE
    weights = history[attacks, moves[plies + 1, kernel.MAX_MOVES - 1]]
    for index in range(1, count):
        move = row[index]
        weight = weights[move]
        place = index
        while place > 0 and weights[row[place - 1]] < weight:
            row[place] = row[place - 1]
            place -= 1
        row[place] = move
    kept = 0
    best = -1
    for index in range(count):
        move = row[index]
        verdict = look(opp, kernel.play(own, move), plies - 1, 1 - attacks, law, lines, table, control)
        if verdict == wanted:
            best = move
            break
        if verdict == UNKNOWN:
            row[kept] = move
            kept += 1
    if best < 0:
        for index in range(kept):
            move = row[index]
            row[kernel.MAX_MOVES - 1] = move & 15
            won = wins(opp, kernel.play(own, move), plies - 1, 1 - attacks, law, lines, table, moves, history, control)
            if control[STOP]:
                return False
            if won == (attacks == 1):
                best = move
                break
    if best >= 0:
        weights[best] += plies * plies
    result = (best >= 0) == (attacks == 1)
    if plies >= TABLE_PLIES:
        _remember(own, opp, plies, attacks, result, law, table)
    return result


@compiled
def decide(own, opp, plies, attacks, law, lines, table, moves, history, control):
    verdict = look(own, opp, plies, attacks, law, lines, table, control)
    if verdict == UNKNOWN:
        return wins(own, opp, plies, attacks, law, lines, table, moves, history, control)
    return verdict == WIN


class Room:
    def __init__(self, law, bits=20, bound=1):
        self.law = law
        self.lines = lines_of(law)
        self.table = np.zeros((1 << bits, 8), np.int64)
        self.moves = np.zeros((64, kernel.MAX_MOVES), np.int64)
        self.history = np.zeros((2, 16, kernel.MAX_MOVES), np.int64)
        self.control = np.zeros(3, np.int64)
        self.control[BOUND] = bound

    def decide(self, own, opp, plies, attacks):
        return decide(own, opp, plies, attacks, self.law, self.lines, self.table, self.moves, self.history, self.control)


if __name__ == "__main__":
    import sys
    from nestline.rules import load_rules
    name, top, bound = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    law = load_rules(name).law
    for attacks in (1, 0):
        room = Room(law, 20, bound)
        room.decide(0, 0, 1, attacks)
        for plies in range(2 - attacks, top + 1, 2):
            began = time.perf_counter()
            before = room.control[NODES]
            won = room.decide(0, 0, plies, attacks)
            s = time.perf_counter() - began
            n = room.control[NODES] - before
            print(name, "first" if attacks else "second", plies, won, f"{n:,} nodes {s:.2f} s {n/s/1e6:.2f} M/s", flush=True)
            if won:
                break
