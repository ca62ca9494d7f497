"""Draw how the code is cut, from the imports of the sources: `make pictures`.

Every part of the package stands above all parts it imports. An arrow that other arrows together
already tell is left out, and so are the parts that everything may use.
"""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.import_graph import MODULES, import_graph  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"

USED_BY_ALL = ("errors", "lazy", "system")
COMMAND_LINE = ("terminal.main", "__main__")
"""The command `nestline` knows both the terminal and the server; it is no part of either."""

LETTER, SMALL_LETTER, HEIGHT, GAP, ROW, MARGIN = 8.2, 6.1, 44.0, 18.0, 78.0, 20.0
STYLE = (
    "text{font-family:system-ui,sans-serif;fill:#2b211b;text-anchor:middle}"
    ".n{font-size:14px;font-weight:600}.s{font-size:10px;fill:#6b5f55}"
    "rect{fill:#fffdf8;stroke:#a4432f;stroke-width:1.5}"
    "path{fill:none;stroke:#6b5f55;stroke-width:1.1;marker-end:url(#a)}"
)

Graph = dict[str, set[str]]


def part_of(module: str) -> str:
    """The part of the package a module lies in; the command line is one of its own."""
    rest = module.removeprefix("nestline.")
    return "command line" if rest in COMMAND_LINE else rest.partition(".")[0]


def part_graph() -> Graph:
    graph: Graph = {}
    for module, others in import_graph().items():
        parts = graph.setdefault(part_of(module), set())
        parts.update(map(part_of, others))
    for part, others in graph.items():
        others -= {part, *USED_BY_ALL}
    return {part: others for part, others in graph.items() if part not in USED_BY_ALL}


def reachable(graph: Graph, part: str) -> set[str]:
    found: set[str] = set()
    for other in graph[part]:
        found |= {other} | reachable(graph, other)
    return found


def without_detours(graph: Graph) -> Graph:
    """Only the arrows that no chain of others replaces."""
    return {
        part: {
            other
            for other in others
            if not any(other in reachable(graph, between) for between in others - {other})
        }
        for part, others in graph.items()
    }


def rows_of(graph: Graph) -> list[list[str]]:
    """The parts by how many others stand above them in a chain, the highest first."""

    def depth(part: str) -> int:
        return 1 + max((depth(other) for other in graph if part in graph[other]), default=-1)

    depths = {part: depth(part) for part in graph}
    return [
        sorted(part for part in graph if depths[part] == row)
        for row in range(max(depths.values()) + 1)
    ]


def rooms_of(part: str) -> str:
    """The packages inside a part."""
    above = f"nestline.{part}."
    found = {
        name.removeprefix(above)
        for name, path in MODULES.items()
        if name.startswith(above) and path.name == "__init__.py"
    }
    return " · ".join(sorted(name for name in found if "." not in name))


def draw() -> str:
    graph = without_detours(part_graph())
    rows = rows_of(graph)
    widths = {
        part: max(len(part) * LETTER, len(rooms_of(part)) * SMALL_LETTER) + 24 for part in graph
    }
    spans = [sum(widths[part] + GAP for part in row) - GAP for row in rows]
    width = max(spans) + 2 * MARGIN
    height = ROW * (len(rows) - 1) + HEIGHT + 2 * MARGIN
    places: dict[str, tuple[float, float]] = {}
    for number, (row, span) in enumerate(zip(rows, spans, strict=True)):
        x = (width - span) / 2
        for part in row:
            places[part] = x + widths[part] / 2, MARGIN + number * ROW
            x += widths[part] + GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" role="img"><title>The packages of nestline and what each imports'
        f"</title><style>{STYLE}</style>",
        '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#6b5f55;stroke:none"/>'
        "</marker></defs>",
    ]
    for part, others in graph.items():
        x, y = places[part]
        for other in sorted(others):
            to_x, to_y = places[other]
            bend = (to_y - y - HEIGHT) / 2
            lines.append(
                f'<path d="M{x:.0f} {y + HEIGHT:.0f}C{x:.0f} {y + HEIGHT + bend:.0f} '
                f'{to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}"/>'
            )
    for part, (x, y) in places.items():
        rooms = rooms_of(part)
        lines.append(
            f'<rect x="{x - widths[part] / 2:.0f}" y="{y:.0f}" width="{widths[part]:.0f}" '
            f'height="{HEIGHT:.0f}" rx="8"/>'
            f'<text class="n" x="{x:.0f}" y="{y + (20 if rooms else 27):.0f}">{escape(part)}</text>'
        )
        if rooms:
            lines.append(f'<text class="s" x="{x:.0f}" y="{y + 35:.0f}">{escape(rooms)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "packages.svg").write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
