"""Every statement that reads from or writes to the database.

Each function takes an open connection; `store` calls it in the right thread. `games.actions` says
what the stored actions mean.
"""

import json
import re
import secrets
import sqlite3
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from nestline.web.games.actions import read_action
from nestline.web.games.online_game import StoredAction, StoredGame, StoredSeat
from nestline.web.games.store import Announcement, Holders, NewAction, NewStoredGame, SeatClaim
from nestline.web.storage.schema import actions, games, heartbeats, rule_sets, salts, seats, usage

CHANNEL = "nestline_games"
"""The PostgreSQL channel that announces changed games."""
ACTIONS_IN_A_NOTIFICATION, LONGEST_TOLD = 40, 190
"""PostgreSQL takes at most 8,000 bytes. A longer action is read from the database."""
_TOLD = re.compile(r"(\S+) (\d+)(?: ([\d.e+]+) (\{.*\}))?")
"""A line of a notification: a game, its new number, and mostly the time and the action."""
DELETED_AT_ONCE = 200
ABANDONED_SECONDS = 3600.0
"""After so long without an action, a game does not count as open any more."""
HEARTBEATS_KEPT = 86_400.0


class Lease(NamedTuple):
    """Which process makes the computer's moves in a game, and until when."""

    owner: str
    until: float


# Built once: SQLAlchemy takes longer to build a statement than the database to run it.
_GAME = select(games).where(games.c.id == bindparam("game"))
_SEATS = select(seats).where(seats.c.game == bindparam("game")).order_by(seats.c.side)
_ACTIONS = (
    select(actions.c.number, actions.c.entry, actions.c.at)
    .where(actions.c.game == bindparam("game"), actions.c.number >= bindparam("since"))
    .order_by(actions.c.number)
)
_OPEN_GAMES = select(func.count()).where(
    games.c.creator == bindparam("by"), ~games.c.over, games.c.changed > bindparam("since")
)
_ADD_GAME, _ADD_SEATS = insert(games), insert(seats)
_NUMBER = select(games.c.number).where(games.c.id == bindparam("game"))
# The statements that store actions, as the drivers take them.
_RAISE_ONE = (
    "UPDATE games SET number = number + 1, over = ?, waiting = ?, between_people = ?, "
    "lease_owner = ?, lease_until = ?, changed = ? WHERE id = ? AND number = ?"
)
_ADD_ONE = "INSERT INTO actions (game, number, entry, at) VALUES (?, ?, ?, ?)"
# For PostgreSQL one statement with all actions of a transaction as a JSON array: after every
# message to the database this thread waits for the interpreter lock, and others for its rows.
# Rows are locked in one order by all processes, so that no two wait for each other. The ids are
# given a second time, as an array: for a join, PostgreSQL would read the whole table.
_ADD_ALL = f"""
    WITH new AS (
        SELECT * FROM jsonb_to_recordset(CAST(%(rows)s AS jsonb)) AS new(
            game text, number integer, entry text, at double precision, over boolean,
            waiting boolean, between_people boolean, lease_owner text, lease_until double precision,
            told text
        )
    ), locked AS (
        SELECT id FROM games WHERE id = ANY(%(games)s) ORDER BY id FOR NO KEY UPDATE
    ), raised AS (
        UPDATE games SET number = games.number + 1, over = new.over, waiting = new.waiting,
            between_people = new.between_people, lease_owner = new.lease_owner,
            lease_until = new.lease_until, changed = new.at
        FROM new JOIN locked ON locked.id = new.game
        WHERE games.id = ANY(%(games)s) AND games.id = locked.id AND games.number = new.number
        RETURNING games.id, new.told
    ), added AS (
        INSERT INTO actions (game, number, entry, at)
        SELECT game, number, entry, at FROM new WHERE game IN (SELECT id FROM raised)
    ), notification AS (
        SELECT string_agg(told, E'\\n') AS told
        FROM (SELECT told, row_number() OVER () / {ACTIONS_IN_A_NOTIFICATION} AS part FROM raised)
            AS numbered
        GROUP BY part
    )
    SELECT (SELECT array_agg(id) FROM raised), count(pg_notify('{CHANNEL}', told))
    FROM notification
"""
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:creator, 0))")


def load_game(connection: Connection, game: str, since: int = 0) -> StoredGame | None:
    """A game with its actions from number `since` on."""
    row = connection.execute(_GAME, {"game": game}).one_or_none()
    if row is None:
        return None
    found = connection.execute(_SEATS, {"game": game}).all()
    if len(found) != 2:
        return None  # It has just been deleted.
    first, second = (StoredSeat(seat.holder, seat.invitation, seat.visitor) for seat in found)
    entries = connection.execute(_ACTIONS, {"game": game, "since": since})
    # The row was read first: leave an action added in between to the next read.
    done = [
        StoredAction(number, read_action(json.loads(entry)), at) for number, entry, at in entries
    ]
    return StoredGame(
        row.id, row.rules, json.loads(row.setup), row.creator, row.number, row.created, row.changed,
        (first, second), tuple(action for action in done if action.number < row.number),
    )  # fmt: skip


def number_of(connection: Connection, game: str) -> int | None:
    return connection.execute(_NUMBER, {"game": game}).scalar_one_or_none()


def add_game(connection: Connection, new: NewStoredGame, lease: Lease) -> None:
    """A new game in which nothing has happened."""
    game, flags = new
    connection.execute(
        _ADD_GAME,
        {
            "id": game.id, "rules": game.rules, "setup": _json(game.setup), "number": 0,
            **flags._asdict(), "creator": game.creator, "created": game.created,
            "changed": game.created,
            "lease_owner": lease.owner if flags.waiting else None,
            "lease_until": lease.until if flags.waiting else None,
        },
    )  # fmt: skip
    connection.execute(
        _ADD_SEATS,
        [{"game": game.id, "side": side, **seat._asdict()} for side, seat in enumerate(game.seats)],
    )


class SomeAreLate(Exception):
    """Some of several actions came too late: roll back and try each alone."""


def add_actions(cursor: Any, new: Sequence[tuple[NewAction, Lease]]) -> frozenset[str]:
    """Add actions to different games at once, at little more than the cost of one.

    Called with a cursor of the driver, since SQLAlchemy takes longer than the database.

    Returns the games that had the right number; SQLite does not tell them apart, so there it is all
    or none, or `SomeAreLate`.
    """
    rows = [_row(*each) for each in new]
    if not isinstance(cursor, sqlite3.Cursor):
        given = {
            "rows": json.dumps(
                [
                    {**row._asdict(), "told": _told(row, each.action.seats_somebody)}
                    for row, (each, _lease) in zip(rows, new, strict=True)
                ]
            ),
            "games": [row.game for row in rows],
        }
        found = cursor.execute(_ADD_ALL, given).fetchone()
        return frozenset(found[0] or ())
    return _add_each(cursor, rows)


class _Row(NamedTuple):
    """An action, and the flags of its game afterwards."""

    game: str
    number: int
    entry: str
    at: float
    over: bool
    waiting: bool
    between_people: bool
    lease_owner: str | None
    lease_until: float | None


def _row(new: NewAction, lease: Lease) -> _Row:
    owner, until = lease if new.flags.waiting else (None, None)
    entry = _json(new.action.to_json())
    return _Row(new.game, new.number, entry, new.at, *new.flags, owner, until)


def _add_each(cursor: sqlite3.Cursor, rows: list[_Row]) -> frozenset[str]:
    raising = [(*row[4:], row.at, row.game, row.number) for row in rows]
    raised = cursor.executemany(_RAISE_ONE, raising).rowcount
    if raised != len(rows):
        if len(rows) > 1:
            raise SomeAreLate
        return frozenset()
    cursor.executemany(_ADD_ONE, [row[:4] for row in rows])
    return frozenset(row.game for row in rows)


def _told(row: _Row, seats_somebody: bool) -> str:
    """A line of a notification: a game and its new number, and if possible the action itself, so
    that other processes need not read it."""
    line = f"{row.game} {row.number + 1}"
    whole = f"{line} {row.at!r} {row.entry}"
    return line if seats_somebody or len(whole) > LONGEST_TOLD else whole


def heard_changes(payload: str) -> list[Announcement]:
    """What a notification sent by `add_actions` announces."""
    heard = []
    for line in payload.splitlines():
        if told := _TOLD.fullmatch(line):  # Another version may say it otherwise.
            game, number, at, entry = told.groups()
            read = partial(_heard_action, int(number) - 1, at, entry) if entry else None
            heard.append(Announcement(game, int(number), read))
    return heard


def _heard_action(number: int, at: str, entry: str) -> StoredAction:
    return StoredAction(number, read_action(json.loads(entry)), float(at))


def set_invitation(
    connection: Connection, game: str, side: int, invitation: str, holders: Holders
) -> bool:
    """Create an invitation to a seat; False unless the seats are held as the caller has seen."""
    other = seats.alias()
    is_as_seen = (
        select(other.c.game)
        .where(other.c.game == game, other.c.side == 1 - side)
        .where(other.c.holder.is_not_distinct_from(holders[1 - side]))
        .exists()
    )
    changed = connection.execute(
        update(seats)
        .where(seats.c.game == game, seats.c.side == side, is_as_seen)
        .where(seats.c.holder.is_not_distinct_from(holders[side]))
        .values(invitation=invitation)
    )
    return changed.rowcount == 1


def take_seat(connection: Connection, game: str, claim: SeatClaim) -> bool:
    """Exchange an invitation for a seat; False if it is no longer valid."""
    side, invitation, holder, visitor = claim
    taken = connection.execute(
        update(seats)
        .where(seats.c.game == game, seats.c.side == side, seats.c.invitation == invitation)
        .values(holder=holder, invitation=None, visitor=visitor)
    )
    return taken.rowcount == 1


def lock_creator(connection: Connection, creator: str) -> None:
    """Make other processes wait before they count this client's games; SQLite has one writer."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"creator": creator})


def open_games_of(connection: Connection, creator: str) -> int:
    """How many unfinished games this client has created in which something happened lately."""
    given = {"by": creator, "since": time.time() - ABANDONED_SECONDS}
    return connection.execute(_OPEN_GAMES, given).scalar_one()


def game_that_forbids_study(
    connection: Connection, visitor: str | None, holders: frozenset[str], since: float,
    apart_from: str,
) -> str | None:  # fmt: skip
    """A running game between people, another one, in which this browser or token plays."""
    # Without a cookie nothing may match, not even the NULL of a seat nobody has taken.
    is_player = or_(seats.c.visitor == (visitor or "-"), seats.c.holder.in_(sorted(holders)))
    found = (
        select(games.c.id)
        .join(seats, seats.c.game == games.c.id)
        .where(is_player, games.c.between_people, ~games.c.over, games.c.changed > since)
        .where(games.c.id != apart_from)
        .limit(1)
    )
    return connection.execute(found).scalar_one_or_none()


# The computer's turn.


def waiting_games(connection: Connection, limit: int) -> list[str]:
    """Games in which the computer has something to do and whose lease has run out."""
    late = or_(games.c.lease_until.is_(None), games.c.lease_until < time.time())
    found = select(games.c.id).where(games.c.waiting, late).order_by(games.c.changed).limit(limit)
    return list(connection.execute(found).scalars())


def take_leases(connection: Connection, ids: list[str], lease: Lease) -> list[str]:
    """Lease games for this process; returns those no other process has leased meanwhile."""
    taken = []
    for game in sorted(ids):
        late = or_(games.c.lease_until.is_(None), games.c.lease_until < time.time())
        done = connection.execute(
            update(games)
            .where(games.c.id == game, games.c.waiting, late)
            .values(lease_owner=lease.owner, lease_until=lease.until)
        )
        if done.rowcount == 1:
            taken.append(game)
    return taken


def renew_leases(connection: Connection, lease: Lease) -> None:
    mine = games.c.lease_owner == lease.owner, games.c.waiting
    # Locked in the order in which actions lock them; SQLite has one writer and no such locks.
    locked = select(games.c.id).where(*mine).order_by(games.c.id).with_for_update()
    renewed = update(games).where(games.c.id.in_(locked)).values(lease_until=lease.until)
    connection.execute(renewed)


def end_all_leases(connection: Connection) -> None:
    """End every lease, for a process that has the database to itself."""
    connection.execute(update(games).where(games.c.waiting).values(lease_until=None))


# Rule sets, salts, clean-up.


def find_rule_set(connection: Connection, name: str) -> str | None:
    found = select(rule_sets.c.text).where(rule_sets.c.name == name)
    return connection.execute(found).scalar_one_or_none()


def keep_rule_set(connection: Connection, name: str, content: str) -> None:
    if not use_rule_set(connection, name):
        new = insert(rule_sets).values(name=name, text=content, created=time.time())
        _insert_if_new(connection, new)


def use_rule_set(connection: Connection, name: str) -> bool:
    """Keep a rule set from being cleaned for a while; False if it is gone already."""
    known = update(rule_sets).where(rule_sets.c.name == name).values(created=time.time())
    return connection.execute(known).rowcount == 1


def salt(connection: Connection, name: str) -> str:
    """The salt of that name, made on first use."""
    asked = select(salts.c.value).where(salts.c.name == name)
    found = connection.execute(asked).scalar_one_or_none()
    if found is None:
        value = secrets.token_hex(16)
        _insert_if_new(connection, insert(salts).values(name=name, value=value))
        found = connection.execute(asked).scalar_one()
    return str(found)


def beat(connection: Connection, owner: str) -> None:
    """Write something, to see whether anything can be written."""
    now = time.time()
    connection.execute(delete(heartbeats).where(heartbeats.c.at < now - HEARTBEATS_KEPT))
    known = update(heartbeats).where(heartbeats.c.owner == owner).values(at=now)
    if connection.execute(known).rowcount == 0:
        _insert_if_new(connection, insert(heartbeats).values(owner=owner, at=now))


def add_usage(connection: Connection, client: str, amount: float, rate: float) -> float:
    """Count what a client has stored; returns all of it, less `rate` for every second."""
    now = time.time()
    asked = select(usage).where(usage.c.client == client).with_for_update()
    found = connection.execute(asked).one_or_none()
    if found is None:
        _insert_if_new(connection, insert(usage).values(client=client, bytes=0.0, at=now))
        found = connection.execute(asked).one()
    total: float = max(0.0, found.bytes - rate * max(0.0, now - found.at)) + amount
    mine = update(usage).where(usage.c.client == client)
    connection.execute(mine.values(bytes=total, at=now))
    return total


def clean_usage(connection: Connection, before: float) -> None:
    connection.execute(delete(usage).where(usage.c.at < before))


def _insert_if_new(connection: Connection, statement: Any) -> None:
    """Insert a row; if another process has inserted it meanwhile, that is just as good."""
    try:
        with connection.begin_nested():
            connection.execute(statement)
    except IntegrityError:
        pass


def clean(connection: Connection, over: bool, before: float) -> list[str]:
    """Delete some games whose last action is older; returns the ids of the deleted ones."""
    old = and_(games.c.over == over, games.c.changed < before)
    some = select(games.c.id).where(old).limit(DELETED_AT_ONCE)
    # The condition is repeated, since an action may have been added in between. Seats and actions
    # go by cascade.
    gone = delete(games).where(games.c.id.in_(some), old).returning(games.c.id)
    return list(connection.execute(gone).scalars())


def clean_rule_sets(connection: Connection, before: float) -> None:
    """Delete rule sets that no game uses and nobody has sent lately."""
    used = select(games.c.id).where(games.c.rules == rule_sets.c.name).exists()
    connection.execute(delete(rule_sets).where(and_(rule_sets.c.created < before, ~used)))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))
