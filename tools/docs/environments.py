"""Make the tables of environments.md from the code: python tools/docs/environments.py."""

import re
from pathlib import Path

from nestline.action_space import action_count, action_names
from nestline.observations import GROUPS, OCCURRENCES, observation_shape, plane_limits, plane_names
from nestline.rules import load_rules, rule_set_names

PAGE = Path(__file__).parents[2] / "docs" / "research" / "environments.md"


def table(rows: list[list[str]]) -> str:
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *body])


def actions() -> str:
    """Which actions each rule set has."""
    rows = [["rule set", "actions", "from the reserve", "on the board"]]
    for name in rule_set_names():
        rules, names = load_rules(name), action_names(name)
        first = rules.sizes * rules.squares
        moving = f"{first} `{names[first]}` to {len(names) - 1} `{names[-1]}`" if rules.moving else "–"
        placing = f"0 `{names[0]}` to {first - 1} `{names[first - 1]}`"
        rows.append([f"`{name}`", str(action_count(name)), placing, moving])
    return table(rows)


def observations() -> str:
    """Which planes each rule set has."""
    names = rule_set_names()
    rows = [["planes", *(f"`{name}`" for name in names), "numbers"]]
    for group in (*GROUPS, OCCURRENCES):
        row = [group + (", for each size" if group in GROUPS else "")]
        limits = []
        for name in names:
            numbers = [n for n, plane in enumerate(plane_names(name)) if plane.startswith(group)]
            row.append(f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else
                       str(numbers[0]) if numbers else "–")
            limits += [plane_limits(name)[number] for number in numbers]
        least = 1 if group == OCCURRENCES else 0
        rows.append([*row, f"{least} to {max(limits)}"])
    shapes = [str(observation_shape(name)) for name in names]
    rows.append(["shape", *shapes, ""])
    return table(rows)


def page(text: str) -> str:
    """The page with its tables made anew."""
    for name, made in (("actions", actions()), ("observations", observations())):
        pattern = rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end -->)"
        text = re.sub(pattern, lambda found: f"{found[1]}{made}\n{found[2]}", text, flags=re.S)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
