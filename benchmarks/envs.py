"""Steps per second of every environment in one run on one core, beside other games.

Run with `make bench` or `python benchmarks/envs.py`. A step is one random legal move.
The other games are PettingZoo's and OpenSpiel's own, as installed.
"""

import random
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from pettingzoo.classic import connect_four_v3, tictactoe_v3

import nestline.envs.openspiel  # noqa: F401  (registers the game)
from nestline.envs import nestline_v1
from nestline.envs.batch import Batch

SECONDS = 1.0
ROUNDS = 10
RULES = ("gobblers", "gobblet")
BATCHES = (1, 1024, 65_536)

Work = Callable[[], int]
"""Does some work and returns the number of steps."""


def zoo(make: Callable[[], object]) -> Work:
    """Random play in PettingZoo's loop, as its own benchmark does it."""
    env = make()
    env.reset()

    def work() -> int:
        for _ in range(100):
            for _agent in env.agent_iter(2):
                seen, _, terminated, truncated, _ = env.last()
                over = terminated or truncated
                legal = np.flatnonzero(seen["action_mask"]).tolist()
                env.step(None if over else random.choice(legal))
                if all(env.terminations.values()) or all(env.truncations.values()):
                    env.reset()
        return 200

    return work


def spiel(name: str) -> Work:
    """Random play in OpenSpiel."""
    game = pyspiel.load_game(name)

    def work() -> int:
        steps = 0
        for _ in range(10):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
                steps += 1
        return steps

    return work


def recorded(rules: str, games: int, plies: int = 40) -> tuple[Batch, list[np.ndarray]]:
    """A batch, and random actions that it can play from the start."""
    batch = Batch(rules, games, seed=1)
    actions = []
    for _ in range(plies):
        actions.append(batch.random_actions())
        batch.step(actions[-1])
    return batch, actions


def stepping(rules: str, games: int, *, seen: bool) -> Work:
    """Steps with given actions, with or without masks and observations after each."""
    batch, actions = recorded(rules, games)
    planes, masks = batch.observe(), batch.legal_action_mask()

    def work() -> int:
        batch.reset()
        for chosen in actions:
            batch.step(chosen)
            if seen:
                batch.observe(planes)
                batch.legal_action_mask(masks)
        return games * len(actions)

    return work


def playing(rules: str, games: int) -> Work:
    """Random moves, chosen and played in one call."""
    batch = Batch(rules, games, seed=1)
    steps = max(20, 20_000 // games)

    def work() -> int:
        batch.random_steps(steps)
        return games * steps

    return work


def speed(work: Work) -> float:
    steps = 0
    began = time.perf_counter()
    while time.perf_counter() - began < SECONDS / ROUNDS:
        steps += work()
    return steps / (time.perf_counter() - began)


def contenders() -> dict[str, Work]:
    found = {
        "PettingZoo tictactoe_v3": zoo(tictactoe_v3.env),
        "PettingZoo tictactoe_v3, raw": zoo(tictactoe_v3.raw_env),
        "PettingZoo connect_four_v3": zoo(connect_four_v3.env),
        "PettingZoo connect_four_v3, raw": zoo(connect_four_v3.raw_env),
        "OpenSpiel tic_tac_toe (C++)": spiel("tic_tac_toe"),
        "OpenSpiel connect_four (C++)": spiel("connect_four"),
    }
    for rules in RULES:
        found[f"nestline_v1, {rules}"] = zoo(lambda rules=rules: nestline_v1.env(rules=rules))
        found[f"nestline_v1 raw, {rules}"] = zoo(
            lambda rules=rules: nestline_v1.raw_env(rules=rules)
        )
        found[f"OpenSpiel python_nestline, {rules}"] = spiel(f"python_nestline(rules={rules})")
        for games in BATCHES:
            batch = f"batch of {games:,}, {rules}"
            found[f"{batch}: step"] = stepping(rules, games, seen=False)
            found[f"{batch}: step, masks, observations"] = stepping(rules, games, seen=True)
            found[f"{batch}: random moves in one go"] = playing(rules, games)
    return found


def main() -> None:
    works = contenders()
    for work in works.values():
        work()  # compiles
    best = dict.fromkeys(works, 0.0)
    # Taking turns, so that other load on the machine affects all alike.
    for _ in range(ROUNDS):
        for name, work in works.items():
            best[name] = max(best[name], speed(work))
    print(f"environments, steps per second on one core (best of {ROUNDS})")
    for name, steps in best.items():
        print(f"{name:55} {steps:>14,.0f}")
    for kind in ("", " raw"):
        other = f"PettingZoo tictactoe_v3{',' * bool(kind)}{kind}"
        ratio = best[f"nestline_v1{kind}, gobblers"] / best[other]
        print(f"nestline_v1{kind} / {other}: {ratio:.2f}")


if __name__ == "__main__":
    main()
