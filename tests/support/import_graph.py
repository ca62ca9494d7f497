"""Which module of the package imports which, read from the source code without running it.

It sees every import statement, including those inside functions and under TYPE_CHECKING, and every
import by string: a text that names a module, as in `import_module`, tables of commands, or entry
points like `nestline.web.app:create_app`.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import nestline

PACKAGE = Path(nestline.__file__).parent

NO_IMPORTS = ("getLogger", "files")
"""Functions that take a module's name without importing it: loggers and data files."""


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported_names(source: str, module: str, is_package: bool = False) -> set[str]:
    """The dotted names that a source imports from the package: modules, or names in them."""
    found: set[str] = set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")
                keep = len(above) - node.level + is_package
                base = ".".join([*above[:keep], *([base] if base else [])])
            found.update(f"{base}.{alias.name}" for alias in node.names)
    found.update(_named_by_string(tree))
    return {name for name in found if name.split(".")[0] == "nestline"}


def _named_by_string(tree: ast.AST) -> Iterator[str]:
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.partition(":")[0]
            if "." in name and name in MODULES:
                yield name
        function = getattr(node, "func", None)
        called = getattr(function, "attr", getattr(function, "id", None))
        if called not in NO_IMPORTS:
            nodes.extend(ast.iter_child_nodes(node))


def home_of(name: str) -> str:
    """The module a dotted name is in: `nestline.rules.law.Law` in `nestline.rules.law`."""
    while name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def import_graph() -> dict[str, set[str]]:
    """Each module and those it imports, without the package's own `__init__`."""
    graph = {}
    for module, path in MODULES.items():
        if module != "nestline":
            names = imported_names(path.read_text("utf-8"), module, path.name == "__init__.py")
            graph[module] = {home_of(name) for name in names} - {module, "nestline"}
    return graph


def find_cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """An import cycle, with the first module repeated at the end; empty if there is none."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module not in done:
            for other in sorted(graph.get(module, ())):
                if cycle := visit(other, [*path, module]):
                    return cycle
            done.add(module)
        return []

    for module in sorted(graph):
        if cycle := visit(module, []):
            return cycle
    return []
