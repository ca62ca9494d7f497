"""The options of a UGI program: how a line declares them, and which values they take.

Both sides of the protocol use this, our own program and the player that drives an external one;
they decide what an option does.

>>> option = read_option("option name Hash type spin default 16 min 1 max 1024")
>>> option.check("64")
'64'
>>> option.check("a lot")
Traceback (most recent call last):
nestline.errors.GameError: Hash takes a whole number from 1 to 1024, not 'a lot'
"""

import re
from dataclasses import dataclass

from nestline.errors import GameError

SWITCH = ("true", "false")

_KEYS = ("name", "type", "default", "min", "max", "var")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True)
class Option:
    """A declared option; kinds are spin, combo, check, string and button, as in UCI."""

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        words = ["option name", self.name, "type", self.kind]
        for key, value in (("default", self.default), ("min", self.least), ("max", self.most)):
            if value not in (None, ""):
                words += [key, str(value)]
        for choice in self.choices:
            words += ["var", choice]
        return " ".join(words)

    def check(self, value: str) -> str:
        """The value in its normal form, or a `GameError` that says what is allowed."""
        if self.kind == "spin":
            if _NUMBER.fullmatch(value) and self._is_within(int(value)):
                return str(int(value))
        elif self.kind == "check" or (self.kind == "combo" and self.choices):
            allowed = self.choices or SWITCH
            for choice in allowed:
                if choice.lower() == value.lower():
                    return choice
        else:
            return value
        raise GameError(f"{self.name} takes {self._allowed()}, not {shortened(value)}")

    def _is_within(self, number: int) -> bool:
        above = self.least is None or number >= self.least
        return above and (self.most is None or number <= self.most)

    def _allowed(self) -> str:
        if self.kind != "spin":
            return f"one of {', '.join(self.choices or SWITCH)}"
        least = "" if self.least is None else f" from {self.least}"
        return f"a whole number{least}" + ("" if self.most is None else f" to {self.most}")


def read_option(line: str) -> Option:
    """The option that a line declares; `GameError` if it declares none."""
    words = line.split()
    values: dict[str, str] = {}
    choices: list[str] = []
    key = None
    for word in words[1:]:
        if word in _KEYS:
            key = word
            if key == "var":
                choices.append("")
            else:
                values[key] = ""
        elif key == "var":
            choices[-1] = f"{choices[-1]} {word}".strip()
        elif key is not None:
            values[key] = f"{values[key]} {word}".strip()
    if words[:1] != ["option"] or not values.get("name") or not values.get("type"):
        raise GameError(f"{shortened(line)} declares no option with a name and a type")
    return Option(
        values["name"],
        values["type"],
        values.get("default", ""),
        _number(values.get("min", "")),
        _number(values.get("max", "")),
        tuple(choices),
    )


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def shortened(text: str) -> str:
    """Text from another program for use in a message: quoted, short, and on one line."""
    return repr(text if len(text) <= 60 else text[:59] + "…")
