"""Games in the page are those of the server: the same message after every action, good or bad, and
the same refusals in the same words.

The server's own service plays random games; node replays them with the page's modules.
"""

import asyncio
import hashlib
import json
import random
import re
from collections.abc import Awaitable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from nestline.engine.players.level_names import LEVEL_NAMES
from nestline.errors import NestlineError
from nestline.position import Move, Position
from nestline.rules import RuleSet, load_rules
from nestline.web.access.limits import Buckets
from nestline.web.access.permission import StudyPermission
from nestline.web.access.tokens import hash_of
from nestline.web.access.visitors import Visitor
from nestline.web.fields import Json
from nestline.web.games import actions
from nestline.web.games.catalogue import Catalogue, read_custom
from nestline.web.games.creation import NewGame
from nestline.web.games.hub import Hub
from nestline.web.games.online_game import OnlineGame, StoredGame
from nestline.web.games.service import GameService
from nestline.web.games.store import GameStore, NewAction, NewStoredGame
from nestline.web.games.views import game_json, rule_set_json
from nestline.web.http.requests import read_action
from nestline.web.metrics import Metrics
from nestline.web.refusals import Refusal, refusal_of
from nestline.web.settings import Settings
from nestline.web.work.fair_executor import FairExecutor
from nestline.web.work.tablebases import Tablebases
from support.helpers import FIVE_NAMES, random_fields, random_position, toml_text
from support.node import ROOT, answer_of
from support.records import random_record, spelled, spelled_move

SCRIPT = Path(__file__).parent / "local_games.mjs"
SENTENCES = (ROOT / "src/nestline/web/static/local/sentences.js").read_text("utf-8")
SEATS = ("first", "second")
LAST_MOVES = 2
UNSAYABLE = {"finishedStays"}
"""Refused earlier, in other words."""
GARBAGE = (
    "3", "a1", "b2", "c3", "d4", "e5", "(0,1)", "2,2", "-1,0", "L", "s", "->", "→", "x", "BB", " ",
    "'", '"', "\\", "\u2003", "é", "😀", "\x07", "9", "0", "\u00ad", "a", "start",
)  # fmt: skip
FULL = "w1,b1,w1/w1,b1,b1/b1,w1,w1 w"
RESIGN: Json = {"action": "resign"}
RARE: tuple[tuple[str, Json, str, list[Json]], ...] = (
    ("gobblet", {}, "x4/x4/x4/b3,b4,x2 w", [{"action": "move", "move": "4a1"}]),
    ("gobblet", {}, "x4/x4/x4/w4,b4,x2 w",
     [{"action": "move", "move": "a1a2"}, {"action": "hand-over", "seat": "first", "level": "1"},
      {"action": "undo", "seat": "second", "ply": 0}]),
    ("gobblet", {}, "x4/x4/x4/w4,b4,w3,x w",
     [{"action": "touch", "square": "a1"}, {"action": "touch", "square": "c1"}]),
    ("tictactoe", {}, "x3/x,w1,x/x3 w", []),
    ("gobblet", {}, "x4/x4/x4/x4 w", [{"action": "offer-draw"}, {"action": "offer-draw"}]),
    ("gobblers", {"draw_all_placed": True, "stock": [2, 1]}, "b1,b1,x/w1,w1,b2/x3 w",
     [{"action": "move", "move": "2b1"}]),
    ("gobblers", {"visibility": "memory"}, "x3/x,b1,x/x3 w",
     [{"action": "move", "move": "3b2"}, {"action": "undo"}]),
    ("gobblers", {"stock": [5, 1], "reserve": "loose", "touch_move": True, "peek": False}, FULL,
     [{"action": "touch", "square": "a3"}]),
    ("tictactoe", {"moving": True, "draw_board_full": False, "no_move": "loses"}, FULL, [RESIGN]),
    ("tictactoe", {"moving": True, "draw_board_full": False, "no_move": "draw"}, FULL, [RESIGN]),
    ("gobblers", {"cover": "none", "place_onto": "empty"}, "x3/x,b1,x/w2,x2 w",
     [{"action": "move", "move": "a1b2"}]),
    ("gobblers", {"cover": "opponent"}, "x3/x,w1,x/w2,x2 w", [{"action": "move", "move": "a1b2"}]),
    ("gobblers", {"cover": "own"}, "x3/x,b1,x/w2,x2 w", [{"action": "move", "move": "a1b2"}]),
    ("gobblers", {"reveal": "forbidden"}, "x3/x3/b1w3,b2,b2 w",
     [{"action": "move", "move": "a1a2"}]),
    ("gobblers", {"misere": True}, "x3/x3/w1,w2,x w", [{"action": "move", "move": "3c1"}]),
    ("gobblers", {"both_lines": "draw"}, "x3/w1,w2,x/b1w3,b2,b3 w",
     [{"action": "move", "move": "a1c2"}]),
)  # fmt: skip
"""What random games hardly meet: a rule set, a position, and actions from there."""

RARE_RECORDS = (
    '[Rules "gobblers"] 1. 3b2 ' + "(3b1 " * 31,
    '[Rules "gobblers"] 1. 3b2 3a1 2. 3b1 3a3 '
    + " ".join(f"{move}. b1c1 a1a2 {move + 1}. c1b1 a2a1" for move in range(3, 600, 2)),
    '[Rules "gobblers"] [Termination "boredom"] 1. 3b2',
    '[Rules "gobblers"] [Result "1-0"] 1. 3b2 3a1 0-1',
    '[Rules "gobblers"] [Termination "line"] 1. 3b2 1-0',
    '[Rules "gobblers"] 1. 3b2 }',
    '[Rules "gobblers"] 1. 3b2 {never',
    '[Rules "gobblers"] 1. 3b2 * 3a1',
    '[Rules "gobblers"] ) 1. 3b2',
    '[Rules "gobblers"] 1. 3b2 (3a1 *',
    '[Rules "gobblers"] 1. 3b2 (3a1',
    '[Rules "gobblers"] [Event "a"] [Event "b"]',
    '[Rules "gobblers"] [Event b]',
    '[Rules "gobblers"] [Event "a\tb"] 1. 3b2',
    '[Rules "gobblers"] 1. 3a1 1b1 2. 3a2 1c1 3. 2a3 1b2',
    '[Rules "gobblers"] 1. 3a1 1b1 2. 3a2 1c1 3. 2a3 0-1',
    '[Rules "gobblers"] [Termination "reveal"] 1. 3a1 1b1 2. 3a2 1c1 3. 2a3 1-0',
    '[Rules "gobblers"] [Position "x3/x,b3,x/x3 w"] 1 b2a1',
    '[Rules "gobblers"] 1 {where} *',
    '[Rules "gobblers"] [Visibility "dark"] 1. 3b2',
    '[Rules "gobblers."] 1. 3b2',
    "1. 3b2",
)
"""Records that random ones are hardly like."""

PLAYED_BY_A_COMPUTER = (
    '[Rules "gobblet"] [SecondLevel "2"] [Position "x4/x4/x4/w4,b4,x2 w"] 1. a1a2 b1b2',
    [{"action": "undo", "ply": 0}],
)
"""A record whose second player need not play the touched piece when its move is taken back."""

ODD_LEVELS = ("perfect", "perfect", "grandmaster", "it's")


class MemoryStore:
    """What the service needs of a database, for one process."""

    is_shared = False

    def __init__(self) -> None:
        self.games: dict[str, StoredGame] = {}

    async def load_game(self, game_id: str, since: int = 0) -> StoredGame | None:
        return self.games.get(game_id)

    async def add_game(self, new: NewStoredGame, most_open: int, rules_text: str | None) -> None:
        self.games[new.game.id] = new.game

    async def add_action(
        self, new: NewAction, claim: object = None, rematch: NewStoredGame | None = None
    ) -> bool:
        if rematch is not None:
            self.games[rematch.game.id] = rematch.game
        return True

    async def find_rule_set(self, name: str) -> str | None:
        return None

    async def game_that_forbids_study(self, *_who: object) -> str | None:
        return None


class Played:
    """The service, and all that was done with it as node is to replay it."""

    def __init__(self, tables: Path, seed: str) -> None:
        self.chance = random.Random(seed)
        self.tablebases = Tablebases(str(tables), build=False)
        self.tablebases.start()
        store = MemoryStore()
        executor = FairExecutor(1, "games")
        self.catalogue = Catalogue(cast(Any, store), executor)
        preparation = cast(Any, SimpleNamespace(remark=None))
        self.hub = Hub(
            Settings(), cast(GameStore, store), self.catalogue, self.tablebases, preparation,
            executor,
        )  # fmt: skip
        self.service = GameService(
            self.hub, cast(GameStore, store), self.catalogue, self.tablebases, preparation,
            executor, Metrics(), StudyPermission(store, 1), Buckets(0, 0, ""), "salt",
        )  # fmt: skip
        self.visitor = Visitor("client", None, frozenset())
        self.sets: dict[str, RuleSet] = {name: load_rules(name) for name in FIVE_NAMES}
        self.games: list[Json] = []
        self.expected: list[list[Any]] = []
        self.actions = 0
        self.likes_repeating = False

    def add_random_set(self) -> None:
        changes = random_fields(self.chance) | {
            "person_begins": self.chance.random() < 0.3,
            "take_back_after_end": self.chance.random() < 0.7,
        }
        self.add_custom_set(changes, "gobblers")

    def add_custom_set(self, changes: Json, like: str) -> RuleSet:
        rules = read_custom(toml_text(changes, like))
        self.catalogue.remember(rules)
        return self.sets.setdefault(rules.name, rules)

    async def play_rarities(self) -> None:
        for like, changes, position, wanted in RARE:
            rules = self.add_custom_set(changes, like)
            await self.play_one({"rules": rules.name, "position": position}, rules, wanted)
        # A design changes a set of the package, not one that a server was given.
        await self.play_one({"record": f'[Rules "{rules.name}."] 1. 3b2'}, rules, [])
        for text in RARE_RECORDS:
            await self.play_one({"record": text}, self.sets["gobblers"], [])
        text, wanted = PLAYED_BY_A_COMPUTER
        seats = {"first": {"player": "here"}, "second": {"player": "here"}}
        await self.play_one({"record": text, "seats": seats}, self.sets["gobblet"], wanted)

    async def play(self, actions_wanted: int) -> None:
        names = [*FIVE_NAMES * 4, *self.sets]
        while self.actions < actions_wanted:
            self.likes_repeating = self.chance.random() < 0.2
            rules = self.sets[self.chance.choice(names)]
            await self.play_one(self.new_game(rules), rules, [])

    async def play_one(self, request: Json, rules: RuleSet, wanted: list[Json]) -> None:
        """A game of the actions that are wanted, and random ones."""
        answers: list[Any] = []
        steps: list[Json] = []
        game: Json = {"request": request, "name": rules.name, "id": "", "created": "2000-01-01"}
        self.games.append(game | {"steps": steps})
        self.expected.append(answers)
        self.actions += 1
        creating = self.service.create(NewGame.model_validate(request), self.visitor, "browser")
        online, refusal = await outcome_of(creating)
        if online is None:
            answers.append(refusal)
            return
        made, online = online
        self.holders = frozenset(map(hash_of, made.tokens.values()))
        told = self.told(online)
        self.games[-1] |= {"id": told["id"], "created": told["created"]}
        answers.append(told)
        for number in range(self.chance.choice((10, 30, 60))):
            asked = wanted[number] if number < len(wanted) else None
            online = await self.step(online, steps, answers, asked)
            self.actions += 1
            if online.is_over and self.chance.random() < 0.2:
                break
        for kind in ("reload", "record"):
            steps.append({"kind": kind, "most": 1000})
        answers.append(self.told(online, online.game.ply))
        text, refusal = await outcome_of(self.service.record(online.id, "client"))
        answers.append(text or refusal)

    async def step(
        self, online: OnlineGame, steps: list[Json], answers: list[Any], wanted: Json | None
    ) -> OnlineGame:
        """The wanted action or a random one, with what the service answers."""
        if online.computer_side is not None and self.chance.random() < 0.8:
            return await self.computer_acts(online, steps, answers)
        if self.chance.random() < 0.06 and wanted is None:
            square, seat = self.some_square(online), self.chance.choice((None, *SEATS))
            steps.append({"kind": "peek", "asked": square} | ({"seat": seat} if seat else {}))
            peeking = self.service.peek(online.id, self.holders, square, seat)
            seen, refusal = await outcome_of(peeking)
            answers.append(seen or refusal)
            return online
        asked = {**wanted, "number": online.number} if wanted else self.some_request(online)
        acting = self.service.act(
            online.id, self.holders, read_action.validate_python(asked), self.visitor
        )
        after, refusal = await outcome_of(acting)
        step = {"kind": "act", "asked": asked, "most": LAST_MOVES}
        if after is None:
            steps.append(step)
            answers.append(refusal)
            return online
        told = self.told(after)
        steps.append(step | {"at": told["changed"], "next": told["rematch"]})
        answers.append(told)
        if asked["action"] == "rematch":
            following = self.told(await self.hub.find(told["rematch"]))
            steps.append({"kind": "next", "at": following["created"], "next": following["id"]})
            answers.append(following)
        return after

    async def computer_acts(
        self, online: OnlineGame, steps: list[Json], answers: list[Any]
    ) -> OnlineGame:
        side = online.computer_side
        assert side is not None
        deed: Json = {"seat": SEATS[side]}
        action: actions.PlayerAction
        if online.game.draw_offer == side.other:
            kind = self.chance.choice((actions.AcceptDraw, actions.DeclineDraw))
            action = kind(side)
        else:
            move = self.chosen(online)
            action = actions.Move(side, move)
            deed["move"] = str(move)
        await self.hub.act_for_computer(online.id, online.number, action)
        after = await self.hub.find(online.id)
        told = self.told(after)
        asked = deed | {"action": action.name}
        steps.append(
            {"kind": "computer", "asked": asked, "at": told["changed"], "most": LAST_MOVES}
        )
        answers.append(told)
        return after

    def told(self, online: OnlineGame, moves: int = LAST_MOVES) -> Json:
        known = max(0, online.game.ply - moves)
        return {**game_json(online, self.tablebases, None, known), "you": list(SEATS)}

    # Choices.

    def new_game(self, rules: RuleSet) -> Json:
        chance = self.chance
        seats: Json = {seat: self.seat(rules) for seat in SEATS if chance.random() < 0.9}
        if chance.random() < 0.3:
            start = (
                random_position(rules, chance) if chance.random() < 0.2 else Position.start(rules)
            )
            recorded: Json = {"record": random_record(rules, start, chance), "seats": seats}
            return recorded | ({"position": "start"} if chance.random() < 0.02 else {})
        request: Json = {"rules": rules.name, "seats": seats}
        if chance.random() < 0.6:
            request["visibility"] = chance.choice(("open", "open", "peek", "memory"))
        if chance.random() < 0.3:
            request["touch_move"] = chance.random() < 0.5
        if chance.random() < 0.15:
            request["ply_limit"] = chance.randint(1, 30)
        if chance.random() < 0.4:
            request["position"] = self.some_position(rules)
        return request

    def seat(self, rules: RuleSet) -> Json:
        chance = self.chance
        seat: Json = {"player": chance.choice(("here", "here", "computer"))}
        if (seat["player"] == "computer") != (chance.random() < 0.03):
            seat["level"] = chance.choice((*LEVEL_NAMES, "easy", "grandmaster"))
        if seat["player"] == "here" and chance.random() < 0.2:
            seat["name"] = chance.choice(("Ann", 'Max "M" Müller', "back\\slash"))
        return seat

    def some_position(self, rules: RuleSet) -> str:
        chance = self.chance
        text = str(random_position(rules, chance))
        if chance.random() < 0.1:
            return text[:-1] + chance.choice("wb")
        if chance.random() < 0.5:
            return text.replace(" ", "_") if chance.random() < 0.2 else text
        letters = list(text)
        pieces = [place for place, letter in enumerate(letters) if letter.isdigit()]
        for _ in range(chance.randint(1, 3)):
            place = chance.choice(pieces or [0])
            letters[place] = chance.choice("01234")
            if chance.random() < 0.3:
                letters[chance.randrange(len(letters))] = chance.choice("xwb123490/, _é'" + text)
        return "".join(letters)

    def some_request(self, online: OnlineGame) -> Json:
        chance = self.chance
        number = online.number if chance.random() < 0.97 else chance.randint(0, 90)
        kind = "move"
        if online.is_over or chance.random() < (0.1 if self.likes_repeating else 0.5):
            kind = chance.choice([*actions.BY_NAME, *["undo", "redo", "touch", "land"] * 4])
            if kind in ("resign", "accept-draw") and chance.random() < 0.7:
                kind = "offer-draw"
        request: Json = {"action": kind, "number": number}
        if chance.random() < 0.2:
            request["seat"] = chance.choice(SEATS)
        if kind == "move":
            request["move"] = self.some_move(online)
        elif kind in ("touch", "land"):
            request["square"] = self.some_square(online)
        elif kind == "hand-over":
            request["level"] = chance.choice((*LEVEL_NAMES[:11], *ODD_LEVELS))
        elif kind == "rename":
            request["player"] = chance.choice(("Ann", "  Bob   B. ", "\u00c7a va?"))
        elif kind in ("undo", "redo", "ask-undo") and chance.random() < 0.4:
            request["ply"] = max(0, online.game.ply + chance.randint(-6, 4))
        return request

    def some_move(self, online: OnlineGame) -> str:
        chance, rules = self.chance, online.game.rules
        moves = online.game.legal_moves()
        dice = chance.random()
        if moves and dice < 0.8:
            move = self.chosen(online)
            return spelled_move(move, rules, chance)
        if dice < 0.93:
            names = rules.square_names
            own = [str(size) for size in online.game.position.reserve_tops(online.game.turn)]
            start = chance.choice((*own, *own, *"01234sml", *names))
            target = start if chance.random() < 0.1 else chance.choice(names)
            return f"{start}{target}"
        return self.garbage()

    def chosen(self, online: OnlineGame) -> Move:
        """A legal move; in some games one that brings back an earlier position, if there is one."""
        game, moves = online.game, online.game.legal_moves()
        if not self.likes_repeating:
            return self.chance.choice(moves)
        last = game.moves[-2] if game.ply >= 2 else None
        on_board = [move for move in moves if move.origin is not None]
        back = [move for move in on_board if last and move.target == last.origin]
        return self.chance.choice(back or on_board or moves)

    def some_square(self, online: OnlineGame) -> str:
        if self.chance.random() < 0.1:
            return self.garbage()
        own = [
            square
            for square, stack in online.game.position.stacks.items()
            if stack[-1].side == online.game.turn
        ]
        names = own if own and self.chance.random() < 0.7 else online.game.rules.square_names
        return spelled(self.chance.choice(names), online.game.rules, self.chance)

    def garbage(self) -> str:
        chance = self.chance
        return "".join(chance.choice(GARBAGE) for _ in range(chance.randint(1, 5)))[:40]

    # Comparing.

    def ask_node(self, games: list[Json], is_full: bool) -> list[list[Any]]:
        sets = {
            name: rule_set_json(name, rules, self.tablebases) for name, rules in self.sets.items()
        }
        question = {"rules": sets, "games": games, "isFull": is_full}
        return cast(list[list[Any]], answer_of(SCRIPT, question, seconds=3000))

    def compare(self) -> list[list[Any]]:
        """Compare what was played since the last comparison; returns the answers."""
        answers = self.ask_node(self.games, is_full=False)
        for game, expected, got in zip(self.games, self.expected, answers, strict=True):
            if [digest(each) for each in expected] != got:
                (whole,) = self.ask_node([game], is_full=True)
                steps = [game["request"], *game["steps"]]
                for step, wanted, found in zip(steps, expected, whole, strict=True):
                    assert found == json.loads(written(wanted)), step
                raise AssertionError("only the order of the fields differs")
        told = self.expected
        self.games, self.expected, self.actions = [], [], 0
        return told


def written(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def digest(answer: Any) -> Any:
    """Refusals are compared as they are, messages by a hash of their text."""
    if isinstance(answer, list):
        return answer
    return hashlib.sha1(written(answer).encode()).hexdigest()


async def outcome_of(work: Awaitable[Any]) -> tuple[Any, list[str] | None]:
    """What the service answers, or the code and sentence of its refusal."""
    try:
        return await work, None
    except (Refusal, NestlineError) as error:
        refusal = error if isinstance(error, Refusal) else refusal_of(error)
        if refusal.code == "not-found":
            return None, [refusal.code]  # The page cannot list what a server knows.
        return None, [refusal.code, " ".join(refusal.message.split())]


def unsaid(answers: list[list[Any]]) -> list[str]:
    """The names of the page's sentences that none of these answers has."""
    told = [answer for game in answers for answer in game]
    texts = {answer[-1] for answer in told if isinstance(answer, list)}
    texts |= {answer["text"] for answer in told if isinstance(answer, dict) and "text" in answer}
    found = []
    for name, text in re.findall(r"export const (\w+) = \(.*\) =>\s+[`\"](.+)[`\"];", SENTENCES):
        pattern = re.compile(re.sub(r"\\\$\\\{.*?\\\}", ".*", re.escape(text)))
        if not any(pattern.search(each) for each in texts):
            found.append(name)
    return sorted({*found} - UNSAYABLE)


def check(tables: Path, seed: str, wanted: int) -> list[str]:
    """Play and compare; returns what was never said."""
    played = Played(tables, seed)
    for _ in range(20):
        played.add_random_set()

    asyncio.run(played.play_rarities())
    told = played.compare()
    for part in (wanted // 20, wanted - wanted // 20):  # Most faults show in the first part.
        asyncio.run(played.play(part))
        told += played.compare()
    return unsaid(told)


def test_local_games_are_the_servers(tictactoe_tables: Path) -> None:
    assert check(tictactoe_tables, "local games", 10_000) == []


@pytest.mark.full
def test_a_million_actions(tictactoe_tables: Path) -> None:
    for round_number in range(20):
        check(tictactoe_tables, f"local games {round_number}", 50_000)
