"""Learn to play with Stable-Baselines3: python examples/maskable_ppo.py [RULES] [STEPS].

MaskablePPO of sb3-contrib against a random player, on our `VecEnv`; it prints the share of points
before and after. Needs `pip install 'nestline[sb3]'`.
"""

import sys

import numpy as np
from sb3_contrib import MaskablePPO

from nestline.envs.stable_baselines3 import NestlineVecEnv


def score(model: MaskablePPO, rules: str, games: int = 500) -> float:
    """The agent's average result against a random player: 1 a win, -1 a loss."""
    env = NestlineVecEnv(games, rules, opponent="random")
    env.seed(1)
    planes = env.reset()
    results = np.full(games, np.nan)
    while np.isnan(results).any():
        actions, _ = model.predict(planes, action_masks=env.action_masks(), deterministic=True)
        planes, rewards, over, _ = env.step(actions)
        first = over & np.isnan(results)
        results[first] = rewards[first]
    return float(results.mean())


def main(rules: str = "tictactoe", steps: int = 100_000) -> None:
    """Learn, and tell how much that has helped."""
    env = NestlineVecEnv(256, rules, opponent="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=2048, seed=1, device="cpu")
    before = score(model, rules)
    model.learn(steps)
    print(f"{rules}: {before:+.2f} before learning, {score(model, rules):+.2f} after")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
