"""Parameters of commands: rule sets and words, completed by the shell, with spelling hints."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from nestline.cluster import HERE
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.errors import did_you_mean

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Words(click.Choice[str]):
    """One of several words; a mistyped one is answered with the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            known = ", ".join(self.choices)
            near = did_you_mean(value, self.choices)
            self.fail(f"{value!r} is not one of {known}{near}", param, ctx)
        return str(value)


LEVEL = Words((*LEVEL_NAMES, *ALIASES))


def complete_rules(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Shell completion: the names of the rule sets, or else files."""
    from nestline.rules import load_rules, rule_set_names

    names = [name for name in rule_set_names() if name.startswith(incomplete)]
    return [
        CompletionItem(incomplete, type="file"),
        *(CompletionItem(name, help=load_rules(name).title) for name in names),
    ]


def complete_levels(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Shell completion: the names of the levels."""
    return [
        CompletionItem(name) for name in (*LEVEL_NAMES, *ALIASES) if name.startswith(incomplete)
    ]


def complete_files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Shell completion: files, completed by the shell itself."""
    return [CompletionItem(incomplete, type="file")]


def _load(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
    from nestline.rules import load_rules

    if isinstance(given, tuple):
        return tuple(map(load_rules, given))
    return None if given is None else load_rules(given)


def rules_argument(name: str = "rules", **settings: Any) -> Callable[[Decorated], Decorated]:
    """An argument that arrives as a `RuleSet`, or as several where `nargs` says so."""
    return click.argument(name, callback=_load, shell_complete=complete_rules, **settings)


def rules_option(help_text: str, default: str | None = None) -> Callable[[Decorated], Decorated]:
    """The option `--rules`, which arrives as a `RuleSet`, or None if it has no default."""
    return click.option(
        "--rules",
        metavar="RULES",
        default=default,
        show_default=default is not None,
        callback=_load,
        shell_complete=complete_rules,
        help=help_text,
    )


def ray_option(verb: str) -> Callable[[Decorated], Decorated]:
    """The option `--ray` of a command that can work on a cluster."""
    return click.option(
        "--ray", is_flag=False, flag_value=HERE, metavar="[ADDRESS]",
        help=f"{verb} on a Ray cluster: the one at this address, or without one a cluster of this "
        "computer alone. Put it last, or write --ray=ADDRESS.",
    )  # fmt: skip
