"""A proof split at the top of its tree into parts that are proved independently.

The tree has the first few plies of a proof; what lies below is left to a `Prover`. At the
attacker's turn all his moves have to fail, so all of them are parts; at the defender's one that
holds is enough, so his moves are tried in turn, the one known to hold the longest first. Positions
that are images of each other are one. Results can be saved and loaded, so that an interrupted proof
can resume. Who works on the parts, threads or a cluster, is left to `parallel`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nestline import kernel
from nestline.rules import RuleSet

WORTH_SPLITTING = 11
"""Proofs within fewer plies are not split: their parts would be too small."""

SPLIT = 5
"""Plies at the top of the tree."""


class Part(NamedTuple):
    """A question for a prover: can the attacker win from here within these plies?

    The words are those of an image of the position that is the same for all of its images.
    """

    own: int
    opp: int
    attacks: int
    plies: int


class Known(NamedTuple):
    """What has been proved of a position: no win within `refuted` plies, one within `proved`."""

    refuted: int = 0
    proved: int | None = None

    def answer(self, plies: int) -> bool | None:
        if self.proved is not None and plies >= self.proved:
            return True
        return False if plies <= self.refuted else None


class Tree:
    """The top of a proof, and everything that is known of its parts."""

    def __init__(self, rules: RuleSet, glance: Callable[[Part], bool | None]) -> None:
        """`glance` answers a part if that takes no search."""
        self._rules = rules
        self._glance = glance
        self._known: dict[tuple[int, int, int], Known] = {}
        self._after: dict[Part, list[Part]] = {}
        self._row = np.empty(kernel.MAX_MOVES, np.int64)

    def part(self, own: int, opp: int, attacks: int, plies: int) -> Part:
        """The part for a position, the same for all its images."""
        board = self._rules.board
        symmetry = kernel.canonical_symmetry(own, opp, board)
        own, opp = (kernel.transform(word, symmetry, board) for word in (own, opp))
        return Part(own, opp, attacks, plies)

    def learn(self, part: Part, is_won: bool) -> None:
        """Note the answer to a part."""
        key = part[:3]
        known = self._known.get(key, Known())
        if is_won:
            proved = part.plies if known.proved is None else min(part.plies, known.proved)
            self._known[key] = known._replace(proved=proved)
        else:
            self._known[key] = known._replace(refuted=max(part.plies, known.refuted))

    def answer(self, part: Part) -> bool | None:
        """What is known of a part."""
        known = self._known.get(part[:3])
        return known.answer(part.plies) if known else None

    def wanted(self, root: Part, count: int) -> list[Part]:
        """Up to this many parts whose answers are needed, the most needed first.

        An empty list means that the answer to the root is known. Where there are fewer, parts
        follow that are needed only if another reply of the defender's fails.
        """
        parts: dict[Part, None] = {}
        for width in (1, 2, 4):
            if self._walk(root, SPLIT, width, count, parts, {}) is not None:
                return []
            if len(parts) >= count:
                break
        return list(parts)

    def _walk(
        self, part: Part, depth: int, width: int, count: int, parts: dict[Part, None],
        seen: dict[Part, bool | None],
    ) -> bool | None:  # fmt: skip
        """The answer to a part, if the known answers tell it; otherwise adds what is needed."""
        if part in seen:
            return seen[part]
        answer = self._answer_at_once(part)
        if answer is not None:
            return answer
        if depth == 0 or part.plies < WORTH_SPLITTING - SPLIT:
            parts[part] = None
        else:
            answer = self._answer_of_moves(part, depth, width, count, parts, seen)
            if answer is not None:
                self.learn(part, answer)
        seen[part] = answer
        return answer

    def _answer_of_moves(
        self, part: Part, depth: int, width: int, count: int, parts: dict[Part, None],
        seen: dict[Part, bool | None],
    ) -> bool | None:  # fmt: skip
        children = self._children(part)
        wanted = bool(part.attacks)
        for child in children:
            if self._answer_at_once(child) == wanted:
                return wanted
        is_complete, unknown = True, 0
        for child in sorted(children, key=self._held_for, reverse=True):
            answer = self._walk(child, depth - 1, width, count, parts, seen)
            if answer == wanted:
                return wanted
            if answer is None:
                is_complete = False
                unknown += 1
                if len(parts) >= count or (not part.attacks and unknown >= width):
                    break
        return not wanted if is_complete else None

    def _answer_at_once(self, part: Part) -> bool | None:
        """What is known of a part, or can be told without a search."""
        answer = self.answer(part)
        if answer is None and (answer := self._glance(part)) is not None:
            self.learn(part, answer)
        return answer

    def _held_for(self, part: Part) -> int:
        """The plies for which a reply of the defender's is known to hold."""
        known = self._known.get(part[:3])
        return known.refuted if known else 0

    def _children(self, part: Part) -> list[Part]:
        """The positions after each move, those that are images of each other once."""
        if part in self._after:
            return self._after[part]
        number = kernel.legal_moves(part.own, part.opp, self._rules.law, self._row)
        children: dict[Part, None] = {}
        for code in self._row[:number].tolist():
            after = kernel.play(part.own, code)
            children[self.part(part.opp, after, 1 - part.attacks, part.plies - 1)] = None
        self._after[part] = list(children)
        return self._after[part]
