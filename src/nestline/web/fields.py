"""The kinds of text and numbers that clients may send, and the base of everything they are made of.

Only the form is checked here; what a text means is asked of the library.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from nestline.web.access.tokens import LONGEST_SECRET

LONGEST_RECORD = 32_768
MOST_PLIES = 10_000

Json = dict[str, Any]
"""A JSON object."""


class Model(BaseModel):
    """Unknown fields are refused: they are misspelled ones."""

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
Visibility = Literal["open", "peek", "memory"]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
