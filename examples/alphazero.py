"""Learn a game from nothing with AlphaZero: self-play with tree search, and a network.

    pip install "nestline[train]"
    python examples/alphazero.py trained                                      # gobblers, two cores
    python examples/alphazero.py trained4x4 --rules gobblet --device cuda     # one GPU

Thousands of games are played at once. In each position a Gumbel search with the network as its
evaluator finds a better policy than the network's own; the network learns that policy, and the
value of the position from what happened next (TD(λ)). With `--device cuda` games, trees, network
and replay buffer stay on the GPU, and a search is one CUDA graph. The same command resumes an
interrupted training. `alphazero_match.py` plays the agent against the levels of the engine.
"""

import argparse
import copy
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from nestline.action_space import action_count
from nestline.envs import Batch, TreeSearch
from nestline.errors import NestlineError
from nestline.observations import observation_shape, plane_limits, words_of
from nestline.oracle import Oracle, random_policy
from nestline.rules import load_rules
from nestline.symmetries import SYMMETRIES, action_table, inverse, square_table
from nestline.system import cores

CHECKPOINT = "checkpoint.pt"
LARGEST_SOLVED_BOARD = 3
PLY_LIMIT = 100
MEASURINGS = 12
SEARCHED_AT_ONCE = 250
SIMULATIONS_MEASURED = 64


class Size(NamedTuple):
    """What fits a device: the network, the games at once, what is learned from a segment."""

    width: int
    blocks: int
    games: int
    simulations: int
    considered: int
    sample: int
    rate: float


SIZES = {
    "cpu": Size(width=192, blocks=2, games=512, simulations=16, considered=8, sample=1024,
                rate=2e-3),
    "cuda": Size(width=512, blocks=6, games=8192, simulations=32, considered=16, sample=8192,
                 rate=1e-3),
}  # fmt: skip

SEGMENT = 16
"""Moves of every game between two phases of learning."""
REMEMBERED = 16
"""Segments in the replay buffer."""
REUSE = 2.0
"""How often a position is learned from, on average."""
LAMBDA = 0.8
AVERAGED = 0.995
"""The search uses an exponential moving average of the weights, with this decay per step."""


class Block(nn.Module):
    """A residual block of two dense layers."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width)
        )

    def forward(self, seen: Tensor) -> Tensor:
        return seen + self.layers(seen)


class Network(nn.Module):
    """From observations to the value for the player to move and the logits of all actions."""

    def __init__(self, rules: str, width: int, blocks: int) -> None:
        super().__init__()
        loaded = load_rules(rules)
        self.rules, self.width, self.blocks = rules, width, blocks
        limits = torch.tensor(plane_limits(loaded)).clamp(min=1)[:, None, None]
        self.register_buffer("scale", 1 / limits, persistent=False)
        self.body = nn.Sequential(
            nn.Flatten(),
            nn.Linear(math.prod(observation_shape(loaded)), width),
            *(Block(width) for _ in range(blocks)),
            nn.LayerNorm(width),
            nn.ReLU(),
        )
        self.policy = nn.Linear(width, action_count(loaded))
        self.value = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        seen = self.body(planes.to(self.policy.weight.dtype) * self.scale)
        return self.value(seen)[:, 0], self.policy(seen)


@torch.no_grad()
def evaluate(network: Network, planes: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
    """What a tree search asks for: values, and probabilities of the legal actions."""
    values, logits = network(planes)
    return values.float(), logits.float().masked_fill(~masks, -1e9).softmax(1)


def on_cpu(network: Network) -> Callable[[Any, Any], tuple[Any, Any]]:
    """A network as the evaluator of a `TreeSearch`."""

    def evaluator(planes: Any, masks: Any) -> tuple[Any, Any]:
        values, policies = evaluate(network, torch.from_numpy(planes), torch.from_numpy(masks))
        return values.numpy(), policies.numpy()

    return evaluator


class Games:
    """Games on one device, and a search of all of them with a network."""

    def __init__(
        self, network: Network, games: int, simulations: int, *, gumbel: int | None = None,
        seed: int = 1, device: str = "cpu", auto_reset: bool = True,
    ) -> None:  # fmt: skip
        self.device = device
        self._network = network
        self._graph: Any = None
        self.batch: Any
        self._search: Any
        options: dict[str, Any] = {"seed": seed, "ply_limit": PLY_LIMIT, "auto_reset": auto_reset}
        if device == "cuda":
            from nestline.envs import CudaBatch, CudaTreeSearch

            self.batch = CudaBatch(network.rules, games, **options)
            self._search = CudaTreeSearch(self.batch, simulations, gumbel=gumbel, seed=seed)
        else:
            self.batch = Batch(network.rules, games, threads=cores(), **options)
            self._search = TreeSearch(self.batch, simulations, gumbel=gumbel, seed=seed)

    def tensor(self, array: Any) -> Tensor:
        """An array of the batch or of the search, shared where possible."""
        return torch.as_tensor(array, device=self.device)

    def search(self) -> Any:
        """What the search finds in all games."""
        if self.device == "cpu":
            return self._search.run(self.batch, on_cpu(self._network))
        if self._graph is None:
            self._capture()
        self._graph.replay()
        return self._found

    def _capture(self) -> None:
        """Record the whole search as a CUDA graph, since its launches cost more than its work."""

        def evaluator(planes: Any, masks: Any) -> tuple[Tensor, Tensor]:
            return evaluate(self._network, self.tensor(planes), self.tensor(masks))

        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        self._search.use_stream(stream.cuda_stream)
        with torch.cuda.stream(stream):
            self._search.run(self.batch, evaluator)  # compiles, and lets cuBLAS allocate
        stream.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, stream=stream):
            self._found = self._search.run(self.batch, evaluator)
        stream.synchronize()


class Segment(NamedTuple):
    """Some moves of all games, (moves, games, …)."""

    planes: Tensor
    policies: Tensor
    values: Tensor


def play_segment(games: Games) -> Segment:
    """Play some moves of every game, and tell what the network should have said."""
    planes, policies, found_values, rewards, ended = [], [], [], [], []
    for _ in range(SEGMENT):
        planes.append(games.tensor(games.batch.observe()).clone())
        found = games.search()
        actions = games.tensor(found.actions).clone()
        policies.append(games.tensor(found.policies).half())
        action_values = games.tensor(found.action_values)
        found_values.append(action_values.gather(1, actions[:, None])[:, 0])
        step = games.batch.step(actions if games.device == "cuda" else actions.numpy())
        rewards.append(games.tensor(step.rewards).clone())
        ended.append(games.tensor(step.terminated) | games.tensor(step.truncated))
    values = torch.stack(found_values)
    for move in range(SEGMENT - 1, -1, -1):
        if move < SEGMENT - 1:
            # What the opponent's next position is worth, by its search and by what came later.
            later = LAMBDA * values[move + 1] + (1 - LAMBDA) * found_values[move + 1]
            values[move] = -later
        values[move] = torch.where(ended[move], rewards[move], values[move])
    return Segment(torch.stack(planes), torch.stack(policies), values)


class ReplayBuffer:
    """The positions of the latest segments."""

    def __init__(self, rules: str, games: int, device: str) -> None:
        size = REMEMBERED * SEGMENT * games
        shape, actions = observation_shape(load_rules(rules)), action_count(rules)
        self._planes = torch.zeros((size, *shape), dtype=torch.int8, device=device)
        self._policies = torch.zeros((size, actions), dtype=torch.half, device=device)
        self._values = torch.zeros(size, device=device)
        self._filled = self._next = 0
        # The image of a row is read from these places: those that the inverse leads to.
        back = [inverse(symmetry) for symmetry in range(SYMMETRIES)]
        board = load_rules(rules).board
        self._squares = torch.tensor(square_table(board)[back], device=device)
        self._actions = torch.tensor(action_table(rules)[back], device=device)

    def add(self, segment: Segment) -> None:
        count = segment.values.numel()
        place = slice(self._next, self._next + count)
        self._planes[place] = segment.planes.flatten(0, 1)
        self._policies[place] = segment.policies.flatten(0, 1)
        self._values[place] = segment.values.flatten()
        self._filled = max(self._filled, place.stop)
        self._next = place.stop % len(self._values)

    def draw(self, count: int) -> tuple[Tensor, Tensor, Tensor]:
        """Random positions, each seen through a random symmetry of the board."""
        device = self._values.device
        chosen = torch.randint(self._filled, (count,), device=device)
        symmetries = torch.randint(SYMMETRIES, (count,), device=device)
        planes, policies = self._planes[chosen], self._policies[chosen]
        squares = self._squares[symmetries][:, None, :].expand(-1, planes.shape[1], -1)
        turned = planes.flatten(2).gather(2, squares).view_as(planes)
        return turned, policies.gather(1, self._actions[symmetries]).float(), self._values[chosen]


class Point(NamedTuple):
    """A point of the learning curve."""

    seconds: float
    moves: int
    measured: float
    """Regret per move against a random player where the game is solved; else the loss."""


class Trainer:
    """The whole state of a training run, and how it is saved and resumed."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.path = Path(options.folder) / CHECKPOINT
        torch.manual_seed(options.seed)
        self.seconds, self.moves, self.step = 0.0, 0, 0
        self.curve: list[Point] = []
        state = self._saved()
        width, blocks = options.width, options.blocks
        if state:
            width, blocks = state["width"], state["blocks"]
            self.seconds, self.moves, self.step = state["seconds"], state["moves"], state["step"]
            self.curve = [Point(*point) for point in state["curve"]]
        self.network = Network(options.rules, width, blocks).to(options.device)
        if state:
            self.network.load_state_dict(state["network"])
        self.averaged = copy.deepcopy(self.network)
        self.player = copy.deepcopy(self.network)
        if options.device == "cuda":
            self.player = self.player.bfloat16()
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=options.rate, weight_decay=1e-4,
            fused=options.device == "cuda",
        )  # fmt: skip
        self.replay = ReplayBuffer(options.rules, options.games, options.device)
        self.games = Games(
            self.player, options.games, options.simulations, gumbel=options.considered,
            seed=options.seed + self.step, device=options.device,
        )  # fmt: skip
        self.losses = (0.0, 0.0)

    def _saved(self) -> dict[str, Any] | None:
        if not self.path.exists():
            return None
        state: dict[str, Any] = torch.load(
            self.path, map_location=self.options.device, weights_only=True
        )
        if state["rules"] != self.options.rules:
            raise NestlineError(
                f"{self.path} is an agent for {state['rules']}; give another folder"
            )
        return state

    def save(self) -> None:
        """Write the averaged network and the curve; the optimizer warms up again on resuming."""
        state = {
            "rules": self.options.rules,
            "width": self.network.width,
            "blocks": self.network.blocks,
            "network": self.averaged.state_dict(),
            "seconds": self.seconds,
            "moves": self.moves,
            "step": self.step,
            "curve": [tuple(point) for point in self.curve],
        }
        part = self.path.with_suffix(".part")
        torch.save(state, part)
        os.replace(part, self.path)

    def learn(self, warm: float) -> None:
        """Learn from samples of the replay buffer as often as the new segment deserves."""
        options = self.options
        count = max(1, round(REUSE * SEGMENT * options.games / options.sample))
        part = min(1.0, self.seconds / (60 * options.minutes))
        rate = options.rate * warm * (0.03 + 0.97 * (1 + math.cos(math.pi * part)) / 2)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        weights, averages = list(self.network.parameters()), list(self.averaged.parameters())
        kind = torch.bfloat16 if options.device == "cuda" else torch.float32
        for _ in range(count):
            planes, policies, values = self.replay.draw(options.sample)
            with torch.autocast(options.device, kind, enabled=options.device == "cuda"):
                told, logits = self.network(planes.float())
            policy_loss = nn.functional.cross_entropy(logits.float(), policies)
            value_loss = nn.functional.mse_loss(told.float(), values)
            self.optimizer.zero_grad()
            (policy_loss + value_loss).backward()
            nn.utils.clip_grad_norm_(weights, 1.0)
            self.optimizer.step()
            with torch.no_grad():
                torch._foreach_lerp_(averages, weights, 1 - AVERAGED)
            self.step += 1
        self.losses = (policy_loss.item(), value_loss.item())
        with torch.no_grad():
            for ours, theirs in zip(self.player.parameters(), averages, strict=True):
                ours.copy_(theirs)

    def run(self, oracle: Oracle | None) -> None:
        """Play and learn until the time is spent; tell about it from time to time."""
        options = self.options
        limit = 60 * options.minutes
        every = limit / MEASURINGS
        began, before, first = time.perf_counter(), self.seconds, self.moves
        segments = 0
        while self.seconds < limit:
            self.replay.add(play_segment(self.games))
            self.moves += SEGMENT * options.games
            segments += 1
            self.learn(warm=min(1.0, segments / REMEMBERED))
            now = before + time.perf_counter() - began
            measures = now // every > self.seconds // every or now >= limit
            self.seconds = now
            if measures:
                measured = self.losses[0] if oracle is None else self._regret(oracle)
                self.curve.append(Point(self.seconds, self.moves, measured))
                self.save()
                rate = (self.moves - first) / (time.perf_counter() - began)
                what = "" if oracle is None else f", regret against random {measured:.4f}"
                print(
                    f"{self.seconds:.0f} s: {self.moves:,} moves, {rate:,.0f} a second, "
                    f"{self.step:,} steps, losses {self.losses[0]:.3f} and "
                    f"{self.losses[1]:.3f}{what}",
                    flush=True,
                )

    def _regret(self, oracle: Oracle) -> float:
        policy = policy_of(self.averaged)
        return oracle.regret(policy, "play", against=random_policy, sample=200, seed=1).mean


def policy_of(network: Network, simulations: int = 1) -> Callable[[Any, Any], Any]:
    """The network as a policy for the oracle; with more than one simulation, by PUCT search."""

    def alone(planes: Any, masks: Any) -> Any:
        device = network.policy.weight.device
        seen = torch.as_tensor(planes, device=device), torch.as_tensor(masks, device=device)
        return evaluate(network, *seen)[1].argmax(1).cpu().numpy()

    def searching(planes: Any, masks: Any) -> Any:
        chosen = []
        for first in range(0, len(planes), SEARCHED_AT_ONCE):
            owns, opps = words_of(planes[first : first + SEARCHED_AT_ONCE], network.rules)
            batch = Batch(network.rules, len(owns), auto_reset=False)
            placed = (np.bitwise_count(words.view(np.uint64)) for words in (opps, owns))
            theirs, ours = (counts.astype(np.int64) for counts in placed)
            batch.set_words(owns, opps, (theirs > ours).astype(np.int64))
            chosen.append(TreeSearch(batch, simulations).run(batch, on_cpu(network)).actions)
        return np.concatenate(chosen)

    return alone if simulations == 1 else searching


def load_network(path: str, device: str = "cpu") -> Network:
    """The network of a checkpoint."""
    state = torch.load(path, map_location=device, weights_only=True)
    network = Network(state["rules"], state["width"], state["blocks"]).to(device)
    network.load_state_dict(state["network"])
    return network


def load(path: str) -> Callable[[Any, Any], Any]:
    """The policy in a checkpoint, for `nestline leaderboard --policy trained=alphazero:load:…`."""
    return policy_of(load_network(path))


def options_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", help="where the checkpoint goes")
    parser.add_argument("--rules", default="gobblers")
    parser.add_argument("--minutes", type=float, default=8, help="of training, in all")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--games", type=int, help="games played at once")
    parser.add_argument("--simulations", type=int, help="of the search for each move")
    parser.add_argument("--considered", type=int, help="moves that the search compares")
    parser.add_argument("--sample", type=int, help="positions learned from in a step")
    parser.add_argument("--width", type=int, help="of the network's layers")
    parser.add_argument("--blocks", type=int, help="of the network")
    parser.add_argument("--rate", type=float, help="of learning, at the beginning")
    parser.add_argument("--tables", help="the folder of the tables")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for name, value in SIZES[options.device]._asdict().items():
        if getattr(options, name) is None:
            setattr(options, name, value)
        if not getattr(options, name) > 0:
            parser.error(f"--{name} is above 0, not {getattr(options, name)}")
    if not options.minutes > 0:
        parser.error(f"--minutes is above 0, not {options.minutes}")
    if options.device == "cuda" and not torch.cuda.is_available():
        parser.error("there is no graphics card here that PyTorch can use")
    return options


def oracle_of(options: argparse.Namespace) -> Oracle | None:
    """The solution to measure by, which is never learned from; None where a game has none."""
    if load_rules(options.rules).board > LARGEST_SOLVED_BOARD:
        return None
    return Oracle(options.rules, options.tables)


def main(arguments: list[str]) -> None:
    options = options_of(arguments)
    oracle = oracle_of(options)
    Path(options.folder).mkdir(parents=True, exist_ok=True)
    trainer = Trainer(options)
    trainer.run(oracle)
    if oracle:
        for simulations in (1, SIMULATIONS_MEASURED):
            policy = policy_of(trainer.averaged, simulations)
            regret = oracle.regret(policy, sample=5000, seed=1)
            print(f"regret over all positions with {simulations} simulations: {regret}", flush=True)
    print(f"the agent is in {trainer.path}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except NestlineError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from the last checkpoint")
