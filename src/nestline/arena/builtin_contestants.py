"""The kinds of players that come with this package: levels, the engine, programs, baselines."""

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nestline.arena.contestant import (
    LIMIT_OPTIONS,
    Contestant,
    Kind,
    limits_from,
    read_options,
    whole_number,
    yes_or_no,
)
from nestline.engine.players.baselines import GreedyPlayer, MonteCarloPlayer
from nestline.engine.players.levels import make_player
from nestline.engine.players.perfect import PerfectPlayer
from nestline.engine.players.player import EnginePlayer, Player
from nestline.engine.protocol.external import ExternalPlayer, Patience
from nestline.engine.search.engine import MEMORY, MOST_MEMORY, MOST_THREADS, Limits
from nestline.engine.search.weights import Weights, hand_set, load_weights
from nestline.errors import NestlineError
from nestline.rules import RuleSet
from nestline.system import split_command

PATIENCE = Patience()
MOST_PATIENCE = 1_000_000

HAND_SET = "hand"
"""In place of a file of weights: those set by hand, which learning starts from."""


@dataclass(frozen=True)
class LevelContestant(Contestant):
    """A level by its name; it thinks as long as its level does, whatever the limits."""

    level: str

    @property
    def needs_table(self) -> bool:  # type: ignore[override]
        return self.level == PerfectPlayer.name

    def make(self, rules: RuleSet, limits: Limits, seed: int) -> Player:
        player = make_player(self.level, seed)
        # Without its tablebase the perfect player would search, and no game would be reproducible.
        player.prepare(rules, wait=True)
        return player


@dataclass(frozen=True)
class EngineContestant(Contestant):
    """The engine with its options; its own limits replace those of the match."""

    threads: int = 1
    memory: int = MEMORY
    tables: bool = False
    selective: bool = True
    weights: Weights | None = None
    is_hand_set: bool = False
    limits: Limits | None = None
    digest: str | None = None

    @property
    def needs_table(self) -> bool:  # type: ignore[override]
        return self.tables

    def make(self, rules: RuleSet, limits: Limits, seed: int) -> Player:
        return EnginePlayer(
            self.limits or limits,
            seed,
            memory=self.memory,
            threads=self.threads,
            tables=self.tables,
            selective=self.selective,
            weights=hand_set(rules) if self.is_hand_set else self.weights,
        )


@dataclass(frozen=True)
class MonteCarloContestant(Contestant):
    """Plain Monte Carlo tree search; nodes are playouts."""

    limits: Limits | None = None

    def make(self, rules: RuleSet, limits: Limits, seed: int) -> Player:
        return MonteCarloPlayer(self.limits or limits, seed)


@dataclass(frozen=True)
class GreedyContestant(Contestant):
    """The greedy player, which needs no limits."""

    def make(self, rules: RuleSet, limits: Limits, seed: int) -> Player:
        return GreedyPlayer(seed)


@dataclass(frozen=True)
class ProgramContestant(Contestant):
    """A UGI program, restarted for each game."""

    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    limits: Limits | None = None
    patience: Patience = PATIENCE
    is_foreign = True

    def make(self, rules: RuleSet, limits: Limits, seed: int) -> Player:
        return ExternalPlayer(
            self.command,
            rules=rules,
            limits=self.limits or limits,
            options=self.options,
            patience=self.patience,
        )


def _read_engine(text: str, folder: Path) -> Contestant:
    options = read_options(
        text,
        {
            **LIMIT_OPTIONS,
            "threads": whole_number(1, MOST_THREADS),
            "hash": whole_number(1, MOST_MEMORY),
            "tables": yes_or_no,
            "selective": yes_or_no,
            "weights": str,
        },
    )
    name = options.get("weights")
    weights = digest = None
    if name not in (None, HAND_SET):
        path = folder / name
        weights = load_weights(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return EngineContestant(
        threads=options.get("threads", 1),
        memory=options.get("hash", MEMORY),
        tables=options.get("tables", False),
        selective=options.get("selective", True),
        weights=weights,
        is_hand_set=name == HAND_SET,
        limits=limits_from(options),
        digest=digest,
    )


def _read_monte_carlo(text: str, folder: Path) -> Contestant:
    allowed = {name: LIMIT_OPTIONS[name] for name in ("movetime", "nodes")}
    return MonteCarloContestant(limits_from(read_options(text, allowed)))


def _read_greedy(text: str, folder: Path) -> Contestant:
    if text:
        raise NestlineError("it has no options")
    return GreedyContestant()


def _read_program(text: str, folder: Path) -> Contestant:
    """A command as in a shell, preceded by settings as a shell writes variables."""
    try:
        words = split_command(text)
    except ValueError as error:
        raise NestlineError(f"the command cannot be read: {str(error).lower()}") from None
    settings: dict[str, str] = {}
    while words and "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        settings[name] = value
    if not words:
        raise NestlineError("the command is missing")
    if shutil.which(words[0]) is None:
        raise NestlineError(f"there is no program {words[0]!r}")
    allowed = {**LIMIT_OPTIONS, "patience": whole_number(1, MOST_PATIENCE)}
    ours = ",".join(f"{name}={settings.pop(name)}" for name in allowed if name in settings)
    options = read_options(ours, allowed)
    seconds = options.get("patience", PATIENCE.unlimited)
    patience = PATIENCE._replace(unlimited=seconds)
    return ProgramContestant(tuple(words), settings, limits_from(options), patience)


KINDS = {
    "engine": Kind(
        "engine[:OPTION=VALUE,…] with threads, hash, weights, tables, selective, "
        "movetime, nodes, depth",
        _read_engine,
    ),
    "ugi": Kind(
        "ugi:[OPTION=VALUE …] COMMAND with movetime, nodes, depth, patience (seconds), "
        "and the options of the program",
        _read_program,
    ),
    "greedy": Kind("greedy", _read_greedy),
    "mcts": Kind("mcts[:OPTION=VALUE,…] with movetime, nodes", _read_monte_carlo),
}
"""Each kind by the word before the colon."""
