"""The command `nestline train-eval`: learn the weights of the evaluation from self-play."""

import os
from pathlib import Path

import click

from nestline.terminal.common import json_option, prepare_rules, print_json, with_progress


@click.command("train-eval")
@click.argument("rules")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@click.option("--games", type=click.IntRange(20), default=4000, show_default=True, help="A round.")
@click.option("--nodes", type=click.IntRange(1), default=3000, show_default=True, help="A move.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count(), help="All cores.")
@click.option("--output", type=click.Path(dir_okay=False), help="The file to write.")
@json_option
def train_eval(
    rules: str, rounds: int, games: int, nodes: int, seed: int, processes: int,
    output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Learn how to judge positions of RULES from games of the engine against itself."""
    prepare_rules()
    from nestline.engine.search.training import Plan, train
    from nestline.engine.search.weights import family_of
    from nestline.rules import load_rules

    loaded = load_rules(rules)
    path = Path(output or f"{family_of(loaded)}.npz")
    plan = Plan(games=games, nodes=nodes, seed=seed)
    weights = with_progress(
        f"learning {loaded.name}",
        lambda advance: train(loaded, rounds, plan, processes, advance),
    )
    weights.save(path)
    facts = {"rules": loaded.reference, "file": str(path), **weights.figures}
    if as_json:
        print_json(facts)
    else:
        for name, value in facts.items():
            click.echo(f"{name}: {value}")
