"""What clients may send, field by field; the OpenAPI document is made from these classes.

Only the form is checked here: what a text means is asked of the library, and who may do what is
decided in `actions`. What the server sends is described in `answers`.
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from nestline.web.access.tokens import LONGEST_SECRET

LONGEST_RECORD = 32_768
MOST_PLIES = 10_000


class Model(BaseModel):
    """Fields that are not known are refused: they are misspelled ones."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _storable(text: str) -> str:
    """No database takes these characters, and nobody types them."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("characters that are no text are not allowed")
    return text


def _printable(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("a name has printable characters, and not only blanks")
    return " ".join(text.split())


Text = Annotated[str, AfterValidator(_storable)]
Short = Annotated[Text, Field(min_length=1, max_length=40)]
Name = Annotated[Text, Field(min_length=1, max_length=40), AfterValidator(_printable)]
PositionText = Annotated[Text, Field(min_length=1, max_length=300)]
RecordText = Annotated[Text, Field(min_length=1, max_length=LONGEST_RECORD)]
Secret = Annotated[Text, Field(min_length=1, max_length=LONGEST_SECRET)]
SeatName = Literal["first", "second"]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class CustomRules(Model):
    """A rule set of your own, as the text of its TOML file."""

    toml: Text


class SeatChoice(Model):
    """Who plays a side: whoever creates the game, a person with the invitation, the computer."""

    player: Literal["here", "link", "computer"] = "here"
    name: Name | None = None
    level: Short | None = None


class SeatChoices(Model):
    first: SeatChoice = SeatChoice()
    second: SeatChoice = SeatChoice()


class NewGame(Model):
    """A game to be created; everything has a default."""

    rules: Short | CustomRules | None = None
    seats: SeatChoices = SeatChoices()
    visibility: Literal["open", "peek", "memory"] | None = None
    touch_move: bool | None = None
    ply_limit: Annotated[int, Field(ge=1, le=MOST_PLIES)] | None = None
    position: PositionText | None = None
    record: RecordText | None = None


class Joining(Model):
    invitation: Secret
    name: Name | None = None


class Inviting(Model):
    seat: SeatName


class Peeking(Model):
    square: Short
    seat: SeatName | None = None


class Reviewing(Model):
    record: RecordText


class Checking(Model):
    """Something typed or pasted: a record, or a position of a rule set and moves from there."""

    record: RecordText | None = None
    rules: Short | None = None
    position: RecordText = "start"
    moves: Annotated[list[Short], Field(max_length=MOST_PLIES)] = []


class _Action(Model):
    number: Number
    """The number of the game that this answers."""
    seat: SeatName | None = None


class MoveAction(_Action):
    action: Literal["move"]
    move: Short


class SquareAction(_Action):
    action: Literal["touch", "land"]
    square: Short


class PlainAction(_Action):
    action: Literal[
        "resign", "offer-draw", "accept-draw", "decline-draw", "accept-undo", "decline-undo",
        "take-over", "rematch",
    ]  # fmt: skip


class UndoAction(_Action):
    action: Literal["undo", "redo", "ask-undo"]
    ply: Ply | None = None


class HandOverAction(_Action):
    action: Literal["hand-over"]
    level: Short


Action = Annotated[
    MoveAction | SquareAction | PlainAction | UndoAction | HandOverAction,
    Field(discriminator="action"),
]


# Messages on the WebSocket.

Ask = Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[Text, Field(max_length=100)] | None
GameId = Annotated[str, Field(min_length=1, max_length=20)]


class _Message(Model):
    ask: Ask = None


class Watch(_Message):
    type: Literal["watch"]
    game: GameId
    tokens: Annotated[list[Secret], Field(max_length=2)] = []


class Leave(_Message):
    type: Literal["leave"]
    game: GameId


class Peek(_Message):
    type: Literal["peek"]
    game: GameId
    square: Short
    seat: SeatName | None = None


class Analyse(_Message):
    type: Literal["analyse"]
    rules: Short
    position: PositionText = "start"
    moves: Annotated[list[Short], Field(max_length=MOST_PLIES)] = []
    variations: Annotated[int, Field(ge=1, le=500)] = 1
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None


class Review(_Message):
    type: Literal["review"]
    record: RecordText


class Stop(_Message):
    type: Literal["stop"]
    stops: Ask = None


class Ping(_Message):
    type: Literal["ping"]


Message = Annotated[
    Watch | Leave | Peek | Analyse | Review | Stop | Ping, Field(discriminator="type")
]

KINDS = frozenset(
    kind
    for model in (*get_args(get_args(Message)[0]), *get_args(get_args(Action)[0]))
    for name in ("type", "action")
    if name in model.model_fields
    for kind in get_args(model.model_fields[name].annotation)
)
"""What tells messages and actions apart."""

read_message: TypeAdapter[Any] = TypeAdapter(Message)
read_action: TypeAdapter[Any] = TypeAdapter(Action)
