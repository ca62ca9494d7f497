"""A process of its own that builds one table, and tells on standard output how far it is.

Run by `tablebases` as `python -m nestline.web.work.build_table RULES FOLDER`. Building takes a
gigabyte and all that a core can do, and on a new machine the compiler first; none of
that belongs into a process that answers visitors.
"""

import sys

from nestline import tables
from nestline.errors import NestlineError
from nestline.position import Position
from nestline.system import lower_priority

NICENESS = 10


def main(name: str, folder: str) -> int:
    """Build the table and look at it once, so that asking it is compiled too."""
    lower_priority(NICENESS)

    def report(part: float) -> None:
        print(f"{part:.3f}", flush=True)

    try:
        tables.build(name, folder, progress=report)
        with tables.open(name, folder) as table:
            table.moves(Position.start(name))
    except (NestlineError, OSError, MemoryError) as error:
        print(str(error) or "there is not enough memory", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
