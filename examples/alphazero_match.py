"""Play agents of `alphazero.py` against levels of the engine.

    python examples/alphazero_match.py trained4x4/checkpoint.pt --levels 4 6 8 --device cuda

All games of a match are played at once: half of them with the agent as the first player, and each
opening of two random moves from both sides. The agent searches by PUCT without noise; every game
has its own player of the engine, on all cores. An unfinished game counts as a draw.
"""

import argparse
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import torch
from alphazero import Games, load_network

from nestline import Game
from nestline.action_space import action_of, move_of
from nestline.engine.players.levels import check_level, make_player
from nestline.errors import NestlineError
from nestline.system import cores

OPENING_PLIES = 2
PLY_LIMIT = 100


class Score(NamedTuple):
    """The results of the agent."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return sum(self)

    @property
    def share(self) -> float:
        return (self.won + self.drawn / 2) / self.games

    @property
    def error(self) -> float:
        """The standard error of the share."""
        squares = self.won + self.drawn / 4
        return math.sqrt(max(0.0, squares / self.games - self.share**2) / self.games)

    def __str__(self) -> str:
        rating = ""
        if 0 < self.share < 1:
            difference = -400 * math.log10(1 / self.share - 1)
            rating = f", {difference:+.0f} Elo"
        return (
            f"{100 * self.share:.1f} % ± {100 * self.error:.1f} "
            f"(+{self.won} ={self.drawn} -{self.lost}){rating}"
        )


def play(agent: Games, level: str, seed: int) -> Score:
    """One match: as many games as the agent holds."""
    batch, count = agent.batch, agent.batch.games
    rules = batch.rules
    games = [Game(rules, ply_limit=PLY_LIMIT, touch_move=False) for _ in range(count)]
    players = [make_player(level, seed + number) for number in range(count)]
    batch.reset()
    chance = np.random.default_rng(seed)
    half = count // 2
    agent_first = np.arange(count) < half

    def answer(number: int) -> int:
        return action_of(players[number].choose(games[number]), rules)

    with ThreadPoolExecutor(cores()) as threads:
        for ply in range(PLY_LIMIT):
            going = [number for number in range(count) if not games[number].outcome]
            if not going:
                break
            actions = np.zeros(count, np.int64)
            if ply < OPENING_PLIES:
                for number in range(half):
                    legal = games[number].legal_moves()
                    move = legal[int(chance.integers(len(legal)))]
                    actions[number] = actions[half + number] = action_of(move, rules)
            else:
                agents = agent_first == (ply % 2 == 0)
                found = agent.tensor(agent.search().actions).cpu().numpy()
                theirs = [number for number in going if not agents[number]]
                actions[agents] = found[agents]
                actions[theirs] = list(threads.map(answer, theirs))
            for number in going:
                games[number].play(move_of(int(actions[number]), rules))
            # Finished games ignore their action.
            batch.step(actions)
    won = drawn = lost = 0
    for number, game in enumerate(games):
        winner = game.outcome.winner if game.outcome else None
        if winner is None:
            drawn += 1
        elif (winner == 0) == bool(agent_first[number]):
            won += 1
        else:
            lost += 1
    return Score(won, drawn, lost)


def options_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkpoints", nargs="+")
    parser.add_argument("--levels", nargs="+", default=["8"])
    parser.add_argument("--games", type=int, default=200, help="in each match, an even number")
    parser.add_argument("--simulations", type=int, default=200, help="of the agent for each move")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.games < 2 or options.games % 2:
        parser.error(f"--games is an even number from 2 on, not {options.games}")
    return options


def main(arguments: list[str]) -> None:
    options = options_of(arguments)
    for level in options.levels:
        check_level(level)
    for path in options.checkpoints:
        network: Any = load_network(path, options.device)
        if options.device == "cuda":
            network = network.bfloat16()
        agent = Games(
            network, options.games, options.simulations, device=options.device, auto_reset=False
        )
        for level in options.levels:
            began = time.perf_counter()
            score = play(agent, level, options.seed)
            seconds = time.perf_counter() - began
            print(f"{path} against level {level}: {score}, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(cores())
    try:
        main(sys.argv[1:])
    except NestlineError as error:
        sys.exit(f"error: {error}")
