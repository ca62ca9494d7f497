"""The results of a tournament: points, cross table, ratings, the verdict of a test.

The mathematics is in `ratings` and `sprt`; the interfaces decide how to show results.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nestline.arena.ratings import Encounter, Ratings, rate
from nestline.arena.single_game import FinishedGame
from nestline.arena.tournament import Tournament
from nestline.errors import NestlineError


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses of one player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def with_points(self, points: float) -> "Tally":
        return Tally(
            self.wins + (points == 1), self.draws + (points == 0.5), self.losses + (points == 0)
        )

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def as_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
        }


class Results:
    """The results of a finished tournament, of its games so far, or of those that count.

    With a sequential test, games after the one that decided it do not count: which of them were
    finished is chance.
    """

    def __init__(self, tournament: Tournament, played: Mapping[int, FinishedGame]) -> None:
        self.tournament = tournament
        referee = Referee(tournament)
        referee.look(played)
        last = referee.decided_after or max(played, default=0)
        self.games = [played[number] for number in sorted(played) if number <= last]
        idle = set(tournament.entries)
        for game in self.games:
            idle -= {game.first, game.second}
        if idle:
            waiting = ", ".join(name for name in tournament.entries if name in idle)
            raise NestlineError(f"without a game there is nothing to say about {waiting}")
        self.ratings: Ratings = rate(
            _encounters(self.games),
            anchor=tournament.anchor,
            anchor_rating=tournament.anchor_rating,
        )
        self._tallies: dict[tuple[str, str], Tally] = {}
        for game in self.games:
            for one, other in ((game.first, game.second), (game.second, game.first)):
                tally = self._tallies.get((one, other), Tally())
                self._tallies[one, other] = tally.with_points(game.points_of(one))

    @property
    def ranking(self) -> list[str]:
        """The players, best first."""
        return sorted(self.tournament.entries, key=lambda name: -self.ratings.points[name])

    @property
    def forfeits(self) -> list[FinishedGame]:
        return [game for game in self.games if game.forfeit is not None]

    def tally(self, name: str, other: str | None = None) -> Tally:
        """A player's tally against another one, or against all."""
        found = [
            tally
            for (one, against), tally in self._tallies.items()
            if one == name and other in (None, against)
        ]
        return Tally(
            sum(tally.wins for tally in found),
            sum(tally.draws for tally in found),
            sum(tally.losses for tally in found),
        )

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        tournament = self.tournament
        players = [
            {
                "name": name,
                "player": tournament.entries[name].text,
                "rating": round(self.ratings.points[name], 1),
                "error": round(self.ratings.errors[name], 1),
                **self.tally(name).as_json(),
                "against": {
                    other: self.tally(name, other).as_json()
                    for other in self.ranking
                    if (name, other) in self._tallies
                },
            }
            for name in self.ranking
        ]
        facts: dict[str, Any] = {
            "rules": tournament.rules.reference,
            "games": len(self.games),
            "planned": tournament.games,
            "players": players,
            "forfeits": [{"game": game.number, "reason": game.forfeit} for game in self.forfeits],
        }
        if len(tournament.entries) == 2:
            one, other = tournament.pairings[0]
            elo, error = self.ratings.difference(one, other)
            facts["difference"] = {"of": one, "elo": round(elo, 1), "error": round(error, 1)}
            facts["pairs"] = list(pair_counts(tournament, self.games))
        if tournament.sprt:
            counts = pair_counts(tournament, self.games)
            facts["sprt"] = {
                "elo0": tournament.sprt.elo0,
                "elo1": tournament.sprt.elo1,
                "log_likelihood_ratio": round(tournament.sprt.log_likelihood_ratio(counts), 3),
                "bound": round(tournament.sprt.bound, 3),
                "accepted": tournament.sprt.verdict(counts),
            }
        return facts


class Referee:
    """Watches the sequential test of a match, if it has one.

    Only pairs without a gap before them count, so it does not matter which games happen to finish
    first.
    """

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._counts = [0] * 5
        self.decided_after: int | None = None
        """The number of the game that decided the test, once it is decided."""

    def look(self, played: Mapping[int, FinishedGame]) -> bool:
        """Whether the games played so far have decided the test."""
        sprt = self._tournament.sprt
        while sprt and self.decided_after is None:
            number = 2 * sum(self._counts) + 2
            if number not in played or number - 1 not in played:
                break
            place = _pair_place(self._tournament, played[number - 1], played[number])
            self._counts[place] += 1
            if sprt.verdict(self._counts):
                self.decided_after = number
        return self.decided_after is not None


def pair_counts(
    tournament: Tournament, games: list[FinishedGame]
) -> tuple[int, int, int, int, int]:
    """How many pairs of games gave the first player of a match 0, 1/2, 1, 3/2 and 2 points."""
    counts = [0] * 5
    for one, other in _pairs(games):
        counts[_pair_place(tournament, one, other)] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def _pair_place(tournament: Tournament, one: FinishedGame, other: FinishedGame) -> int:
    name = tournament.pairings[0][0]
    return round(2 * (one.points_of(name) + other.points_of(name)))


def _pairs(games: list[FinishedGame]) -> list[tuple[FinishedGame, FinishedGame]]:
    """The pairs of games with the same opening, if both are there."""
    by_number = {game.number: game for game in games}
    return [
        (game, by_number[number + 1])
        for number, game in by_number.items()
        if number % 2 == 1 and number + 1 in by_number
    ]


def _encounters(games: list[FinishedGame]) -> list[Encounter]:
    """The games in their pairs; a game whose other half is missing stands alone."""
    found: dict[int, Encounter] = {}
    for game in games:
        pair = (game.number - 1) // 2
        before = found.get(pair, Encounter(game.first, game.second, 0.0, 0))
        points = before.points + game.points_of(before.first)
        found[pair] = before._replace(points=points, games=before.games + 1)
    return list(found.values())
