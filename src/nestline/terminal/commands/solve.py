"""The commands of the solver: solve a rule set, manage tablebases, probe positions."""

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import NotationError, PositionError, errors_about
from nestline.terminal.common import json_option, prepare_rules, print_json, say, with_progress
from nestline.terminal.groups import Group
from nestline.terminal.parameters import Words, rules_argument

if TYPE_CHECKING:
    from pathlib import Path

    from nestline.rules import RuleSet
    from nestline.solve.index import Estimate
    from nestline.solve.table import Table
    from nestline.solve.verify import Verification

tables_option = click.option(
    "--tables", "folder", metavar="DIR", help="The folder of the tablebases."
)
device_option = click.option(
    "--device",
    type=Words(["cpu", "cuda"]),
    default="cpu",
    help="Solve on the CPU or on an NVIDIA GPU; by default cpu.",
)
threads_option = click.option(
    "--threads", type=click.IntRange(1, 256), help="Number of threads; by default one per core."
)
full_option = click.option(
    "--full", is_flag=True, help="Also check that every entry follows from its moves."
)


@click.command()
@rules_argument()
@click.option("--stats", is_flag=True, help="Count the positions of each value and distance.")
@device_option
@threads_option
@json_option
def solve(rules: "RuleSet", stats: bool, device: str, threads: int | None, as_json: bool) -> None:
    """Solve a game completely: who wins, and how fast.

    Large games are solved a part at a time; `tables build` keeps their tablebase as well.
    """
    if not is_solvable(rules):
        _solve_large(rules, stats, device, threads, as_json)
        return
    _tell_estimate(rules)
    prepare_rules()
    from nestline.solve import stats as counting
    from nestline.solve.build import solve_on
    from nestline.solve.entry import VALUE_NAMES, distance_of, value_of
    from nestline.solve.index import entry_of

    compile_solver(device)
    began = time.perf_counter()
    share = 0.4 if stats else 1.0

    def work(advance: Any) -> Any:
        solution = solve_on(
            device,  # type: ignore[arg-type]
            rules.law,
            threads=threads,
            progress=lambda part: advance(share * part),
        )
        solved = time.perf_counter() - began
        if not stats:
            return solution, None, solved
        counted = counting.count(
            solution,
            threads=threads,
            progress=lambda part: advance(share + (1 - share) * part),
        )
        return solution, counted, solved

    solution, counted, seconds = with_progress(f"solving {rules.name}", work)
    code = int(solution.entries[entry_of(0, 0, solution.index)])
    start = {"value": VALUE_NAMES[value_of(code)], "distance": distance_of(code)}
    facts: dict[str, Any] = {"rules": rules.reference, "start": start}
    if counted:
        facts["counts"] = [
            {
                "value": VALUE_NAMES[value_of(row.code)],
                "distance": distance_of(row.code),
                "placements": row.placements,
                "reachable": row.reachable,
            }
            for row in sorted(counted.counts, key=lambda row: _reading_order(row.code))
        ]
        facts["reachable_positions"] = counted.reachable_positions
    facts["seconds"] = round(seconds, 3)
    if as_json:
        print_json(facts)
    else:
        _print_solution(rules, facts)


def _solve_large(
    rules: "RuleSet", stats: bool, device: str, threads: int | None, as_json: bool
) -> None:
    """Solve a game without keeping its solution."""
    from nestline.solve.groups.size import require_possible

    with errors_about(rules.name):
        entries = require_possible(rules.law)
    say(f"{rules.name}: about {entries:,} entries, solved a part at a time")
    prepare_rules()
    from nestline.rules import load_rules
    from nestline.solve.entry import VALUE_NAMES, distance_of, value_of
    from nestline.solve.groups.survey import survey

    compile_solver(device)
    load = None
    if device == "cuda":
        from nestline.solve.groups.card import Card

        load = Card().load
    # Compiles what only this needs, so that the time reported is that of solving.
    survey(load_rules("tictactoe").law, reach=stats, load=load, threads=1)
    began = time.perf_counter()
    found = with_progress(
        f"solving {rules.name}",
        lambda advance: survey(
            rules.law, reach=stats, load=load, threads=threads, progress=advance
        ),
    )
    facts: dict[str, Any] = {
        "rules": rules.reference,
        "start": {
            "value": VALUE_NAMES[value_of(found.start)],
            "distance": distance_of(found.start),
        },
    }
    if stats:
        facts["counts"] = [
            {
                "value": VALUE_NAMES[value_of(code)],
                "distance": distance_of(code),
                "placements": found.counts[code],
                "reachable": None,
            }
            for code in sorted(found.counts, key=_reading_order)
        ]
        facts["reachable_positions"] = found.reachable
    facts["seconds"] = round(time.perf_counter() - began, 3)
    if as_json:
        print_json(facts)
    else:
        _print_solution(rules, facts)


def _reading_order(code: int) -> tuple[int, int]:
    """Wins, then draws, then losses, each by distance."""
    from nestline.solve.entry import distance_of, value_of

    distance = distance_of(code)
    return -value_of(code), -1 if distance is None else distance


def _print_solution(rules: "RuleSet", facts: dict[str, Any]) -> None:
    start = facts["start"]
    if start["value"] == "draw":
        verdict = "a draw"
    else:
        winner = rules.players[0 if start["value"] == "win" else 1]
        verdict = f"{winner} wins in {_plies(start['distance'])}"
    click.echo(f"{rules.name}: {verdict} with best play. Solved in {facts['seconds']:.1f} s.")
    if "counts" not in facts:
        return
    click.echo(f"{'value':6}{'distance':>9}{'placements':>16}{'reachable':>16}")
    for row in facts["counts"]:
        distance = "-" if row["distance"] is None else row["distance"]
        reachable = "-" if row["reachable"] is None else f"{row['reachable']:,}"
        click.echo(f"{row['value']:6}{distance:>9}{row['placements']:>16,}{reachable:>16}")
    click.echo(f"Reachable positions up to symmetry: {facts['reachable_positions']:,}")


def _plies(count: int) -> str:
    return f"{count} ply" if count == 1 else f"{count} plies"


def _tell_estimate(rules: "RuleSet", folder: str | None = None, device: str = "cpu") -> None:
    """Say beforehand what solving takes; refuse what does not fit."""
    from nestline.solve.index import estimate, has_index

    with errors_about(rules.name):
        if has_index(rules.law):
            need = estimate(rules.law)
        else:
            need = _estimate_large(rules, folder, device)
    say(
        f"{rules.name}: {need.entries:,} entries, at most {need.memory / 2**30:.2f} GiB of memory, "
        f"roughly {max(1, round(need.seconds))} s of one core"
    )


def _estimate_large(rules: "RuleSet", folder: str | None, device: str) -> "Estimate":
    """What the tablebase of a game without an index takes, by a look at some of its entries."""
    from nestline.solve.groups.size import require_possible

    require_possible(rules.law)
    prepare_rules()
    from nestline.solve.slices import estimate_slices
    from nestline.solve.table import tables_folder
    from nestline.solve.table_format import require_writable

    place = tables_folder(folder)
    require_writable(place)
    return estimate_slices(rules.law, place, on_gpu=device == "cuda")


def compile_solver(device: str) -> None:
    """Compile the solver on the smallest game, so that the time reported is that of solving."""
    from nestline.engine.warm_up import warm_up_solver
    from nestline.rules import load_rules

    if device == "cuda":
        from nestline.solve.build import solve_on

        say("Compiling the solver for the GPU …")
        solve_on("cuda", load_rules("tictactoe").law)
    warm_up_solver(say)


@click.group(cls=Group)
def tables() -> None:
    """The tablebases of solved games: list, build, verify."""


@tables.command("list")
@tables_option
@json_option
def tables_list(folder: str | None, as_json: bool) -> None:
    """List the tablebases of the solvable rule sets, and others in the folder."""
    from nestline.solve.table import tables_folder
    from nestline.solve.table_format import SUFFIX, table_name

    place = tables_folder(folder)
    known = {table_name(rules): rules.name for rules in _solvable()}
    others = sorted(path.name for path in place.glob(f"*{SUFFIX}") if path.name not in known)
    rows = []
    for file in (*known, *others):
        path = place / file
        size = path.stat().st_size if path.is_file() else None
        name = known.get(file, file.removesuffix(SUFFIX).rpartition("-")[0])
        rows.append({"rules": name, "path": str(path), "bytes": size})
    if as_json:
        print_json(rows)
        return
    width = max(len(str(row["rules"])) for row in rows)
    for row in rows:
        size_told = "not built" if row["bytes"] is None else f"{row['bytes']:,} bytes"
        click.echo(f"{row['rules']:{width}}  {size_told:>17}  {row['path']}")


@tables.command("build")
@rules_argument(nargs=-1)
@tables_option
@device_option
@threads_option
@json_option
def tables_build(
    rules: "tuple[RuleSet, ...]",
    folder: str | None,
    device: str,
    threads: int | None,
    as_json: bool,
) -> None:
    """Solve RULES, by default all games that can be solved, and keep their tablebases."""
    chosen = rules or _solvable()
    for item in chosen:
        _tell_estimate(item, folder, device)
    built = []
    for item in chosen:
        path = _build(item, folder, device, threads)
        built.append({"rules": item.name, "path": str(path), "bytes": path.stat().st_size})
        if not as_json:
            click.echo(f"{item.name}: {built[-1]['bytes']:,} bytes in {path}")
    if as_json:
        print_json(built)


@tables.command("verify")
@rules_argument(nargs=-1)
@tables_option
@full_option
@threads_option
@json_option
def tables_verify(
    rules: "tuple[RuleSet, ...]", folder: str | None, full: bool, threads: int | None, as_json: bool
) -> None:
    """Check the tablebases of RULES, by default all that have been built."""
    prepare_rules()
    from nestline.errors import TableError
    from nestline.solve.table import tables_folder
    from nestline.solve.table_format import SUFFIX, table_name
    from nestline.solve.verify import verify_table

    chosen = rules or _solvable()
    if not rules:
        place = tables_folder(folder)
        chosen = tuple(item for item in chosen if (place / table_name(item)).exists())
        known = {table_name(item) for item in chosen}
        others = sorted(path.name for path in place.glob(f"*{SUFFIX}") if path.name not in known)
        if others:
            say(f"Not checked, since their rules are not known: {', '.join(others)}")
        if not chosen:
            raise TableError(
                f"there are no tablebases of nestline's own rule sets in {place}; "
                "build them with: nestline tables build"
            )
    found = []
    for item in chosen:

        def check(advance: Any, item: "RuleSet" = item) -> "Verification":
            return verify_table(item, folder, full=full, threads=threads, progress=advance)

        result = with_progress(f"checking {item.name}", check)
        found.append(
            {
                "rules": item.name,
                "path": str(result.path),
                "bytes": result.size,
                "sha256": result.sha256,
                "content": result.content,
                "committed": result.committed,
                "full": result.is_full,
            }
        )
        if not as_json:
            meaning = {
                "same": "the committed checksum",
                "same content": "the committed content, compressed by another library",
                "none": "no checksum is committed for these rules",
            }[result.committed]
            every = ", every entry follows from its moves" if full else ""
            click.echo(f"{item.name}: in order ({meaning}{every})")
    if as_json:
        print_json(found)


@click.command()
@rules_argument()
@click.argument("position")
@tables_option
@json_option
def probe(rules: "RuleSet", position: str, folder: str | None, as_json: bool) -> None:
    """Look up a position of a solved game.

    Shows the value of POSITION under RULES, and that of every move. With - for POSITION, positions
    are read from standard input, one per line. A missing tablebase is built first, but that of a
    large game has to be built with `tables build`.
    """
    prepare_rules()
    from nestline.position import Position

    if position != "-":
        place = Position(position, rules)
        with open_or_build(rules, folder) as table:
            facts = _probe_facts(table, place)
        if as_json:
            print_json(facts)
        else:
            _print_probe(facts)
        return
    with open_or_build(rules, folder) as table:
        for raw in sys.stdin.buffer:
            line = raw.decode("utf-8", "replace").strip()
            try:
                facts = _probe_facts(table, Position(line, rules))
            except (NotationError, PositionError) as error:
                facts = {"error": str(error)}
            if as_json:
                print_json(facts)
            elif "error" in facts:
                click.echo(f"{line}: {facts['error']}")
            else:
                click.echo(f"{facts['position']}: {_verdict(facts)}")


def _probe_facts(table: "Table", position: Any) -> dict[str, Any]:
    value, distance = table.probe(position)
    moves = [
        {"move": str(item.move), "value": item.value, "distance": item.distance}
        for item in table.moves(position)
    ]
    return {
        "rules": table.rules.reference,
        "position": str(position),
        "value": value,
        "distance": distance,
        "moves": moves,
    }


def _verdict(facts: dict[str, Any]) -> str:
    value, distance = facts["value"], facts["distance"]
    if distance == 0:
        return f"finished, a {value} for the player to move"
    return "draw" if value == "draw" else f"{value} in {_plies(distance)}"


def _print_probe(facts: dict[str, Any]) -> None:
    click.echo(_verdict(facts))
    for row in facts["moves"]:
        click.echo(f"  {row['move']:6}{_verdict(row)}")


def _solvable() -> "tuple[RuleSet, ...]":
    """The rule sets of the package that are small enough to index."""
    from nestline.rules import load_rules, rule_set_names

    return tuple(filter(is_solvable, map(load_rules, rule_set_names())))


def is_solvable(rules: "RuleSet") -> bool:
    """Whether a rule set is small enough to be solved in passing, wherever its tablebase helps."""
    from nestline.solve.index import has_index

    return has_index(rules.law)


def has_table(rules: "RuleSet", folder: str | None) -> bool:
    """Whether the tablebase of a rule set has been built."""
    from nestline.solve.table import tables_folder
    from nestline.solve.table_format import table_name

    return (tables_folder(folder) / table_name(rules)).exists()


def _build(rules: "RuleSet", folder: str | None, device: str, threads: int | None) -> "Path":
    """Build a tablebase with a progress bar."""
    prepare_rules()
    from nestline.solve.build import build_table

    compile_solver("cpu")
    return with_progress(
        f"solving {rules.name}",
        lambda advance: build_table(
            rules,
            folder,
            device=device,  # type: ignore[arg-type]
            threads=threads,
            progress=advance,
        ),
    )


def open_or_build(rules: "RuleSet", folder: str | None) -> "Table":
    """The tablebase of a rule set, built first if there is none and the game is small enough."""
    from nestline.solve.table import open_table

    if is_solvable(rules) and not has_table(rules, folder):
        _tell_estimate(rules, folder)
        _build(rules, folder, "cpu", None)
    return open_table(rules, folder)
