"""How commands present themselves: examples in every help text, hints for misplaced words."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from nestline.errors import did_you_mean, nearest
from nestline.terminal.examples import examples_of

LONGEST_SENTENCE = 200


class _Formatter(click.HelpFormatter):
    """Leaves most of the line to the explanations of options, on narrow screens too."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl(rows, min(col_max, self.width // 3), col_spacing)


class _Context(click.Context):
    formatter_class = _Formatter

    def invoke(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Run the command, unless words are left over that it does not take."""
        if self.args:
            word = self.args[0]
            option = next(_options_meant(word, self), None)
            raise click.UsageError(
                f"{word!r} needs an option before it; did you mean {option}?"
                if option
                else f"{word!r} is one word too many; {self.command_path} --help says what it takes"
            )
        return super().invoke(callback, *args, **kwargs)


def _full_name(context: click.Context, name: str) -> str:
    """The name of a command with those of its groups, however the program was called."""
    if context.parent is None:
        return f"nestline {name}"
    return _full_name(context.parent, f"{context.info_name} {name}")


def rule_set_meant(word: str) -> str | None:
    """The rule set that a word names, mistyped or not; None if it can hardly be one."""
    from nestline.rules import rule_set_names

    return word if word.endswith(".toml") else nearest(word, rule_set_names())


def _options_meant(word: str, context: click.Context) -> Iterator[str]:
    """The options that are not given yet and could take this word, with the word."""
    for parameter in context.command.params:
        name = str(parameter.name)
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            continue
        if name == "rules" and (rules := rule_set_meant(word)):
            yield f"--rules {rules}"
        elif isinstance(parameter.type, click.Choice) and not word.isdecimal():
            if chosen := nearest(word, parameter.type.choices):
                yield f"{parameter.opts[0]} {chosen}"
        elif name == "file" and Path(word).is_file():
            yield f"{parameter.opts[0]} {word}"


class Group(click.Group):
    """A group of commands that have their examples in `examples`."""

    context_class = _Context

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if command:
            command.context_class = _Context
            command.allow_extra_args = True  # click would refuse them, in technical words
            command.epilog = examples_of(_full_name(ctx, cmd_name))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List whole sentences; click would cut them off at the end of the line."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl(
                (name, command.get_short_help_str(LONGEST_SENTENCE))
                for name, command in commands
                if command and not command.hidden
            )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            meant = did_you_mean(name, known)
            if not meant and (rules := rule_set_meant(name)):
                meant = f" (did you mean {ctx.command_path} {self._with_rules(ctx, rules)}?)"
            raise click.UsageError(
                f"there is no command {name!r}{meant}; commands are {', '.join(known)}"
            )
        return super().resolve_command(ctx, args)

    def _with_rules(self, context: click.Context, rules: str) -> str:
        """The first command that takes a rule set, with this one."""
        for name in self.list_commands(context):
            command = self.get_command(context, name)
            for parameter in command.params if command else ():
                if parameter.name == "rules":
                    is_option = isinstance(parameter, click.Option)
                    return f"{name} --rules {rules}" if is_option else f"{name} {rules}"
        return f"… {rules}"
