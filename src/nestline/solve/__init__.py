"""Solving small boards completely: retrograde analysis, and the tablebases it produces.

    from nestline.solve import build_table, open_table

`nestline.tables` offers the same. The names below are loaded on first use.
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.solve.background import BackgroundTable
    from nestline.solve.build import build_table
    from nestline.solve.retrograde import Solution, solve
    from nestline.solve.table import MoveProbe, Probe, Table, open_table, tables_folder
    from nestline.solve.verify import Verification, verify_table

__all__ = [
    "BackgroundTable",
    "MoveProbe",
    "Probe",
    "Solution",
    "Table",
    "Verification",
    "build_table",
    "open_table",
    "solve",
    "tables_folder",
    "verify_table",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.solve.background": "BackgroundTable",
        "nestline.solve.build": "build_table",
        "nestline.solve.retrograde": "Solution solve",
        "nestline.solve.table": "MoveProbe Probe Table open_table tables_folder",
        "nestline.solve.verify": "Verification verify_table",
    },
)
