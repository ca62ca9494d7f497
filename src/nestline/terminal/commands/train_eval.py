"""The command `nestline train-eval`: learn the weights of the evaluation from self-play."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nestline.system import cores
from nestline.terminal.common import (
    Advance,
    json_option,
    prepare_rules,
    print_json,
    require_writable,
    with_progress,
    write_file,
)
from nestline.terminal.parameters import rules_argument

if TYPE_CHECKING:
    from collections.abc import Callable

    from nestline.engine.search.weights import Weights
    from nestline.rules import RuleSet

PATIENCE = 10.0
"""Seconds to wait after Ctrl-C; fitting, which has no processes, may not notice it sooner."""


@click.command("train-eval")
@rules_argument()
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True,
              help="How often to play and fit.")  # fmt: skip
@click.option(
    "--games",
    type=click.IntRange(20),
    default=4000,
    show_default=True,
    help="Games to play in each round.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=3000,
    show_default=True,
    help="Nodes to search per move.",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True,
              help="Seeds games and fit.")  # fmt: skip
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=cores,
    help="Number of processes; by default one per core.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    help="The file to write; by default named after the family of the rule set.",
)
@json_option
def train_eval(
    rules: "RuleSet", rounds: int, games: int, nodes: int, seed: int, processes: int,
    output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Learn the weights of the evaluation for RULES from games of the engine against itself.

    Each round plays games and fits the weights to them; the next round plays with what was learned.
    """
    prepare_rules()
    from nestline.engine.search.training import Plan, train
    from nestline.engine.search.weights import family_of

    path = Path(output or f"{family_of(rules)}.npz")
    plan = Plan(games=games, nodes=nodes, seed=seed)
    require_writable(path)
    weights = _learn(
        f"learning {rules.name}",
        lambda advance: train(rules, rounds, plan, processes, advance),
    )
    write_file(path, weights.to_bytes())
    facts = {"rules": rules.reference, "file": str(path), **weights.figures}
    if as_json:
        print_json(facts)
    else:
        for name, value in facts.items():
            click.echo(f"{name}: {'not measured' if value is None else value}")


def _learn(title: str, train: "Callable[[Advance], Weights]") -> "Weights":
    """Learn with a progress bar; Ctrl-C waits until the processes that play have ended.

    Otherwise Python warns about what a pool of processes leaves behind.
    """
    stopping, ended = threading.Event(), threading.Event()
    learned: list[Weights] = []

    def work(advance: Advance) -> None:
        def report(part: float, title: str | None = None, news: str | None = None) -> None:
            if stopping.is_set():
                raise KeyboardInterrupt
            advance(part, title, news)

        try:
            learned.append(train(report))
        except KeyboardInterrupt:
            pass
        finally:
            ended.set()

    try:
        with_progress(title, work)
    except KeyboardInterrupt:
        stopping.set()
        ended.wait(PATIENCE)
        raise
    return learned[0]
