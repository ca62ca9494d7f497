"""How commands present themselves: examples in every help text, hints for mistyped names."""

from collections.abc import Iterable

import click

from nestline.errors import did_you_mean
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


def _full_name(context: click.Context, name: str) -> str:
    """The name of a command with those of its groups, however the program was called."""
    if context.parent is None:
        return f"nestline {name}"
    return _full_name(context.parent, f"{context.info_name} {name}")


class Group(click.Group):
    """A group of commands that have their examples in `examples`."""

    context_class = _Context

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if command:
            command.context_class = _Context
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
            raise click.UsageError(
                f"there is no command {name!r}{did_you_mean(name, known)}; "
                f"commands are {', '.join(known)}"
            )
        return super().resolve_command(ctx, args)
