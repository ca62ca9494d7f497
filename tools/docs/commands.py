"""The commands and their options as Markdown, from click."""

import inspect
from collections.abc import Iterator

import click

from nestline.terminal.main import cli


def commands_in_markdown() -> str:
    context = click.Context(cli, info_name="nestline")
    return "\n".join(_described(cli, context))


def _described(command: click.Command, context: click.Context) -> Iterator[str]:
    if context.parent:
        yield from _section(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner
            yield from _described(inner, click.Context(inner, info_name=name, parent=context))


def _section(command: click.Command, context: click.Context) -> Iterator[str]:
    depth = context.command_path.count(" ")
    yield f"{'#' * (depth + 1)} {context.command_path}\n"
    yield inspect.cleandoc(command.help or "").replace("\b\n", "").replace("<", "&lt;") + "\n"
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"```text\n{usage}\n```\n"
    options = (each for each in command.params if isinstance(each, click.Option))
    rows = [record for option in options if (record := option.get_help_record(context))]
    if rows:
        yield "| option | means |\n|---|---|"
        for option, meaning in rows:
            yield f"| `{option}` | {_cell(meaning)} |"
        yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
