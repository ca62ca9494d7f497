"""Warm-up: compile or load compiled code before a person or a clock has to wait for it.

Each function runs its part of the package once on a tiny game, and `say`s so where that takes long:
on the first run on a computer, and after an update. Imports happen inside the functions, so that
unused parts cost nothing.
"""

import os
from collections.abc import Callable

Say = Callable[[str], None]


def warm_up_rules(say: Say) -> None:
    """Moves, outcomes, symmetries, and perft."""
    from nestline.compiled import announced_compilation

    with announced_compilation("rules", say):
        from nestline.perft import count_sequences
        from nestline.position import Position

        start = Position.start("gobblers")
        start.play(start.legal_moves()[0]).canonical()
        count_sequences(start, 2)


def warm_up_search(say: Say) -> None:
    """The engine's search, with one variation and with several."""
    from nestline.compiled import announced_compilation

    with announced_compilation("search", say):
        from nestline.engine.search.engine import Engine, Limits
        from nestline.game import Game

        engine = Engine("tictactoe", memory=1, tables=False)
        engine.think(Game("tictactoe"), Limits(depth=2), variations=2)


def warm_up_prover(say: Say) -> None:
    """The proof search."""
    from nestline.compiled import announced_compilation

    with announced_compilation("prover", say):
        from nestline.engine.prove.prover import Prover
        from nestline.position import Position

        Prover("tictactoe", memory=1).prove(Position.start("tictactoe"), 1)


def warm_up_solver(say: Say) -> None:
    """The retrograde analysis on the CPU."""
    from nestline.compiled import announced_compilation

    with announced_compilation("solver", say):
        from nestline.rules import load_rules
        from nestline.solve.build import table_bytes

        table_bytes(load_rules("tictactoe").law, threads=1)


def warm_up_probing(say: Say, folder: "str | os.PathLike[str] | None" = None) -> None:
    """Tablebase look-ups, if there is one; otherwise the build compiles what it needs."""
    from nestline.compiled import announced_compilation
    from nestline.errors import TableError
    from nestline.position import Position
    from nestline.solve.table import open_table

    try:
        table = open_table("tictactoe", folder)
    except TableError:
        return
    with table, announced_compilation("tables", say):
        table.moves(Position.start("tictactoe"))
