"""The command `nestline`: finds the subcommand, and turns errors into one line and an exit status.

Each subcommand is in a module of its own, imported on demand, so that `nestline --version` does not
wait for the compiler.
"""

import os
import sys
from importlib import import_module

import click

from nestline import __version__
from nestline.errors import NestlineError
from nestline.system import interrupts_kept, tolerate_unprintable
from nestline.terminal.examples import examples_of
from nestline.terminal.groups import Group
from nestline.terminal.width import screen_width, wrapped

COMMANDS = {
    "play": "nestline.terminal.commands.play",
    "rules": "nestline.terminal.commands.rules",
    "perft": "nestline.terminal.commands.rules",
    "picture": "nestline.terminal.commands.rules",
    "solve": "nestline.terminal.commands.solve",
    "tables": "nestline.terminal.commands.solve",
    "probe": "nestline.terminal.commands.solve",
    "analyse": "nestline.terminal.commands.analyse",
    "prove": "nestline.terminal.commands.prove",
    "atlas": "nestline.terminal.commands.atlas",
    "openings": "nestline.terminal.commands.openings",
    "puzzles": "nestline.terminal.commands.puzzles",
    "match": "nestline.terminal.commands.match",
    "tournament": "nestline.terminal.commands.match",
    "leaderboard": "nestline.terminal.commands.leaderboard",
    "dataset": "nestline.terminal.commands.dataset",
    "train-eval": "nestline.terminal.commands.train_eval",
    "ugi": "nestline.terminal.commands.ugi",
    "web": "nestline.web.command",
    "site": "nestline.web.site.command",
    "report": "nestline.terminal.commands.report",
}
"""Each subcommand and the module that has a function of that name."""

HELP_OPTIONS = ["-h", "--help"]
INTERRUPTED = 130


class _Commands(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            module = import_module(COMMANDS[cmd_name])
            self.add_command(getattr(module, cmd_name.replace("-", "_")), cmd_name)
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": HELP_OPTIONS},
    epilog=examples_of("nestline"),
)
@click.version_option(__version__, prog_name="nestline")
@click.pass_context
def cli(context: click.Context) -> None:
    """The Gobblet family of games: tic-tac-toe, Gobblet Gobblers, Gobblet.

    Without a command it opens the game in the browser.
    """
    if context.invoked_subcommand is None:
        import_module("nestline.web.launch").open_page()


def main() -> None:
    """Run the command line and exit with its status."""
    tolerate_unprintable(sys.stdout)
    try:
        with interrupts_kept():
            status = cli.main(
                prog_name="nestline", standalone_mode=False, terminal_width=screen_width()
            )
    except NestlineError as error:
        status = _refuse(str(error))
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        status = error.exit_code
    except click.NoSuchOption as error:
        near = f" (did you mean {error.possibilities[0]}?)" if error.possibilities else ""
        status = _refuse(f"there is no option {error.option_name}{near}; --help lists the options")
    except click.ClickException as error:
        status = _refuse(error.format_message())
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except MemoryError:
        status = _refuse("there is not enough memory for this")
    except OSError as error:
        status = _refuse(f"{error.filename or 'a file'}: {(error.strerror or str(error)).lower()}")
    except (KeyboardInterrupt, click.Abort):  # click has already ended the line
        # At once: an orderly exit would wait for threads in the middle of long work.
        sys.stdout.flush()
        os._exit(INTERRUPTED)
    sys.exit(status if isinstance(status, int) else 0)


def _refuse(message: str) -> int:
    line = f"nestline: {' '.join(message.split())}"
    click.echo(wrapped(line) if sys.stderr.isatty() else line, err=True)
    return 2
