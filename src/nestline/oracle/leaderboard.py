"""A table of agents by how much they throw away: random, one ply, the engine's levels, perfect.

Showing progress to a person is left to the command `nestline leaderboard`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nestline.engine.players.level_names import numbered_levels
from nestline.engine.players.levels import make_player
from nestline.oracle.exploit import Bounds, Exploit
from nestline.oracle.oracle import Oracle
from nestline.oracle.policies import Policy, one_ply_policy, player_policy, random_policy
from nestline.oracle.regret import Regret
from nestline.solve.retrograde import Progress

SLOWNESS = 10
"""Agents that handle one position at a time get this many times fewer positions, except in the
search for the best response, whose bounds would stay too wide."""

OPENING = 2
"""Random moves at the start of the games: without them two deterministic agents play one game."""

POSITIONS_PER_GAME = 40
"""One game is played for so many sampled positions."""

SMALL = 10_000
"""Rule sets with fewer entries than this are not sampled."""


@dataclass(frozen=True)
class Row:
    """An agent's place in the table."""

    name: str
    everywhere: Regret
    """Over reachable positions."""
    play: Regret
    """Over games against all other agents of the table."""
    exploit: Exploit

    def as_json(self) -> dict[str, Any]:
        """The row for programs."""
        return {
            "agent": self.name,
            "regret": self.everywhere.mean,
            "error": self.everywhere.error,
            "mistakes": self.everywhere.mistakes,
            "positions": self.everywhere.positions,
            "play": self.play.mean,
            "play_error": self.play.error,
            "per_game": self.play.per_game,
            "exploit_as_first": [self.exploit.as_first.lower, self.exploit.as_first.upper],
            "exploit_as_second": [self.exploit.as_second.lower, self.exploit.as_second.upper],
        }


def policies(
    oracle: Oracle, levels: Iterable[str], seed: int, others: Mapping[str, Policy]
) -> dict[str, tuple[Policy, bool]]:
    """The agents by name, and whether each is slow, in the order of the table."""
    rules = oracle.rules
    found: dict[str, tuple[Policy, bool]] = {
        "random": (random_policy, False),
        "one ply": (one_ply_policy(rules), False),
    }
    for level in levels:
        found[f"level {level}"] = (player_policy(make_player(level, seed), rules), True)
    found.update({name: (policy, False) for name, policy in others.items()})
    # Deterministic, so that its best response can be found.
    found["perfect"] = (lambda *seen: oracle.policy(*seen).argmax(axis=1), False)
    return found


def measure(
    oracle: Oracle, name: str, policy: Policy, against: Sequence[Policy], *, sample: int,
    seed: int, slow: bool,
) -> Row:  # fmt: skip
    """One row of the table; slow agents get fewer positions."""
    small = oracle.table.header.entries < SMALL
    number = max(2, sample // (SLOWNESS if slow else 1))
    everywhere = oracle.regret(policy, sample=None if small else number, seed=seed)
    games = max(2, sample // POSITIONS_PER_GAME // len(against)) * len(against)
    play = oracle.regret(policy, "play", against=against, opening=OPENING, sample=games, seed=seed)
    return Row(name, everywhere, play, oracle.exploit(policy, positions=sample))


def make_table(
    oracle: Oracle,
    *,
    levels: Iterable[str] | None = None,
    others: Mapping[str, Policy] | None = None,
    sample: int = 20_000,
    seed: int = 0,
    progress: Progress | None = None,
    done: Callable[[Row], None] | None = None,
) -> list[Row]:
    """Measure all agents; rows come in the order of the agents."""
    advance = progress or (lambda _part: None)
    oracle.reachable(lambda part: advance(0.3 * part))
    chosen = numbered_levels(oracle.rules) if levels is None else levels
    agents = policies(oracle, chosen, seed, others or {})
    rows = []
    for number, (name, (policy, slow)) in enumerate(agents.items(), start=1):
        rivals = [rival for other, (rival, _) in agents.items() if other != name]
        rows.append(measure(oracle, name, policy, rivals, sample=sample, seed=seed, slow=slow))
        advance(0.3 + 0.7 * number / len(agents))
        if done:
            done(rows[-1])
    return rows


COLUMNS = (
    "agent", "regret", "mistakes", "regret in games", "thrown away in a game",
    "best response, moving first", "moving second",
)  # fmt: skip


def cells(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    """The cells below the headings, the agent with the most regret first."""
    return [
        (
            row.name,
            _told(row.everywhere),
            f"{row.everywhere.mistakes:.1%}",
            _told(row.play),
            f"{row.play.per_game:.2f}",
            _range(row.exploit.as_first),
            _range(row.exploit.as_second),
        )
        for row in sorted(rows, key=lambda row: -row.everywhere.mean)
    ]


def markdown(rows: Iterable[Row], oracle: Oracle, command: str) -> str:
    """The table as a page of the documentation."""
    lines = [
        f"# Leaderboard: {oracle.rules.name}",
        "",
        f"Made by `{command}`; [what the numbers mean](oracle.md).",
        "",
        _joined(COLUMNS),
        "|---" * len(COLUMNS) + "|",
        *map(_joined, cells(rows)),
    ]
    return "\n".join(lines) + "\n"


def _joined(line: tuple[str, ...]) -> str:
    return f"| {' | '.join(line)} |"


def _told(regret: Regret) -> str:
    return f"{regret.mean:.3f}" + ("" if regret.is_exact else f" ± {regret.error:.3f}")


def _range(bounds: Bounds) -> str:
    # Adding zero turns -0.0 into 0.0.
    lower, upper = (f"{round(bound, 2) + 0.0:.2f}" for bound in (bounds.lower, bounds.upper))
    return lower if bounds.is_exact else f"{lower} to {upper}"
