"""Train an agent by self-play, and measure it against the solution as it learns.

    pip install "nestline[train]"
    nestline tables build gobblers
    python examples/self_play.py trained

In a few minutes on two cores this trains a policy with less regret than looking one ply ahead. It
plays thousands of games at once on the batch kernel; with `--device cuda`, games, network and all
arrays stay on the GPU. The same command resumes an interrupted training.

A network predicts the value of every action. Its target is the value of the opponent's best action
in the next position, negated, or the result of the game. Each game explores with an error rate of
its own, so that the network sees both good and bad play.
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor, nn

from nestline.action_space import action_count
from nestline.envs import Batch
from nestline.errors import NestlineError
from nestline.observations import observation_shape
from nestline.oracle import Oracle, one_ply_policy, random_policy
from nestline.rules import load_rules

CHECKPOINT, PLOT = "checkpoint.pt", "learning-curve.svg"
REMEMBERED = 10
"""The replay buffer holds the latest moves, one in this many of the whole training."""
MOST_REMEMBERED = 10_000_000
WARM_UP = 16
"""Moves of every game before learning begins."""
MEASURINGS = 20
GAMES_MEASURED = 200


class Network(nn.Module):
    """The values of all actions, -1 to 1, from the observation of a position.

    All lines of squares share the same weights; two dense layers combine their features.
    """

    def __init__(self, rules: str, width: int = 32, joined: int = 256) -> None:
        super().__init__()
        loaded = load_rules(rules)
        self.rules = rules
        self.planes, board, _ = observation_shape(loaded)
        lines = torch.tensor(
            [[row * board + column for column in range(board)] for row in range(board)]
            + [[row * board + column for row in range(board)] for column in range(board)]
            + [[place * (board + 1) for place in range(board)]]
            + [[(place + 1) * (board - 1) for place in range(board)]]
        )
        self.register_buffer("lines", lines, persistent=False)
        self.look = nn.Linear(self.planes * board, width)
        seen = width * len(lines) + self.planes * board * board
        self.join = nn.Sequential(
            nn.Linear(seen, joined), nn.ReLU(), nn.Linear(joined, joined), nn.ReLU(),
            nn.Linear(joined, action_count(loaded)), nn.Tanh(),
        )  # fmt: skip

    def forward(self, planes: Tensor) -> Tensor:
        squares = planes.flatten(2).float()
        lines = squares[:, :, self.lines].transpose(1, 2).flatten(2)
        seen = torch.relu(self.look(lines)).flatten(1)
        values: Tensor = self.join(torch.cat([seen, squares.flatten(1)], 1))
        return values


def best_of(values: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
    """The value of the best legal action of each row, and the action."""
    best = values.masked_fill(~masks, -2).max(dim=1)
    return best.values, best.indices


class Symmetries:
    """The images of positions and actions under the symmetries of the board."""

    def __init__(self, rules: str, device: str) -> None:
        loaded = load_rules(rules)
        board = loaded.board
        squares = np.arange(board * board).reshape(board, board)
        turned = [np.rot90(image, turns) for image in (squares, squares.T) for turns in range(4)]
        self.squares = torch.tensor(np.array(turned).reshape(8, -1), device=device)
        sizes = action_count(loaded) // board**2 - (board**2 if loaded.moving else 0)
        self._actions = torch.empty((8, action_count(loaded)), dtype=torch.long, device=device)
        for number, old_places in enumerate(self.squares):
            new_places = old_places.argsort()
            sources = torch.arange(action_count(loaded) // board**2, device=device)
            if loaded.moving:
                sources[sizes:] = sizes + new_places
            actions = sources[:, None] * board**2 + new_places[None, :]
            self._actions[number] = actions.flatten()

    def apply(self, number: int, planes: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
        """Observations (n, planes, board, board) and actions (n,) under symmetry `number`."""
        turned = planes.flatten(2)[:, :, self.squares[number]].view_as(planes)
        return turned, self._actions[number][actions]


class Remembered:
    """The replay buffer: observations, actions and values of the latest steps of all games."""

    def __init__(self, steps: int, games: int, shape: tuple[int, ...], device: str) -> None:
        size = games * max(1, min(-(-steps // REMEMBERED), MOST_REMEMBERED // games))
        self.planes = torch.zeros((size, *shape), dtype=torch.int8, device=device)
        self.actions = torch.zeros(size, dtype=torch.long, device=device)
        self.values = torch.zeros(size, device=device)
        self.filled = self._next = 0

    def add(self, planes: Tensor, actions: Tensor, values: Tensor) -> None:
        place = slice(self._next, self._next + len(planes))
        self.planes[place], self.actions[place], self.values[place] = planes, actions, values
        self.filled = max(self.filled, place.stop)
        self._next = place.stop % len(self.planes)

    def draw(self, count: int) -> tuple[Tensor, Tensor, Tensor]:
        chosen = torch.randint(self.filled, (count,), device=self.planes.device)
        return self.planes[chosen], self.actions[chosen], self.values[chosen]


class SelfPlay:
    """Games of a network against itself, on the CPU or on the GPU."""

    def __init__(self, rules: str, games: int, device: str, seed: int) -> None:
        self.device = device
        self.batch: Any
        if device == "cuda":
            from nestline.envs import CudaBatch

            self.batch = CudaBatch(rules, games, seed=seed, ply_limit=60)
        else:
            self.batch = Batch(rules, games, seed=seed, ply_limit=60)
        self.errs = torch.linspace(0, 1, games, device=device) ** 1.5  # from never to always
        self.planes, self.masks = self._look()
        self.best = torch.zeros(games, dtype=torch.long, device=device)

    def _tensor(self, array: Any) -> Tensor:
        return torch.as_tensor(array, device=self.device)

    def _look(self) -> tuple[Tensor, Tensor]:
        return self._tensor(self.batch.observe()), self._tensor(self.batch.legal_action_mask())

    @torch.no_grad()
    def step(self, network: Network, remembered: Remembered) -> None:
        """Play a move in every game, and estimate its value with the network."""
        planes = self.planes
        by_chance = self._tensor(self.batch.random_actions())
        errs = torch.rand(len(planes), device=self.device) < self.errs
        actions = torch.where(errs, by_chance, self.best)
        step = self.batch.step(actions)
        rewards, ended = self._tensor(step.rewards), self._tensor(step.terminated)
        stopped = self._tensor(step.truncated)
        self.planes, self.masks = self._look()
        answers, self.best = best_of(network(self.planes), self.masks)
        values = torch.where(ended | stopped, rewards, -answers)
        remembered.add(planes, actions, values)


def policy_of(network: Network, device: str = "cpu") -> Callable[[Any, Any], Any]:
    """The network as a policy for the oracle: the action with the highest value."""

    @torch.no_grad()
    def policy(planes: Any, masks: Any) -> Any:
        values = network(torch.as_tensor(planes, device=device))
        return best_of(values, torch.as_tensor(masks, device=device))[1].cpu().numpy()

    return policy


def load(path: str) -> Callable[[Any, Any], Any]:
    """The policy in a checkpoint, for `nestline leaderboard --policy trained=self_play:load:…`."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    network = Network(state["rules"])
    network.load_state_dict(state["network"])
    return policy_of(network)


class Point(NamedTuple):
    """A point of the learning curve: training steps, and regret per move."""

    step: int
    regret: float


def measure(oracle: Oracle, policy: Any) -> float:
    """The exact regret per move of a policy in games against a random player."""
    regret = oracle.regret(policy, "play", against=random_policy, sample=GAMES_MEASURED, seed=1)
    return regret.mean


def save(folder: Path, state: dict[str, Any]) -> None:
    """Write the checkpoint atomically."""
    part = folder / (CHECKPOINT + ".part")
    torch.save(state, part)
    os.replace(part, folder / CHECKPOINT)


def plot(folder: Path, curve: list[Point], one_ply: float) -> None:
    """The learning curve as a picture, with the regret of looking one ply ahead."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    steps, regrets = zip(*curve, strict=True)
    axes.plot(steps, regrets, color="#a4432f", label="trained by self-play")
    axes.axhline(one_ply, color="#6b5f55", linestyle="--", linewidth=1, label="one ply")
    axes.set(xlabel="steps of learning", ylabel="value thrown away per move", ylim=(0, None))
    axes.legend()
    figure.savefig(folder / PLOT)
    pyplot.close(figure)


class Trainer:
    """The whole state of a training run, and how it is saved and resumed."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.folder = Path(options.folder)
        torch.manual_seed(options.seed)
        device = options.device
        self.network = Network(options.rules).to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=options.rate)
        self.symmetries = Symmetries(options.rules, device)
        self.step = 0
        self.curve: list[Point] = []
        self.seconds = 0.0
        if (self.folder / CHECKPOINT).exists():
            self._take_up()

    def _take_up(self) -> None:
        path = self.folder / CHECKPOINT
        state = torch.load(path, map_location=self.options.device, weights_only=True)
        if state["rules"] != self.options.rules:
            raise NestlineError(f"{path} is an agent for {state['rules']}; give another folder")
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.seconds = state["step"], state["seconds"]
        self.curve = [Point(*point) for point in state["curve"]]

    def save(self) -> None:
        state = {
            "rules": self.options.rules,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
            "curve": [tuple(point) for point in self.curve],
        }
        save(self.folder, state)

    def learn(self, remembered: Remembered) -> None:
        """One training step on samples of the replay buffer, seen through a symmetry."""
        planes, actions, values = remembered.draw(self.options.sample)
        number = int(torch.randint(8, ()))
        planes, actions = self.symmetries.apply(number, planes, actions)
        told = self.network(planes).gather(1, actions[:, None])[:, 0]
        loss = nn.functional.mse_loss(told, values)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def run(self, oracle: Oracle, progress: Progress) -> None:
        options = self.options
        play = SelfPlay(options.rules, options.games, options.device, options.seed + self.step)
        shape = play.batch.observation_shape
        remembered = Remembered(options.steps, options.games, shape, options.device)
        for _ in range(WARM_UP):
            play.step(self.network, remembered)
        bar = progress.add_task("", total=options.steps, completed=self.step, told="")
        every = max(1, options.steps // MEASURINGS)
        first, began = self.step, time.perf_counter()
        before = self.seconds
        while self.step < options.steps:
            part = self.step / options.steps
            for group in self.optimizer.param_groups:
                group["lr"] = options.rate * (0.02 + 0.98 * (1 + math.cos(math.pi * part)) / 2)
            play.step(self.network, remembered)
            self.learn(remembered)
            self.step += 1
            self.seconds = before + time.perf_counter() - began
            if self.step % every == 0 or self.step == options.steps:
                policy = policy_of(self.network, options.device)
                self.curve.append(Point(self.step, measure(oracle, policy)))
                self.save()
            speed = options.games * (self.step - first) / (time.perf_counter() - began)
            told = f"{speed:,.0f} moves/s"
            if self.curve:
                told += f", {self.curve[-1].regret:.3f} thrown away per move"
            progress.update(bar, completed=self.step, told=told)


def options_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", help="where checkpoints and the learning curve go")
    parser.add_argument("--rules", default="gobblers", help="a solved rule set")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--games", type=int, default=2048, help="games played at once")
    parser.add_argument("--sample", type=int, default=2048, help="moves learned from in a step")
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, at the beginning")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--tables", help="the folder of the tables")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for name in ("steps", "games", "sample"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is at least 1, not {getattr(options, name)}")
    if options.device == "cuda" and not torch.cuda.is_available():
        parser.error("there is no graphics card here that PyTorch can use")
    return options


def main(arguments: list[str]) -> None:
    options = options_of(arguments)
    oracle = Oracle(options.rules, options.tables)
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(options)
    columns = (BarColumn(), TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn(),
               TextColumn("{task.fields[told]}"))  # fmt: skip
    with Progress(*columns) as progress:
        trainer.run(oracle, progress)
    one_ply = measure(oracle, one_ply_policy(options.rules))
    plot(folder, trainer.curve, one_ply)
    print(f"{trainer.step:,} steps in {trainer.seconds:.0f} s, measuring included.")
    print(f"Thrown away per move against a random player: one ply {one_ply:.4f}, "
          f"trained {trainer.curve[-1].regret:.4f}.")  # fmt: skip
    print(f"Checkpoint and learning curve are in {folder}.")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except NestlineError as error:
        print(f"self_play: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Stopped; the same command goes on from the last checkpoint.", file=sys.stderr)
        sys.exit(130)
