"""What the server sends, field by field, for the OpenAPI document.

The answers themselves are made in `views` and `study`; tests hold them to these classes.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nestline.web.http.requests import SeatName

Value = Literal["win", "draw", "loss"]


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Board(Answer):
    """A position; while covered pieces are secret, the tops of its stacks only."""

    text: str
    turn: SeatName
    stacks: dict[str, list[str]]
    reserves: dict[SeatName, list[int]]


class TableState(Answer):
    state: Literal["ready", "building", "none"]
    part: float
    remark: str | None


class RuleSetAnswer(Answer):
    """A rule set: its fields, and what a client needs to offer it."""

    name: str
    custom: bool
    title: str
    summary: str
    board: int
    line: int
    stock: list[int]
    reserve: str
    place_onto: str
    moving: bool
    same_square: bool
    both_lines: str
    no_move: str
    repetition: int
    draw_all_placed: bool
    draw_board_full: bool
    draw_agreement: bool
    touch_move: bool
    peek: bool
    visibility: Literal["open", "peek", "memory"]
    person_begins: bool
    take_back_after_end: bool
    players: list[str]
    symbols: list[str]
    labels: str
    colours: list[str]
    sources: dict[str, str]
    squares: list[str]
    line_squares: list[list[str]]
    start: Board
    levels: list[str]
    visibilities: list[str]
    table: TableState


class RuleSetList(Answer):
    rules: list[RuleSetAnswer]


class SeatAnswer(Answer):
    player: Literal["person", "computer"]
    name: str
    level: str | None
    taken: bool


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
    """A game as the asker may see it."""

    id: str
    number: int
    created: str
    changed: str
    rules: str
    visibility: Literal["open", "peek", "memory"]
    hidden: bool
    touch_move: bool
    ply_limit: int | None
    seats: dict[SeatName, SeatAnswer]
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


class StatusAnswer(Answer):
    version: str
    tables: dict[str, TableState]
    limits: dict[str, float]
    games: int
    watchers: int


class HealthAnswer(Answer):
    status: Literal["ok"]
    version: str


class ErrorFacts(BaseModel):
    code: str
    message: str
    number: int | None = None


class ErrorAnswer(BaseModel):
    """Why something was refused: a word for programs, a sentence for people."""

    error: ErrorFacts


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The part of the OpenAPI document that names an operation's refusals."""
    always = (400, 404, 405, 413, 415, 422, 429, 503)
    return {status: {"model": ErrorAnswer} for status in sorted({*always, *statuses})}
