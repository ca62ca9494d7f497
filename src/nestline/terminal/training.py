"""The command `nestline train-eval`: learn the weights of the evaluation from self-play."""

import os
from pathlib import Path

import click

from nestline.terminal.common import json_option, prepare_rules, print_json, say, with_progress


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
    loaded = prepare_rules(rules)
    from nestline.engine.training import Plan, train
    from nestline.engine.weights import family_of

    path = Path(output or f"{family_of(loaded)}.npz")
    plan = Plan(games=games, nodes=nodes, seed=seed)
    stages: list[str] = []

    def work(advance: object) -> object:
        def tell(stage: str, part: float) -> None:
            if stage not in stages:
                stages.append(stage)
            number = int(stage.split()[1]) - 1
            fitting = stage.endswith("fitting")
            advance((number + (0.9 + 0.1 * part if fitting else 0.9 * part)) / rounds)  # type: ignore[operator]

        return train(loaded, rounds, plan, processes, tell)

    weights = with_progress(f"learning {loaded.name}", work)  # type: ignore[arg-type]
    weights.save(path)  # type: ignore[attr-defined]
    facts = {"rules": loaded.reference, "file": str(path), **weights.figures}  # type: ignore[attr-defined]
    if as_json:
        print_json(facts)
    else:
        for name, value in facts.items():
            say(f"{name}: {value}")
