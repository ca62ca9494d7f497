"""The oracle: exact values of a solved rule set, and how far an agent's play is from them."""

import os
from collections.abc import Sequence
from typing import Literal

import numpy as np

from nestline.errors import GameError
from nestline.oracle.exploit import Exploit, best_response
from nestline.oracle.policies import Policy
from nestline.oracle.reachable import Reachable, find_reachable
from nestline.oracle.regret import Regret, checked_sample, regret_everywhere, regret_in_play
from nestline.oracle.values import ExactValues
from nestline.rules import RuleSet
from nestline.solve.retrograde import Progress


class Oracle(ExactValues):
    """The solution of a rule set, for judging agents."""

    def __init__(
        self, rules: str | RuleSet = "gobblers", folder: "str | os.PathLike[str] | None" = None
    ) -> None:
        super().__init__(rules, folder)
        self._space: Reachable | None = None

    def reachable(self, progress: Progress | None = None) -> Reachable:
        """The reachable positions; finding them takes a minute and a gigabyte on 3x3.

        They are kept in the cache folder, where the next process finds them at once.
        """
        if self._space is None:
            self._space = find_reachable(self.rules.law, progress)
        return self._space

    def regret(
        self,
        policy: Policy,
        over: Literal["all", "play"] = "all",
        *,
        sample: int | None = None,
        against: Policy | Sequence[Policy] | None = None,
        opening: int = 0,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Regret:
        """The mean regret of a policy over positions.

        `over` all reachable positions, each counted once up to symmetry, or over those that its
        own `play` reaches, counted as often as they occur: in self-play, or `against` another
        policy or several. Such games begin with a number of random moves as the `opening`, which do
        not count. Without `sample` the result is exact; otherwise it is estimated from that many
        positions or games, drawn with the seed, and has a standard error.
        """
        number = checked_sample(sample)
        if over == "all":
            if against is not None or opening:
                raise GameError('`against` and `opening` belong to over="play"')
            return regret_everywhere(self, self.reachable(progress), policy, number, seed, progress)
        if over == "play":
            others = [] if against is None else [against] if callable(against) else list(against)
            if not isinstance(opening, (int, np.integer)) or opening < 0:
                raise GameError(f"an opening has 0 moves or more, not {opening!r}")
            return regret_in_play(self, policy, others, int(opening), number, seed, progress)
        raise GameError(f'regret is taken over "all" positions or over "play", not {over!r}')

    def exploit(
        self, policy: Policy, *, positions: int = 20_000, progress: Progress | None = None
    ) -> Exploit:
        """What the best response to a policy gains as first and as second player.

        It expands at most this many positions for each seat; if they do not suffice, the lower and
        upper bounds differ.
        """
        if not isinstance(positions, (int, np.integer)) or positions < 1:
            raise GameError(f"at least 1 position is looked into, not {positions!r}")
        first, second = (
            best_response(self, policy, responder_begins, int(positions), progress)
            for responder_begins in (True, False)
        )
        return Exploit(as_first=first, as_second=second)
