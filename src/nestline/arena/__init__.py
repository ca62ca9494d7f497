"""Matches and tournaments between players, and what they say about playing strength.

    from nestline.arena import load_tournament, run_tournament

The names below are loaded on first use.
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.arena.contestant import Contestant, Kind
    from nestline.arena.descriptions import read_contestant
    from nestline.arena.openings import Opening, make_openings, read_openings
    from nestline.arena.ratings import Encounter, Ratings, rate
    from nestline.arena.results import Results
    from nestline.arena.run import Stopped, run_tournament
    from nestline.arena.single_game import FinishedGame
    from nestline.arena.sprt import Sprt
    from nestline.arena.tournament import Entry, Tournament, all_pairings
    from nestline.arena.tournament_file import load_tournament

__all__ = [
    "Contestant",
    "Encounter",
    "Entry",
    "FinishedGame",
    "Kind",
    "Opening",
    "Ratings",
    "Results",
    "Sprt",
    "Stopped",
    "Tournament",
    "all_pairings",
    "load_tournament",
    "make_openings",
    "rate",
    "read_contestant",
    "read_openings",
    "run_tournament",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.arena.contestant": "Contestant Kind",
        "nestline.arena.descriptions": "read_contestant",
        "nestline.arena.openings": "Opening make_openings read_openings",
        "nestline.arena.ratings": "Encounter Ratings rate",
        "nestline.arena.results": "Results",
        "nestline.arena.run": "Stopped run_tournament",
        "nestline.arena.single_game": "FinishedGame",
        "nestline.arena.sprt": "Sprt",
        "nestline.arena.tournament": "Entry Tournament all_pairings",
        "nestline.arena.tournament_file": "load_tournament",
    },
)
