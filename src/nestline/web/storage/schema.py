"""The tables of the database. The log of a game's actions is append-only.

A game is its setup and its actions in order; everything else follows from replaying them. The
other columns are those that queries across games need. Schema changes are migrations in
`migrations/`; a test checks that they lead to this schema.
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
"""Custom rule sets, under names made from their content."""

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
"""`number` is the number of the next action. Incrementing it is what stores the action (optimistic
locking).

`waiting` says that the computer has something to do; the lease says which process does it.
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
"""Hashes of the secrets: the token that holds the seat, an invitation to it, and the browser it
was taken in."""

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

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("owner", String(40), primary_key=True),
    Column("at", Float, nullable=False),
)
"""When each process last tried whether it can write."""

usage = Table(
    "usage",
    metadata,
    Column("client", String(64), primary_key=True),
    Column("bytes", Float, nullable=False),
    Column("at", Float, nullable=False),
)
"""What clients had stored within a day at a time, under the hashes of their addresses."""

salts = Table(
    "salts",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(64), nullable=False),
)
"""Random texts shared by all processes and mixed into the hashes of client addresses."""
