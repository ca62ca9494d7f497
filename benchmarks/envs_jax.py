"""Random steps a second of the games for JAX, and of pgx: python benchmarks/envs_jax.py.

Both run the same loop in one process: states in a `vmap`, steps in a `scan`, all compiled, a random
legal action in each, and finished games begun again. pgx (pip install pgx) is left out where it is
not installed. `Batch` plays the same number of random steps on one thread, for comparison.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from nestline.envs import Batch
from nestline.envs.jax import make

GAMES, STEPS, ROUNDS = 4096, 100, 3
RULES = ("tictactoe", "gobblers", "gobblet")


def rate(work: Callable[[], Any]) -> float:
    """Millions of steps a second, the best of some rounds after one that compiles."""
    jax.block_until_ready(work())
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        jax.block_until_ready(work())
        seconds.append(time.perf_counter() - began)
    return GAMES * STEPS / min(seconds) / 1e6


def at_random(begun: Any, step: Any, mask_of: Any, restart: Any) -> Callable[[Any], Any]:
    """A compiled run of random steps in all games, from a key."""

    def one(state: Any, key: Any) -> Any:
        # The legal action with the largest random number: cheaper than a categorical draw.
        numbers = jax.random.uniform(key, mask_of(state).shape)
        state = step(state, jnp.where(mask_of(state), numbers, -1.0).argmax())
        return restart(state)

    def all_games(states: Any, key: Any) -> tuple[Any, None]:
        return jax.vmap(one)(states, jax.random.split(key, GAMES)), None

    @jax.jit
    def run(key: Any) -> Any:
        states = jax.tree.map(lambda part: jnp.broadcast_to(part, (GAMES, *part.shape)), begun)
        return jax.lax.scan(all_games, states, jax.random.split(key, STEPS))[0]

    return run


def main() -> None:
    key = jax.random.key(1)
    found = {}
    for name in RULES:
        env = make(name)
        run = at_random(env.init(), env.step, env.legal_action_mask, env.restart)
        found[name] = rate(partial(run, key))
        batch = Batch(name, GAMES, seed=1)
        alone = rate(partial(batch.random_steps, STEPS))
        print(
            f"{name}: {found[name]:.2f} million random steps a second, "
            f"`Batch` on one thread {alone:.2f}",
            flush=True,
        )
    try:
        import pgx
    except ImportError:
        print("pgx is not installed")
        return
    theirs = pgx.make("tic_tac_toe")
    begun = theirs.init(key)

    def restart(state: Any) -> Any:
        is_over = state.terminated | state.truncated
        return jax.tree.map(partial(jnp.where, is_over), begun, state)

    run = at_random(begun, theirs.step, lambda state: state.legal_action_mask, restart)
    pgx_rate = rate(partial(run, key))
    print(
        f"pgx's tic_tac_toe: {pgx_rate:.2f} million; ours {found['tictactoe'] / pgx_rate:.2f} "
        f"times that, on {jax.devices()[0].platform}"
    )


if __name__ == "__main__":
    main()
