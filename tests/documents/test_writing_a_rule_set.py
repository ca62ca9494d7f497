"""The examples of docs/program/writing-a-rule-set.md are loaded, checked and played as written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from nestline import Game, IllegalMove, RuleSetError, load_rules
from nestline.engine.players.levels import make_player

DOCUMENT = Path(__file__).parents[2] / "docs" / "program" / "writing-a-rule-set.md"


def blocks(language: str) -> list[str]:
    """The code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.M | re.S)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the document's files, as the current folder."""
    for text in blocks("toml"):
        name = text.removeprefix("# ").partition(":")[0]
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_fields_of_the_example() -> None:
    """The rule set has what the file says; the rest is inherited."""
    rules, parent = load_rules("./wide-gobblers.toml"), load_rules("gobblers")
    assert (rules.board, rules.line, rules.stock) == (4, 4, (4, 3, 2))
    assert rules.players == ("Sun", "Moon")
    assert rules.sources["board"] == "my table is large"
    assert rules.sources["line"] == "./wide-gobblers.toml"
    written = {"title", "summary", "board", "line", "stock", "draw_agreement", "players",
               "symbols", "colours"}  # fmt: skip
    changed = {key for key, value in rules.fields().items() if value != parent.fields()[key]}
    assert changed == written
    assert all(
        rules.sources[key] == parent.sources[key] for key in parent.fields().keys() - written
    )


def test_game_of_the_example() -> None:
    """The Python block runs and says who won."""
    (program,) = blocks("python")
    exec(compile(program, str(DOCUMENT), "exec"), {})


def test_inheriting_from_an_own_file() -> None:
    """The second file takes the board from the first and lets nothing move."""
    rules = load_rules("./still-gobblers.toml")
    assert (rules.board, rules.moving, rules.repetition, rules.no_move) == (4, False, 0, "draw")
    game = Game("./still-gobblers.toml")
    game.play("1a1")
    game.play("2a1")
    with pytest.raises(IllegalMove, match="do not move in still-gobblers"):
        game.play("a1a2")


@pytest.mark.parametrize("name", ["wide-gobblers", "still-gobblers"])
def test_examples_play_to_the_end(name: str) -> None:
    """Every game between two computers ends, by the rules or by the ply limit."""
    for seed in range(5):
        game = Game(f"./{name}.toml", ply_limit=300)
        player = make_player("random", seed=seed)
        while not game.outcome:
            game.play(player.choose(game))
        assert game.outcome.reason in {"line", "reveal", "no-move", "repetition", "unfinished"}


def test_check_command() -> None:
    """The console block shows what the command prints."""
    (session,) = blocks("console")
    command, answer = session.splitlines()[:2]
    arguments = command.removeprefix("$ nestline ").split()
    done = subprocess.run(
        [sys.executable, "-m", "nestline", *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == answer


def refusals() -> list[tuple[str, str]]:
    """The rows of the table of refusals."""
    rows = re.findall(r"^\| `(.+?)` \| (.+) \|$", DOCUMENT.read_text("utf-8"), re.M)
    assert len(rows) >= 6
    return rows


@pytest.mark.parametrize(("line", "message"), refusals(), ids=[line for line, _ in refusals()])
def test_refusals(folder: Path, line: str, message: str) -> None:
    """Each line of the table is refused in the words of the table (… stands for the rest)."""
    file = folder / "mine.toml"
    like = "" if line.startswith("like") else 'like = "gobblers"\n'
    file.write_text(f"{like}{line}\n", "utf-8")
    with pytest.raises(RuleSetError) as refusal:
        load_rules("./mine.toml")
    said = str(refusal.value).removeprefix("./mine.toml: ")
    if message.endswith("…"):
        assert said.startswith(message.removesuffix("…"))
    else:
        assert said == message


def test_circle_is_refused(folder: Path) -> None:
    """A file cannot inherit from itself, not even by way of another."""
    (folder / "one.toml").write_text('like = "./two.toml"\n', "utf-8")
    (folder / "two.toml").write_text('like = "./one.toml"\n', "utf-8")
    with pytest.raises(RuleSetError, match="leads back"):
        load_rules("./one.toml")


def test_complete_files_are_complete() -> None:
    """The three sets named as complete inherit nothing, the other two do."""
    rules_folder = Path(sys.modules["nestline.rules"].__file__).parent
    inheriting = {path.name for path in rules_folder.glob("*.toml")
                  if re.search(r"^like = ", path.read_text("utf-8"), re.M)}  # fmt: skip
    assert inheriting == {"gobblers-official.toml", "gobblet-house.toml"}
