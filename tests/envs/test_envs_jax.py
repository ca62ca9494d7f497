"""The games for JAX: equal to the kernel step for step, under jit, vmap, scan and mctx."""

import doctest
from typing import Any

import numpy as np
import pytest

from nestline import GameError, Position
from nestline.envs.batch import Batch
from nestline.envs.batch.base import BatchBase
from nestline.rules import RuleSet
from support.helpers import FIVE_NAMES, built_rules

PLY_LIMIT = 60

jax: Any
jnp: Any
envs: Any


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """Not when tests are collected: every worker does that, and JAX takes seconds to import."""
    global jax, jnp, envs
    jax = pytest.importorskip("jax", reason="the extra `jax` is not installed")
    jnp = jax.numpy
    envs = pytest.importorskip("nestline.envs.jax")


def test_the_examples_of_the_module() -> None:
    assert doctest.testmod(envs) == (0, 9)


def layers(words: np.ndarray, sizes: int) -> np.ndarray:
    """The kernel's words (games,) as masks (games, sizes)."""
    return (words[:, None] >> (16 * np.arange(sizes)) & 0xFFFF).astype(np.uint16)


def assert_same(states: Any, batch: BatchBase, seen: Any, legal: Any) -> None:
    sizes = batch.rules.sizes
    assert (np.asarray(states.own) == layers(batch.state.words[0], sizes)).all()
    assert (np.asarray(states.opp) == layers(batch.state.words[1], sizes)).all()
    for name, expected in (("turn", batch.turns), ("ply", batch.plies), ("end", batch.ends),
                           ("occurrences", batch.occurrences)):  # fmt: skip
        assert (np.asarray(getattr(states, name)) == expected).all(), name
    assert (np.asarray(legal) == batch.legal_action_mask()).all()
    assert (np.asarray(seen) == batch.observe()).all()


def compare(name: str | RuleSet, games: int, steps: int) -> None:
    """Random games, with an illegal action now and then; finished ones restart after a while."""
    env = envs.make(name, PLY_LIMIT)
    begun = jax.vmap(lambda _: env.init())(jnp.arange(games))

    def restart_some(state: Any, again: Any) -> Any:
        # A game that is not to begin again is kept from it by an end of its own.
        begun_again = env.restart(state._replace(end=jnp.where(again, state.end, 0)))
        return begun_again._replace(end=jnp.where(again, begun_again.end, state.end))

    @jax.jit
    def advance(states: Any, actions: Any, again: Any) -> Any:
        states = jax.vmap(env.step)(states, actions)
        rewards, illegal, over = (
            states.reward,
            states.illegal,
            (states.terminated, states.truncated),
        )
        states = jax.vmap(restart_some)(states, again)
        seen, legal = jax.vmap(env.observe)(states), jax.vmap(env.legal_action_mask)(states)
        return states, rewards, illegal, over, seen, legal

    batch = Batch(name, games, ply_limit=PLY_LIMIT, seed=3, auto_reset=False)
    chance = np.random.default_rng(1)
    states = begun
    ended = 0
    for _ in range(steps):
        actions = batch.random_actions()
        wrong = chance.random(games) < 0.02
        actions[wrong] = chance.integers(-3, batch.actions + 3, int(wrong.sum()))
        again = (batch.ends > 0) & (chance.random(games) < 0.5)
        step = batch.step(actions)
        batch.reset(again)
        states, rewards, illegal, over, seen, legal = advance(states, actions, again)
        assert (np.asarray(rewards) == step.rewards).all()
        assert (np.asarray(illegal) == step.illegal).all()
        assert (np.asarray(over[0]) == step.terminated).all()
        assert (np.asarray(over[1]) == step.truncated).all()
        assert_same(states, batch, seen, legal)
        ended += int(again.sum())
    assert ended


@pytest.mark.parametrize("name", ["gobblers-official", "gobblet-house"])
def test_random_steps_are_those_of_the_kernel(name: str) -> None:
    compare(name, 200, 40)


ODD = [
    {"wrap": True, "cover": "opponent", "both_lines": "draw", "misere": True},
    {"reveal": "forbidden", "line_sizes": "rising", "line": 2},
    {"reveal": "ignored", "both_lines": "mover", "line_sizes": "equal", "stock": (3, 2)},
    {"cover": "own", "misere": True, "line": 2},
    {"cover": "none", "place_onto": "empty", "wrap": True},
]


@pytest.mark.parametrize("changes", [*ODD[:2], *(pytest.param(each, marks=pytest.mark.full)
                                                 for each in ODD[2:])], ids=str)  # fmt: skip
def test_rules_in_which_the_five_sets_are_alike(changes: dict[str, Any]) -> None:
    compare(built_rules(**changes), 200, 40)


@pytest.mark.full
@pytest.mark.parametrize("name", FIVE_NAMES)
def test_a_million_random_steps_are_those_of_the_kernel(name: str) -> None:
    compare(name, 4000, 250)


def test_scan_and_a_given_start() -> None:
    env = envs.make("gobblers")
    position = Position("x3/x,b1w3,x/w2,x2 b", rules="gobblers")
    state = env.init(position)
    assert int(state.turn) == 1
    assert int(env.legal_action_mask(state).sum()) == len(position.legal_moves())

    def at_random(state: Any, key: Any) -> tuple[Any, Any]:
        logits = jnp.where(env.legal_action_mask(state), 0.0, -jnp.inf)
        action = jax.random.categorical(key, logits)
        return env.step(state, jnp.where(state.ended, -1, action)), action

    keys = jax.random.split(jax.random.key(1), 30)
    last, actions = jax.jit(lambda: jax.lax.scan(at_random, state, keys))()
    batch = Batch("gobblers", 1, start=position, auto_reset=False)
    for action in np.asarray(actions):
        batch.step([int(action)])
    assert int(last.end) == batch.ends[0]
    assert (np.asarray(last.own) == layers(batch.state.words[0], 3)[0]).all()


def test_bad_options_are_refused() -> None:
    with pytest.raises(GameError, match="a limit has 1 to"):
        envs.make("gobblers", 0)
    with pytest.raises(GameError, match="cannot start from a position of gobblet"):
        envs.make("gobblers").init(Position.start("gobblet"))


def test_mctx_finds_the_win() -> None:
    mctx = pytest.importorskip("mctx", reason="mctx is not installed")
    env = envs.make("tictactoe")
    starts = ["x3/w1,w1,x/b1,b1,x w", "w1,w1,x/b1,b1,x/w1,x2 b"]
    states = [env.init(Position(text, rules="tictactoe")) for text in starts]
    embedding = jax.tree.map(lambda *parts: jnp.stack(parts), *states)

    def logits_of(state: Any) -> Any:
        return jnp.where(env.legal_action_mask(state), 0.0, -1e9)

    def recurrent(_params: Any, _key: Any, action: Any, embedding: Any) -> tuple[Any, Any]:
        after = jax.vmap(env.step)(embedding, action)
        output = mctx.RecurrentFnOutput(
            reward=after.reward,
            discount=jnp.where(after.ended, 0.0, -1.0),
            prior_logits=jax.vmap(logits_of)(after),
            value=jnp.zeros(len(action)),
        )
        return output, after

    root = mctx.RootFnOutput(
        prior_logits=jax.vmap(logits_of)(embedding), value=jnp.zeros(2), embedding=embedding
    )
    found = jax.jit(
        lambda key: mctx.gumbel_muzero_policy(
            None,
            key,
            root,
            recurrent,
            64,
            ~jax.vmap(env.legal_action_mask)(embedding),
            gumbel_scale=0.0,
        )
    )(jax.random.key(0))
    assert found.action.tolist() == [5, 5]
