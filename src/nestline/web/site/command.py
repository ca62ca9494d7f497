"""The command `nestline site`: the page as static files, with the tablebases it reads."""

import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from nestline.errors import NestlineError, TableError
from nestline.rules import load_rules, rule_set_names

MISSING = "the page needs some more packages; install them with: pip install 'nestline[web]'"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--base", default="/", show_default=True, metavar="PATH",
              help="The path below which the host has the site, like /games/.")  # fmt: skip
@click.option("--server", metavar="URL",
              help="A nestline server for games by link, like https://games.example.")  # fmt: skip
@click.option("--tables", "tables_folder", metavar="DIR", help="The folder of the tablebases.")
@click.option("--no-tables", is_flag=True, help="Leave the tablebases out.")
def site(
    folder: Path, base: str, server: str | None, tables_folder: str | None, no_tables: bool
) -> None:
    """Write the page as static files into FOLDER, for any host.

    It is installable and works offline. Missing tablebases are built first.
    docs/host/static-site.md says how to publish it.
    """
    try:
        from nestline.web.site.build import Site, write_site
        from nestline.web.work.tablebases import Tablebases
    except ImportError as error:
        raise NestlineError(f"{MISSING} ({error.name} is missing)") from None
    chosen = Site(base, server.rstrip("/") if server else None)
    if not no_tables:
        _build_missing(tables_folder)
    with tempfile.TemporaryDirectory() as nothing:
        tablebases = Tablebases(nothing if no_tables else tables_folder, build=False)
        tablebases.start()
        try:
            size = write_site(folder, chosen, tablebases)
        finally:
            tablebases.close()
    click.echo(f"{folder}: {size:,} bytes, to be served at {base}")


def _build_missing(folder: str | None) -> None:
    """Build the tablebases that are not there yet, showing the progress."""
    from nestline.solve.index import estimate
    from nestline.solve.table import open_table

    for name in rule_set_names():
        rules = load_rules(name)
        try:
            estimate(rules.law)
        except TableError:
            continue  # too large to be solved
        try:
            open_table(rules, folder).close()
        except TableError:
            _build(name, folder)


def _build(name: str, folder: str | None) -> None:
    from nestline.solve.build import build_table

    bar: Any = click.progressbar(length=1000, label=f"solving {name}", file=sys.stderr)
    with bar:
        build_table(name, folder, progress=lambda part: bar.update(int(1000 * part) - bar.pos))
