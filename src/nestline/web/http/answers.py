"""What the server sends, field by field, for the OpenAPI document.

The answers themselves are made in `games` and `study`; tests check them against these classes. The
fields of a rule set come from `RuleSet`, so a new one is in the API automatically.
"""

from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.json_schema import SkipJsonSchema

from nestline.rules import RuleSet
from nestline.rules.schema import FIELDS
from nestline.web.fields import SeatName, Visibility

Value = Literal["win", "draw", "loss"]


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Reserves(Answer):
    """The sizes each player can take."""

    first: list[int]
    second: list[int]


class Board(Answer):
    """A position; while covered pieces are secret, only the tops of its stacks."""

    text: str
    turn: SeatName
    stacks: dict[str, list[str]]
    reserves: Reserves


class TableState(Answer):
    state: Literal["ready", "building", "none"]
    part: float
    remark: str | None


class Strength(Answer):
    """A level in words. The rating is in points above a player who moves at random; the seconds are
    those of a level that thinks by the clock."""

    level: str
    title: str
    words: str
    rating: int | None
    seconds: float | None


class _RuleSet(Answer):
    """A rule set: its fields, and what a client needs to offer it to people."""

    name: str
    custom: bool
    sources: dict[str, str]
    squares: list[str]
    line_squares: list[list[str]]
    start: Board
    levels: list[str]
    strengths: list[Strength]
    visibilities: list[Visibility]
    table: TableState


def _in_json(kind: Any) -> Any:
    """A field's type in JSON, which has no tuples; a pair is a list of two."""
    if get_origin(kind) is not tuple:
        return kind
    item, *others = get_args(kind)
    if others == [...]:
        return list[item]  # type: ignore[valid-type]
    length = 1 + len(others)
    return Annotated[list[item], Field(min_length=length, max_length=length)]  # type: ignore[valid-type]


def _rule_set_answer() -> type[_RuleSet]:
    kinds = get_type_hints(RuleSet)
    fields: dict[str, Any] = {name: (_in_json(kinds[name]), ...) for name in FIELDS}
    return create_model("RuleSetAnswer", __base__=_RuleSet, __doc__=_RuleSet.__doc__, **fields)


RuleSetAnswer = _rule_set_answer()
RuleSetList = create_model("RuleSetList", __base__=Answer, rules=(list[RuleSetAnswer], ...))  # type: ignore[valid-type]


class SeatAnswer(Answer):
    player: Literal["person", "computer"]
    name: str
    level: str | None
    taken: bool


class Seats(Answer):
    first: SeatAnswer
    second: SeatAnswer


class PlayedMove(Answer):
    move: str
    board: Board


class PlayedMoves(Answer):
    from_: Annotated[int, Field(alias="from")]
    list: list[PlayedMove]


class OutcomeAnswer(Answer):
    winner: SeatName | None
    reason: str
    result: str
    lines: list[list[str]]


class UndoRequestAnswer(Answer):
    seat: SeatName
    ply: int


class ThinkingAnswer(Answer):
    seat: SeatName
    level: str
    remark: str | None


class EventAnswer(Answer):
    action: str
    seat: SeatName


class GameAnswer(Answer):
    """A game as the client may see it."""

    id: str
    number: int
    created: str
    changed: str
    rules: str
    visibility: Visibility
    hidden: bool
    touch_move: bool
    ply_limit: int | None
    seats: Seats
    between_people: bool
    start: Board
    board: Board
    ply: int
    turn: SeatName
    moves: PlayedMoves
    last_move: str | None
    legal: list[str]
    dangerous: list[str]
    touched: str | None
    draw_offer: SeatName | None
    undo_request: UndoRequestAnswer | None
    can_undo: bool
    can_redo: bool
    outcome: OutcomeAnswer | None
    text: str
    thinking: ThinkingAnswer | None
    rematch: str | None
    rematch_offers: list[SeatName]
    event: EventAnswer | None
    expires: str | None
    """When the server deletes the game, unless something happens in it."""
    you: list[SeatName]


class CreatedGame(Answer):
    game: GameAnswer
    tokens: dict[SeatName, str]
    invitations: dict[SeatName, str]


class JoinedGame(Answer):
    game: GameAnswer
    tokens: dict[SeatName, str]


class InvitationAnswer(Answer):
    invitations: dict[SeatName, str]


class PeekAnswer(Answer):
    square: str
    stack: list[str]
    number: int


class StudyMove(Answer):
    move: str
    value: Value | None
    distance: int | None
    score: int | None
    chance: float | None
    dangerous: bool
    words: str | None
    line: list[str]
    after: str


class StudyAnswer(Answer):
    """A position with its moves, the best first, for the player to move."""

    rules: str
    board: Board
    outcome: OutcomeAnswer | None
    text: str
    words: str | None
    exact: bool
    value: Value | None
    distance: int | None
    score: int | None
    chance: float | None
    depth: int | None
    nodes: int | None
    seconds: float | None
    moves: list[StudyMove]
    table: TableState


class Judgement(Answer):
    value: Value | None
    distance: int | None
    score: int | None
    depth: int | None
    chance: float


class ReviewedMoveAnswer(Answer):
    number: int
    seat: SeatName
    move: str
    board: Board
    before: Judgement
    after: Judgement
    thrown_away: Literal["win", "draw", "plies"] | None
    plies_lost: int
    chance_lost: float
    mark: Literal["", "?!", "?", "??"]
    best: list[str]
    best_line: list[str]


class ReviewAnswer(Answer):
    rules: str
    start: Board
    exact: bool
    result: str
    count: int
    moves: list[ReviewedMoveAnswer]


class CheckAnswer(Answer):
    problem: str | None
    game: str | None


class GettingReady(Answer):
    part: Literal["rules", "search"]
    remark: str


class StatusAnswer(Answer):
    version: str
    instance: str
    """A random word that this process goes by."""
    getting_ready: GettingReady | None
    """What is still being compiled on the first start; games or study are refused until then."""
    tables: dict[str, TableState]
    limits: dict[str, float]
    games: int
    watchers: int


class HealthAnswer(Answer):
    status: Literal["ok"]
    version: str


class ErrorDetails(BaseModel):
    code: str
    message: str
    number: int | SkipJsonSchema[None] = None
    """The game's current number, if the action answered an older one."""
    game: str | SkipJsonSchema[None] = None
    """The running game because of which study is refused."""


class ErrorAnswer(BaseModel):
    """Why something was refused: a word for programs, a sentence for people."""

    error: ErrorDetails


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The part of the OpenAPI document that lists an operation's error responses."""
    always = (400, 404, 405, 413, 415, 421, 422, 429, 503)
    return {status: {"model": ErrorAnswer} for status in sorted({*always, *statuses})}
