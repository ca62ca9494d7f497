"""Rule sets by name: the built-in ones and those sent by visitors.

A custom rule set is named after a hash of its content, so the same text has the same name on every
server. `rules` checks what a rule set may contain.
"""

import asyncio
import hashlib
import re
from collections import OrderedDict
from importlib import resources

from nestline.errors import RuleSetError
from nestline.record import Record, read_record
from nestline.rules import RuleSet, is_design, load_rules, read_rules, rule_set_names
from nestline.rules.design import design_file
from nestline.web.fields import MOST_PLIES
from nestline.web.games.store import RuleSetStore
from nestline.web.refusals import invalid, not_found
from nestline.web.work.fair_executor import FairExecutor

REMEMBERED = 500
LONGEST_TEXT = 16_384
MOST_DOTS = 100
"""In a line; the time for reading a key grows with the square of its dots."""
_CUSTOM = re.compile(r"custom-[0-9a-f]{16}")


def custom_name(text: str) -> str:
    return f"custom-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def read_custom(text: str) -> RuleSet:
    """Check a text that somebody sent; it cannot make the server read a file."""
    if len(text) > LONGEST_TEXT:
        raise invalid(f"a rule set has at most {LONGEST_TEXT:,} characters")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise invalid("the rule set is not Unicode text") from None
    if "\0" in text:
        raise invalid("a rule set has no character 0 in it")
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise invalid(f"a line of a rule set has at most {MOST_DOTS} dots")
    return read_rules(text, custom_name(text))


def is_custom_name(name: str) -> bool:
    return _CUSTOM.fullmatch(name) is not None


def plain_name(reference: str) -> str:
    """The rule set named in a record's tag; for custom sets records name a file."""
    if is_design(reference.strip()):
        return reference.strip()
    name = reference.strip().lower()
    return name.removesuffix(".toml") if is_custom_name(name.removesuffix(".toml")) else name


class Catalogue:
    """Finds rule sets, and caches those recently read from the database."""

    def __init__(self, store: RuleSetStore, executor: FairExecutor) -> None:
        self._store = store
        self._executor = executor
        self._custom: OrderedDict[str, RuleSet] = OrderedDict()

    def _known(self, name: str) -> RuleSet | None:
        if name in rule_set_names() or is_design(name):
            return load_rules(name)
        return self._custom.get(name)

    def remember(self, rules: RuleSet) -> None:
        """Cache a custom set, evicting the oldest entry."""
        self._custom[rules.name] = rules
        self._custom.move_to_end(rules.name)
        if len(self._custom) > REMEMBERED:
            self._custom.popitem(last=False)

    async def find(self, name: str) -> RuleSet:
        """The rule set of that name; refused if there is none."""
        rules = self._known(name)
        if rules is not None:
            return rules
        text = await self._custom_text(name)
        try:
            # Not in the executor, whose threads may be waiting for this to read their records.
            rules = await asyncio.to_thread(read_rules, text, name)
        except RuleSetError as error:
            # It was valid when it was stored; a later version of the rules is stricter.
            raise not_found(f"{name} cannot be played any more: {error}") from None
        self.remember(rules)
        return rules

    async def text(self, name: str) -> str:
        """The TOML file of a rule set."""
        if name in rule_set_names():
            return (resources.files("nestline.rules") / f"{name}.toml").read_text("utf-8")
        return design_file(name) if is_design(name) else await self._custom_text(name)

    async def _custom_text(self, name: str) -> str:
        text = await self._store.find_rule_set(name) if is_custom_name(name) else None
        if text is None:
            raise unknown(name)
        return text

    async def read_custom(self, text: str, client: str) -> RuleSet:
        """Check a visitor's rule set."""
        return await self._executor.run(client, lambda: read_custom(text))

    async def keep(self, text: str, client: str) -> RuleSet:
        """Check a visitor's rule set and store it."""
        rules = await self.read_custom(text, client)
        await self._store.keep_rule_set(rules.name, text)
        self.remember(rules)
        return rules

    async def read_record(self, text: str, client: str) -> Record:
        """Read a record that somebody sent; its rule set must be one the server knows."""
        loop = asyncio.get_running_loop()

        def find(reference: str) -> RuleSet:
            found = asyncio.run_coroutine_threadsafe(self.find(plain_name(reference)), loop)
            return found.result()

        record = await self._executor.run(client, lambda: read_record(text, find_rules=find))
        if len(record.moves) > MOST_PLIES:
            raise invalid(f"record: a game here has at most {MOST_PLIES:,} moves")
        return record


def unknown(name: str) -> Exception:
    shown = name if len(name) <= 40 else f"{name[:39]}…"
    return not_found(
        f"there is no rule set {shown!r}; there are {', '.join(rule_set_names())}, "
        "and custom ones under the names they were given"
    )
