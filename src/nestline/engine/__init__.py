"""The engine: search, players of every strength, proofs, game review, and the UGI protocol.

    from nestline.engine import Engine, Limits, make_player

The names below are loaded on first use.
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.engine.players.baselines import GreedyPlayer, MonteCarloPlayer
    from nestline.engine.players.ladders import Level
    from nestline.engine.players.level_names import LEVEL_NAMES
    from nestline.engine.players.levels import LevelPlayer, MaximumPlayer, make_player
    from nestline.engine.players.perfect import PerfectPlayer
    from nestline.engine.players.player import EnginePlayer, Player, RandomPlayer
    from nestline.engine.protocol.external import ExternalPlayer, Patience
    from nestline.engine.review import Judgement, ReviewedMove, review_game
    from nestline.engine.search.engine import Engine, Limits, Report, Stop, Variation
    from nestline.engine.search.weights import Weights, load_weights

__all__ = [
    "LEVEL_NAMES",
    "Engine",
    "EnginePlayer",
    "ExternalPlayer",
    "GreedyPlayer",
    "Judgement",
    "Level",
    "LevelPlayer",
    "Limits",
    "MaximumPlayer",
    "MonteCarloPlayer",
    "Patience",
    "PerfectPlayer",
    "Player",
    "RandomPlayer",
    "Report",
    "ReviewedMove",
    "Stop",
    "Variation",
    "Weights",
    "load_weights",
    "make_player",
    "review_game",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.engine.players.baselines": "GreedyPlayer MonteCarloPlayer",
        "nestline.engine.players.level_names": "LEVEL_NAMES",
        "nestline.engine.players.ladders": "Level",
        "nestline.engine.players.levels": "LevelPlayer MaximumPlayer make_player",
        "nestline.engine.players.perfect": "PerfectPlayer",
        "nestline.engine.players.player": "EnginePlayer Player RandomPlayer",
        "nestline.engine.protocol.external": "ExternalPlayer Patience",
        "nestline.engine.review": "Judgement ReviewedMove review_game",
        "nestline.engine.search.engine": "Engine Limits Report Stop Variation",
        "nestline.engine.search.weights": "Weights load_weights",
    },
)
