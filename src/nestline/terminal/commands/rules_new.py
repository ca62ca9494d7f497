"""The command `rules new`: designs a rule set, by questions or by options.

The fields, their words and their checks are those of `nestline.rules`, as on the page.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import RuleSetError
from nestline.rules import RuleSet, load_rules, rule_set_names
from nestline.rules.design import rules_text, write_design
from nestline.rules.explained import GROUPS, LOOKS, TABLE, choice_words, explained
from nestline.rules.schema import FIELDS, contradictions
from nestline.terminal.common import (
    json_option,
    prepare_rules,
    print_json,
    with_progress,
    write_file,
)
from nestline.terminal.parameters import Words
from nestline.terminal.width import tell

if TYPE_CHECKING:
    from nestline.atlas import Row

USUAL_RULES = "gobblers"
NEW_TITLE = "My game"
MOST_CHOICES = 10
"""Of a number, to be listed."""
MOST_SOLVED = 100_000_000
"""The greatest number of entries that are solved here, some seconds."""

_YES_NO = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


def _choices(key: str) -> str:
    """What a field takes, shortly, for those with few values."""
    field = FIELDS[key]
    if field.kind == "choice":
        return "Takes " + " or ".join(map(_shown, field.choices))
    return ""


def _shown(value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _field_options(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each field, in its order."""
    for key in reversed(FIELDS):
        shown = explained(key).words
        choices = _choices(key)
        command = click.option(
            f"--{key.replace('_', '-')}", key, metavar="VALUE",
            help=f"{shown} {choices}." if choices else shown,
        )(command)  # fmt: skip
    return command


@click.command("new")
@click.option(
    "--like", type=Words(rule_set_names()), metavar="NAME",
    help=f"The rule set to begin with: {', '.join(rule_set_names())}.",
)  # fmt: skip
@_field_options
@click.option("-o", "--output", metavar="FILE", help="Write the rule set's file, a .toml file.")
@click.option("--solve", is_flag=True, help="Solve the game if the atlas does not know it.")
@json_option
def rules_new(
    like: str | None, output: str | None, solve: bool, as_json: bool, **given: str | None
) -> None:
    """Design a rule set: by options, or without any by questions.

    Lists are written like 3,3,3 or "Ann,Bob". It prints the design, one word that carries the
    rules and that every command takes, and what is known about the game.
    """
    texts = {key: text for key, text in given.items() if text is not None}
    if texts or like is not None or as_json:
        base = load_rules(like or USUAL_RULES)
        changes = {key: _checked(key, text) for key, text in texts.items()}
    else:
        base, changes = _ask_everything()
    changes = {key: value for key, value in changes.items() if value != getattr(base, key)}
    rules = load_rules(write_design(base.name, {"title": NEW_TITLE, **changes}))
    if output is not None:
        write_file(output, rules_text(base.name, {"title": rules.title, **changes}).encode())
    row = _known(rules, solve)
    if as_json:
        print_json({"design": rules.name, "file": output, **rules.fields(), "solved": _facts(row)})
    else:
        _tell(rules, row, output)


def _checked(key: str, text: str) -> Any:
    """A typed value; a `RuleSetError` says what is allowed."""
    field, typed = FIELDS[key], text.strip()
    value: Any = typed
    if field.kind == "choice" and True in field.choices:
        value = _YES_NO.get(typed.lower(), typed)
        field = field._replace(allowed="yes or no")
    elif field.kind == "number":
        value = _number(typed)
    elif field.kind == "counts":
        value = [_number(part) for part in re.split(r"[\s,+-]+", typed.strip("[]"))]
    elif field.kind == "pair":
        value = [part.strip() for part in typed.split(",")]
    return field.check("new rules", key, value)


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else text


def _ask_everything() -> tuple[RuleSet, dict[str, Any]]:
    """The questions; an empty answer keeps what is shown."""
    click.echo("Every question shows what holds now; Enter keeps it.\n")
    names = rule_set_names()
    for name in names:
        click.echo(f"  {name:18} {load_rules(name).title}")
    base = load_rules(click.prompt("Begin with", default=USUAL_RULES, type=Words(names)))
    values: dict[str, Any] = base.fields()
    values["title"] = _ask("title", NEW_TITLE)
    for group in GROUPS:
        keys = [key for key in FIELDS if explained(key).group == group and key != "title"]
        if not keys:
            continue
        click.secho(f"\n{group}", bold=True)
        if group in (TABLE, LOOKS) and not click.confirm("Change something here?", default=False):
            continue
        for key in keys:
            values[key] = _ask(key, values[key])
    while problem := next(contradictions(values), None):
        key, message = problem
        tell(click.style(f"\nThat cannot be played. {key}: {message}.", fg="red"))
        values[key] = _ask(key, values[key])
    if values["summary"] == base.summary:
        del values["summary"]
    return base, values


def _ask(key: str, value: Any) -> Any:
    """Ask for one field until the answer is allowed."""
    words = explained(key)
    tell(f"\n{words.label} ({key}): {words.words}")
    field = FIELDS[key]
    if 1 < len(field.choices) <= MOST_CHOICES:
        for choice in field.choices:
            told = choice_words(key, choice)
            shown = _shown(choice)
            click.echo(f"  {shown:10}{'' if told.lower() == shown else told}".rstrip())
    while True:
        try:
            return _checked(key, click.prompt("", default=_shown(value), prompt_suffix="> "))
        except RuleSetError as error:
            tell(str(error).partition(": ")[2])


def _known(rules: RuleSet, solve: bool) -> "Row | None":
    from nestline.atlas import known_game
    from nestline.atlas.games import game_of, size_of_game

    row = known_game(rules)
    if row is not None or not solve:
        return row
    size = size_of_game(game_of(rules))
    if size > MOST_SOLVED:
        raise RuleSetError(
            f"this game is too large to be solved at once, about {size:,} entries; "
            f"try: nestline solve {rules.name}"
        )
    prepare_rules()
    from nestline.atlas.solving import solve_game
    from nestline.terminal.commands.solve import compile_solver

    compile_solver("cpu")
    return with_progress("solving", lambda _advance: solve_game(game_of(rules)))


def _facts(row: "Row | None") -> dict[str, Any] | None:
    if row is None:
        return None
    facts = row._asdict()
    del facts["game"]
    return facts


def _tell(rules: RuleSet, row: "Row | None", output: str | None) -> None:
    from nestline.atlas.games import game_of, size_of_game
    from nestline.solve.groups.size import MOST_SURVEYED

    click.echo(f"\n{rules.title}: {rules.name}")
    if row is None:
        can_be_solved = size_of_game(game_of(rules)) <= MOST_SURVEYED
        verdict = "Not solved yet" if can_be_solved else "Nobody knows who wins"
        click.echo(f"{verdict}: this game is not in the atlas of solved games.")
        if can_be_solved:
            click.echo(f"Solve it:  nestline solve {rules.name}")
    else:
        click.echo(solved_words(rules, row))
        click.echo(f"{row.reachable:,} positions can come up, mirror images counted once.")
    if output is not None:
        click.echo(f"Written to {output}.")
    click.echo(f"Play it:   nestline play --rules {rules.name}")


def solved_words(rules: RuleSet, row: "Row") -> str:
    """Who wins a solved game."""
    if row.value == "draw":
        return "Solved: a draw, if both play well."
    won = row.value == "win"
    who = f"{rules.players[0]}, who begins," if won else f"{rules.players[1]}, who moves second,"
    return f"Solved: {who} wins in {row.distance} {'move' if row.distance == 1 else 'moves'}."
