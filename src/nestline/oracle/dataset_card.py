"""The card of a dataset: what the files contain, for people who find them."""

from collections.abc import Mapping
from textwrap import dedent

from nestline import __version__
from nestline.rules import RuleSet

VALUES = {1: "win", 0: "draw", -1: "loss"}


def card(
    rules: RuleSet, actions: int, rows: Mapping[str, int],
    counts: Mapping[tuple[int, int], int], *, test: float, seed: int,
) -> str:  # fmt: skip
    """The page; `counts` are the numbers of positions by value and distance."""
    total = sum(rows.values())
    files = "\n".join(f"| `{split}.parquet` | {count:,} |" for split, count in rows.items())
    shares = "\n".join(
        f"| {name} | {found:,} | {found / total:.1%} |"
        for value, name in VALUES.items()
        for found in [sum(count for (worth, _), count in counts.items() if worth == value)]
    )
    at_once = sum(count for (value, plies), count in counts.items() if (value, plies) == (1, 1))
    longest = max(plies for _, plies in counts)
    head = f"""
        ---
        license: mit
        pretty_name: Solved positions of {rules.title}
        ---

        # Solved positions of {rules.title} (`{rules.name}`)

        Positions that can be reached by legal play and in which the game goes on, with what the
        player to move achieves when both sides play perfectly. Each position appears once up to
        the eight symmetries of the board and the exchange of colours. Made by nestline
        {__version__}, `nestline dataset {rules.name} --positions {total} --test {test} --seed
        {seed}`.
        """
    split = f"""
        A hash of the position decides about the split, so that {test:.0%} of all positions belong
        to the test file. No symmetric image of a test position is in the training file, and any
        other sample has the same split.

        | column | type | means |
        |---|---|---|
        | `position` | string | in the notation of nestline; where pieces move, the first player's turn |
        | `own`, `opp` | int64 | bitboards of the player to move and of the other one |
        | `value` | int8 | 1: the player to move wins, 0: a draw, -1: loses |
        | `distance` | int16 | plies to the end by best play of both; null for a draw |
        | `best` | list of int16 | the best actions: of those with the best value, the fastest wins, the slowest losses |
        | `action_values` | {actions} int8 | the value of each action to the player to move; -2: illegal |

        Values ignore the history of the game: a draw by repetition is a draw by endless play.
        Positions are not weighted by how often people meet them: {at_once / total:.1%} are won
        in one move. The longest distance is {longest} plies.
        """  # noqa: E501
    reading = f"""
        Observations for a network, the same as those of nestline's environments:

        ```python
        import pyarrow.parquet
        from nestline.oracle import observe
        from nestline.rules import load_rules

        table = pyarrow.parquet.read_table("train.parquet")
        owns, opps = (table[name].to_numpy() for name in ("own", "opp"))
        planes = observe(owns, opps, load_rules("{rules.name}"))    # (n, planes, board, board)
        ```
        """
    parts = [
        dedent(head).strip(),
        f"| file | positions |\n|---|---|\n{files}",
        dedent(split).strip(),
        f"| value | positions | share |\n|---|---|---|\n{shares}",
        dedent(reading).strip(),
    ]
    return "\n\n".join(parts) + "\n"
