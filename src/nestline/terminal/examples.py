"""The examples that every `--help` ends with."""

import textwrap

from nestline.terminal.width import screen_width

EXAMPLES = {
    "nestline": (
        "nestline",
        "nestline play --rules gobblers --people 1 --level easy",
        "nestline analyse game.txt",
    ),
    "nestline play": (
        "nestline play",
        "nestline play --rules tictactoe --people 1 --level hard",
        "nestline play --rules gobblet --people 2",
        "nestline play --load game.txt",
    ),
    "nestline site": (
        "nestline site public",
        "nestline site public --base /games/ --server https://games.example",
    ),
    "nestline report": ("nestline report", "nestline report --json"),
    "nestline rules": ("nestline rules list", "nestline rules show gobblet"),
    "nestline rules list": ("nestline rules list", "nestline rules list --json"),
    "nestline rules show": ("nestline rules show gobblet", "nestline rules show ./mine.toml"),
    "nestline rules check": ("nestline rules check mine.toml",),
    "nestline rules new": (
        "nestline rules new",
        "nestline rules new --like gobblers --stock 3,3,3 -o mine.toml",
    ),
    "nestline perft": (
        "nestline perft gobblers 4",
        'nestline perft gobblers 3 --position "x3/x,b1w3,x/w2,x2 b" --divide',
    ),
    "nestline picture": (
        'nestline picture "x3/x,b1w3,x/w2,x2 b"',
        "nestline picture start --rules gobblet --output board.svg",
    ),
    "nestline solve": ("nestline solve tictactoe", "nestline solve gobblers --stats"),
    "nestline tables": ("nestline tables list", "nestline tables build gobblers"),
    "nestline tables list": ("nestline tables list",),
    "nestline tables build": ("nestline tables build", "nestline tables build gobblers"),
    "nestline tables verify": ("nestline tables verify", "nestline tables verify gobblers --full"),
    "nestline probe": (
        'nestline probe gobblers "x3/x,b1w3,x/w2,x2 b"',
        "nestline probe tictactoe start --json",
    ),
    "nestline analyse": (
        "nestline analyse gobblet --seconds 10",
        'nestline analyse gobblers "x3/x,b1w3,x/w2,x2 b" --lines 5',
        "nestline analyse game.txt",
    ),
    "nestline prove": (
        "nestline prove gobblers --within 5",
        'nestline prove gobblet "x4/w4,b4,x2/w4,x,b4,x/w4,b4,x2 w" --within 3',
    ),
    "nestline atlas": (
        "nestline atlas grid.toml --output atlas.csv",
        "nestline atlas grid.toml --device cuda --page atlas.md",
        "nestline atlas grid.toml --ray=auto",
    ),
    "nestline openings": (
        "nestline openings show gobblet",
        "nestline openings make gobblet --nodes 1000000",
    ),
    "nestline openings show": (
        "nestline openings show gobblet",
        "nestline openings show gobblet 4a1 --json",
    ),
    "nestline openings make": (
        "nestline openings make gobblet --nodes 1000000 --games 100",
        "nestline openings make gobblet --threads 16 --output mine.json",
    ),
    "nestline puzzles": (
        "nestline puzzles gobblers --count 20",
        "nestline puzzles gobblet --count 200 --output gobblet.json",
        "nestline puzzles gobblet --check gobblet.json",
        "nestline puzzles gobblet --grade gobblet.json --output graded.json",
    ),
    "nestline match": (
        "nestline match hard easy --rules gobblers --games 20",
        "nestline match engine:nodes=20000 engine:nodes=10000 --sprt 0,10",
        "nestline match engine greedy --openings openings.txt --records games.txt",
    ),
    "nestline tournament": (
        "nestline tournament ladder.toml --output games",
        "nestline tournament ladder.toml --records games.txt",
    ),
    "nestline leaderboard": (
        "nestline leaderboard --rules gobblers --levels 1,4,7",
        "nestline leaderboard --policy mine=my_agent:choose -o leaderboard.md",
    ),
    "nestline dataset": (
        "nestline dataset gobblers",
        "nestline dataset tictactoe --test 0.2 --output tictactoe-data",
    ),
    "nestline train-eval": (
        "nestline train-eval gobblet --output gobblet.npz",
        "nestline train-eval gobblers --rounds 1 --games 200 --nodes 100",
    ),
    "nestline ugi": ("nestline ugi", 'nestline match hard "ugi:nestline ugi"'),
    "nestline web": ("nestline web --port 8080", "nestline web --database games.sqlite"),
}
"""For each command by its full name, lines to type."""


def examples_of(path: str) -> str:
    """The examples of a command as click's `epilog`, wrapped between words on a narrow screen."""
    width = screen_width() - 4
    lines = [
        f"  {line}"
        for example in EXAMPLES[path]
        for line in textwrap.wrap(example, width, subsequent_indent="  ", break_long_words=False)
    ]
    # \b keeps click from joining the lines.
    return "\n".join(["\b", "Examples:", *lines])
