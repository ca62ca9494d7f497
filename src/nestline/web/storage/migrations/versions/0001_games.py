"""The first schema: games, their seats and actions, and custom rule sets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rule_sets",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    games = op.create_table(
        "games",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("waiting", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("between_people", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("lease_owner", sa.String(40)),
        sa.Column("lease_until", sa.Float),
        sa.Column("creator", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    waiting, going_on = games.c.waiting, ~games.c.over
    op.create_index("games_waiting", "games", ["lease_until"],
                    sqlite_where=waiting, postgresql_where=waiting)  # fmt: skip
    op.create_index("games_creator", "games", ["creator"],
                    sqlite_where=going_on, postgresql_where=going_on)  # fmt: skip
    op.create_index("games_changed", "games", ["changed"])
    op.create_index("games_rules", "games", ["rules"])
    op.create_table(
        "seats",
        sa.Column(
            "game", sa.String(20), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("side", sa.Integer, primary_key=True),
        sa.Column("holder", sa.String(64)),
        sa.Column("invitation", sa.String(64)),
        sa.Column("visitor", sa.String(64)),
    )
    op.create_index("seats_visitor", "seats", ["visitor"])
    op.create_index("seats_holder", "seats", ["holder"])
    op.create_table(
        "actions",
        sa.Column(
            "game", sa.String(20), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "salts",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    for table in ("salts", "actions", "seats", "games", "rule_sets"):
        op.drop_table(table)
