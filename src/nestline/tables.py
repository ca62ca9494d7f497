"""Tablebases of small boards, ready for probing: `nestline.tables.open("gobblers")`.

A thin wrapper around `nestline.solve`: opening, building and verifying tables.

    table = open("gobblers")
    table.probe(position)        # Probe(value='win', distance=13)
    table.moves(position)        # every move, the best first
    table.probe_many(owns, opps) # arrays of the kernel's words
"""

from nestline.solve.build import build_table as build
from nestline.solve.table import MoveProbe, Probe, Table, tables_folder
from nestline.solve.table import open_table as open  # noqa: A004  (the module's chief word)
from nestline.solve.verify import verify_table as verify

__all__ = ["MoveProbe", "Probe", "Table", "build", "open", "tables_folder", "verify"]
