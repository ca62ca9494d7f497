"""The tables of the database. The log of a game's actions is append-only.

A game is its setup and its actions in order; everything else about it follows by replaying them.
The columns beside them are what has to be asked of many games at once. Changes of the schema are
steps in `migrations/`, which a test holds to this description.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

rule_sets = Table(
    "rule_sets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("text", Text, nullable=False),
    Column("created", Float, nullable=False),
)
"""Rule sets that were sent along, under names made from their content."""

games = Table(
    "games",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("rules", String(40), nullable=False),
    Column("setup", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("over", Boolean, nullable=False, server_default=false()),
    Column("waiting", Boolean, nullable=False, server_default=false()),
    Column("between_people", Boolean, nullable=False, server_default=false()),
    Column("lease_owner", String(40)),
    Column("lease_until", Float),
    Column("creator", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
)
"""`number` is that of the next action. Whoever increments it has stored the action (optimistic
locking).

`waiting` says that the computer has to do something, and the lease which process is at it.
"""

Index("games_waiting", games.c.lease_until, sqlite_where=games.c.waiting,
      postgresql_where=games.c.waiting)  # fmt: skip
Index("games_creator", games.c.creator, sqlite_where=~games.c.over, postgresql_where=~games.c.over)
Index("games_changed", games.c.changed)
Index("games_rules", games.c.rules)

seats = Table(
    "seats",
    metadata,
    Column("game", String(20), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("holder", String(64)),
    Column("invitation", String(64)),
    Column("visitor", String(64)),
)
"""Hashes of the secrets: of the token that holds the seat, of an invitation to it, and of the
browser it was taken in."""

Index("seats_visitor", seats.c.visitor)
Index("seats_holder", seats.c.holder)

actions = Table(
    "actions",
    metadata,
    Column("game", String(20), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("entry", Text, nullable=False),
    Column("at", Float, nullable=False),
)
"""What happened, in order; `entry` is the JSON of an action."""

salts = Table(
    "salts",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(64), nullable=False),
)
"""Random texts that all processes share, mixed into hashes of client addresses."""
