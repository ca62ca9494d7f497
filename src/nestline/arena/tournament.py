"""What a tournament is: rules, players, pairings, rounds and conditions.

A match is a tournament of two. `tournament_file` also reads tournaments from TOML files; the games
of a tournament are listed here, so that every run of it has the same ones.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from nestline.arena.contestant import Contestant
from nestline.arena.openings import MOST_PLIES, Opening, make_openings, usual_plies
from nestline.arena.sprt import Sprt
from nestline.engine.search.engine import Limits
from nestline.errors import NestlineError
from nestline.rules import RuleSet
from nestline.rules.schema import FIELDS
from nestline.solve.table import open_table

PLY_LIMIT = 200
USUAL_LIMITS = Limits(seconds=0.1)
MOST_ROUNDS = 1_000_000

Pairing = tuple[str, str]


class Entry(NamedTuple):
    """A player in a tournament: its description, and the contestant described."""

    text: str
    contestant: Contestant


class Fixture(NamedTuple):
    """A game to be played; two in a row have the same opening and players, with sides swapped."""

    number: int
    """From 1."""
    first: str
    second: str
    opening: Opening
    seed: int


@dataclass(frozen=True)
class Tournament:
    """Everything that decides which games are played; where and by how many workers does not."""

    rules: RuleSet
    entries: Mapping[str, Entry]
    pairings: tuple[Pairing, ...]
    rounds: int
    """How many openings each pairing plays, each of them from both sides."""
    limits: Limits = USUAL_LIMITS
    seed: int = 0
    opening_plies: int | None = None
    """None for the usual number on such a board."""
    balanced: bool = False
    """Whether to play only openings that are drawn according to the rule set's tablebase."""
    openings: tuple[Opening, ...] = ()
    """In place of random ones; they are played in order, and repeated if there are more rounds."""
    ply_limit: int = PLY_LIMIT
    anchor: str | None = None
    anchor_rating: float = 0.0
    sprt: Sprt | None = field(default=None)

    def __post_init__(self) -> None:
        if len(self.entries) < 2:
            raise NestlineError("a tournament has at least two players")
        for pairing in self.pairings:
            for name in pairing:
                if name not in self.entries:
                    raise NestlineError(f"there is no player {name!r}; {self._known()}")
            if pairing[0] == pairing[1]:
                raise NestlineError(f"{pairing[0]!r} cannot play against itself")
        if len({frozenset(pairing) for pairing in self.pairings}) < len(self.pairings):
            raise NestlineError("two players meet in one pairing only; rounds say how often")
        _require_chain(self.entries, self.pairings)
        for what, value, low, high in (
            ("rounds", self.rounds, 1, MOST_ROUNDS),
            ("the limit on plies", self.ply_limit, 1, 10_000),
            ("the plies of an opening", self.plies, 0, MOST_PLIES),
            ("the seed", self.seed, 0, 2**63 - 1),
        ):
            if not low <= value <= high:
                raise NestlineError(f"{what}: {value} is not a whole number from {low} to {high}")
        if self.openings and (self.opening_plies is not None or self.balanced):
            raise NestlineError(
                "openings are either given or random; plies and balanced are for random ones"
            )
        longest = max((len(opening.moves) for opening in self.openings), default=self.plies)
        if longest >= self.ply_limit:
            raise NestlineError(
                f"openings of {longest} plies leave nothing to play under a limit of "
                f"{self.ply_limit} plies"
            )
        if self.anchor is not None and self.anchor not in self.entries:
            raise NestlineError(f"the anchor {self.anchor!r} is not a player; {self._known()}")
        if self.sprt and len(self.entries) != 2:
            raise NestlineError("a sequential test is for two players")

    def _known(self) -> str:
        return f"players are {', '.join(self.entries)}"

    @property
    def plies(self) -> int:
        """The length of random openings."""
        return usual_plies(self.rules) if self.opening_plies is None else self.opening_plies

    @property
    def games(self) -> int:
        return 2 * self.rounds * len(self.pairings)

    @property
    def needs_table(self) -> bool:
        """Whether the tablebase of the rule set has to exist."""
        players = [entry.contestant for entry in self.entries.values()]
        return self.balanced or any(player.needs_table for player in players)

    @property
    def threads(self) -> int:
        """How many cores one game uses; the players take turns."""
        return max(entry.contestant.threads for entry in self.entries.values())

    def fixtures(self) -> list[Fixture]:
        """The games in order: each round has one opening, which all pairings play."""
        found: list[Fixture] = []
        for opening in self._openings():
            for one, other in self.pairings:
                for first, second in ((one, other), (other, one)):
                    number = len(found) + 1
                    seed = derived_seed(self.seed, number)
                    found.append(Fixture(number, first, second, opening, seed))
        return found

    def _openings(self) -> list[Opening]:
        if self.openings:
            return [self.openings[number % len(self.openings)] for number in range(self.rounds)]
        if not self.balanced:
            return make_openings(self.rules, self.rounds, plies=self.plies, seed=self.seed)
        with open_table(self.rules) as table:
            return make_openings(
                self.rules, self.rounds, plies=self.plies, seed=self.seed, table=table
            )

    def as_json(self) -> dict[str, Any]:
        """What must not change while the tournament is played, as JSON data."""
        return {
            "rules": self.rules.name,
            "fields": {
                key: value
                for key, value in self.rules.fields().items()
                # Those with a default were added later and change no game between programs.
                if FIELDS[key].default is None
            },
            "players": {name: entry.text for name, entry in self.entries.items()},
            "files of players": {
                name: entry.contestant.digest
                for name, entry in self.entries.items()
                if entry.contestant.digest
            },
            "pairings": [list(pairing) for pairing in self.pairings],
            "rounds": self.rounds,
            "limits": {
                name: value
                for name in ("seconds", "depth", "nodes")
                if (value := getattr(self.limits, name)) is not None
            },
            "seed": self.seed,
            "openings": self._openings_as_json(),
            "ply limit": self.ply_limit,
            "sprt": [self.sprt.elo0, self.sprt.elo1] if self.sprt else None,
        }

    def _openings_as_json(self) -> dict[str, Any]:
        if not self.openings:
            return {"plies": self.plies, "balanced": self.balanced}
        text = "\n".join(
            " ".join((opening.start or "start", *map(str, opening.moves)))
            for opening in self.openings
        )
        return {"given": len(self.openings), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def all_pairings(names: Mapping[str, Any]) -> tuple[Pairing, ...]:
    """Round robin: everybody against everybody."""
    return tuple(combinations(names, 2))


def derived_seed(*numbers: int) -> int:
    """A seed that depends on all the numbers; neighbouring numbers give unrelated seeds.

    >>> derived_seed(1, 2) == derived_seed(1, 2) != derived_seed(2, 1)
    True
    """
    text = " ".join(map(str, numbers))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")


def _require_chain(entries: Mapping[str, Entry], pairings: tuple[Pairing, ...]) -> None:
    """Refuse players not connected by any chain of pairings: they could not be compared."""
    reached = {next(iter(entries))}
    for _ in entries:
        for pairing in pairings:
            if reached & set(pairing):
                reached |= set(pairing)
    apart = [name for name in entries if name not in reached]
    if apart:
        raise NestlineError(
            f"the pairings do not connect {', '.join(apart)} with {next(iter(entries))}, "
            "so their ratings could not be compared"
        )
