"""Every statement that reads from or writes to the database.

Each function takes an open connection; `store` calls it in the right thread. `games.actions` says
what the stored actions mean.
"""

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from nestline.web.games.actions import read_action
from nestline.web.games.online_game import StoredAction, StoredGame, StoredSeat
from nestline.web.games.store import Holders, NewAction, NewStoredGame, SeatClaim
from nestline.web.storage.schema import actions, games, heartbeats, rule_sets, salts, seats

CHANNEL = "nestline_games"
"""The PostgreSQL channel that announces changed games."""
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
_NUMBER = select(games.c.number).where(games.c.id == bindparam("game"))
_RAISE = (
    update(games)
    .where(games.c.id == bindparam("game"), games.c.number == bindparam("expected"))
    .values(
        number=games.c.number + 1,
        over=bindparam("new_over"),
        waiting=bindparam("new_waiting"),
        between_people=bindparam("new_between_people"),
        lease_owner=bindparam("new_owner"),
        lease_until=bindparam("new_until"),
        changed=bindparam("now"),
    )
)
_ADD = insert(actions)
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:creator, 0))")
_NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', :payload)")


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
        insert(games),
        {
            "id": game.id, "rules": game.rules, "setup": _json(game.setup), "number": 0,
            **flags._asdict(), "creator": game.creator, "created": game.created,
            "changed": game.created,
            "lease_owner": lease.owner if flags.waiting else None,
            "lease_until": lease.until if flags.waiting else None,
        },
    )  # fmt: skip
    connection.execute(
        insert(seats),
        [{"game": game.id, "side": side, **seat._asdict()} for side, seat in enumerate(game.seats)],
    )


class SomeAreLate(Exception):
    """Some of several actions came too late: roll back and try each alone."""


def add_actions(connection: Connection, new: Sequence[tuple[NewAction, Lease]]) -> bool:
    """Add actions to different games at once, at little more than the cost of one.

    False if there is only one action and its game's number has changed.
    """
    raised = connection.execute(_RAISE, [_raising(*each) for each in new])
    if raised.rowcount != len(new):
        if len(new) > 1:
            raise SomeAreLate
        return False
    connection.execute(
        _ADD,
        [
            {"game": action.game, "number": action.number, "entry": _json(action.action.to_json()),
             "at": action.at}
            for action, _lease in new
        ],
    )  # fmt: skip
    if connection.dialect.name == "postgresql":
        told = " ".join(f"{action.game} {action.number + 1}" for action, _lease in new)
        connection.execute(_NOTIFY, {"payload": told})
    return True


def _raising(action: NewAction, lease: Lease) -> dict[str, Any]:
    flags = action.flags
    return {
        "game": action.game, "expected": action.number, "new_over": flags.over,
        "new_waiting": flags.waiting, "new_between_people": flags.between_people,
        "new_owner": lease.owner if flags.waiting else None,
        "new_until": lease.until if flags.waiting else None, "now": action.at,
    }  # fmt: skip


def heard_changes(payload: str) -> list[tuple[str, int]]:
    """The games and their new numbers in a notification sent by `add_actions`."""
    words = payload.split()
    pairs = zip(words[::2], words[1::2], strict=False)
    return [(game, int(number)) for game, number in pairs if number.isdecimal()]


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
    is_lately = games.c.changed > time.time() - ABANDONED_SECONDS
    counted = select(func.count()).where(games.c.creator == creator, ~games.c.over, is_lately)
    return connection.execute(counted).scalar_one()


def game_that_forbids_study(
    connection: Connection, visitor: str | None, holders: frozenset[str], since: float
) -> str | None:
    """A running game between people in which this browser, or one of these tokens, plays."""
    # Without a cookie nothing may match, not even the NULL of a seat nobody has taken.
    is_player = or_(seats.c.visitor == (visitor or "-"), seats.c.holder.in_(sorted(holders)))
    found = (
        select(games.c.id)
        .join(seats, seats.c.game == games.c.id)
        .where(is_player, games.c.between_people, ~games.c.over, games.c.changed > since)
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
    connection.execute(
        update(games)
        .where(games.c.lease_owner == lease.owner, games.c.waiting)
        .values(lease_until=lease.until)
    )  # fmt: skip


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
