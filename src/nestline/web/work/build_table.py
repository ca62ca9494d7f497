"""Builds one tablebase in a process of its own, reporting its progress on standard output.

Run by `tablebases` as `python -m nestline.web.work.build_table RULES FOLDER`. Building takes a
gigabyte of memory and a whole core, and on a new machine compiles first; none of that belongs in a
process that answers requests.
"""

import sys

from nestline import tables
from nestline.errors import NestlineError
from nestline.position import Position
from nestline.system import lower_priority

NICENESS = 10


def main(name: str, folder: str) -> int:
    """Build the tablebase and probe it once, so that probing is compiled too."""
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
