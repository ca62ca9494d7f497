"""Study: rule sets, positions, streaming analysis, reviews, pictures."""

import pytest

from nestline import Position, load_rules, rule_set_names
from nestline.draw import svg
from support.web_driver import Facts, Player, Refused, Server, checked

GAME = '[Rules "tictactoe"]\n\n1. a1 b1 2. b2 a2 3. c3 1-0\n'
GOBBLET = '[Rules "gobblet"]\n\n1. 4a1 4b2 2. 4c3 4d4 *\n'


def get(server: Server, path: str, **query: object) -> Facts:
    with server.client() as client:
        return checked(client.get(path, params=query))  # type: ignore[no-any-return,arg-type]


def test_rule_sets_are_listed_with_all_their_fields(server: Server) -> None:
    listed = get(server, "/rules")["rules"]
    assert [facts["name"] for facts in listed] == list(rule_set_names())
    for facts in listed:
        rules = load_rules(facts["name"])
        assert get(server, f"/rules/{rules.name}") == facts
        for key, value in rules.fields().items():
            assert facts[key] == (list(value) if isinstance(value, tuple) else value)
        assert facts["squares"] == list(rules.square_names)
        assert facts["start"]["text"] == str(Position.start(rules))
        assert not facts["custom"]
        assert facts["sources"] == dict(rules.sources)
    assert [facts["table"]["state"] for facts in listed].count("ready") == 1


def test_the_file_of_a_rule_set_can_be_had(server: Server) -> None:
    assert 'like = "gobblers"' in get(server, "/rules/gobblers-official/file")
    with pytest.raises(Refused):
        get(server, "/rules/nothing/file")


def test_a_rule_set_of_ones_own_is_checked_and_named(server: Server) -> None:
    with server.client() as client:
        text = 'like = "gobblers"\ntitle = "Mine"\n'
        facts = checked(client.post("/rules", json={"toml": text}))
        assert facts["custom"]
        assert checked(client.post("/rules", json={"toml": text}))["name"] == facts["name"]
        study = checked(client.get(f"/positions/{facts['name']}", params={"seconds": 0.05}))
        assert study["rules"] == facts["name"]
        refused = client.post("/rules", json={"toml": text + "board = 7\n"})
        assert refused.status_code == 422
        assert "board: 7 is not allowed" in refused.json()["error"]["message"]


def test_a_no_to_an_editor_is_an_answer(server: Server) -> None:
    def problem(**body: object) -> object:
        with server.client() as client:
            answer = client.post("/check", json=body)
            assert answer.status_code == 200
            return answer.json()["problem"]

    assert problem() is None
    assert problem(rules="gobblers", position="x3/x,w3,x/x3 b", moves=["3a1"]) is None
    assert problem(record=GAME) is None
    assert "'rubbish' is not a position" in str(problem(position="rubbish"))
    assert str(problem(rules="gobblers", moves=["3b2", "3b2"])).startswith("move 2: ")
    assert "there is no rule set 'nothing'" in str(problem(rules="nothing"))
    assert "line 1" in str(problem(record="[Rules"))


def test_moves_that_are_images_of_each_other_are_worth_the_same(server: Server) -> None:
    moves = get(server, "/positions/gobblet", seconds=0.1, variations=2)["moves"]
    classes: dict[str, set[object]] = {}
    for move in moves:
        image = str(Position(move["after"], "gobblet").canonical())
        classes.setdefault(image, set()).add((move["score"], move["value"], move["distance"]))
    assert len(classes) < len(moves)
    assert all(len(values) == 1 for values in classes.values())


def test_a_solved_position_is_told_exactly(server: Server) -> None:
    study = get(server, "/positions/tictactoe", position="b1,b1,x/x,w1,x/w1,x2_w")
    assert (study["exact"], study["value"], study["distance"]) == (True, "win", 1)
    assert study["words"] == "X wins in 1 move."
    assert study["moves"][0]["move"] == "1c3"
    assert study["moves"][0]["after"] == "b1,b1,w1/x,w1,x/w1,x2 b"
    assert [move["value"] for move in study["moves"]] == ["win", "loss", "loss", "loss", "loss"]
    assert study["moves"][1]["words"] == "O wins in 2 moves."
    assert len(get(server, "/positions/tictactoe")["moves"]) == 9
    assert get(server, "/positions/tictactoe")["value"] == "draw"


def test_lines_are_given_for_as_many_moves_as_asked_for(server: Server) -> None:
    study = get(server, "/positions/tictactoe", variations=2)
    assert [len(move["line"]) > 1 for move in study["moves"]] == [True, True] + [False] * 7


def test_an_unsolved_position_is_told_with_score_and_depth(server: Server) -> None:
    study = get(server, "/positions/gobblet", moves="4a1 4b2", seconds=0.3, variations=3)
    assert not study["exact"]
    assert study["depth"] >= 1
    assert study["score"] is not None
    scores = [move["score"] for move in study["moves"]]
    assert scores == sorted(scores, reverse=True)  # Every move has one.
    assert [len(move["line"]) > 1 for move in study["moves"]][3:] == [False] * (len(scores) - 3)
    assert study["table"]["state"] == "none"
    quick = get(server, "/positions/gobblet", seconds=0)
    assert (quick["depth"], quick["score"], len(quick["moves"])) == (None, None, 16)


def test_a_finished_position_says_how_it_ended(server: Server) -> None:
    study = get(server, "/positions/tictactoe", moves="a1 b1 b2 a2 c3")
    assert study["outcome"]["lines"] == [["a1", "b2", "c3"]]
    assert (study["exact"], study["value"], study["distance"]) == (True, "loss", 0)
    assert study["moves"] == []
    assert study["words"] == "X wins with the line a1-b2-c3."


def test_dangerous_moves_are_marked(server: Server) -> None:
    study = get(server, "/positions/gobblers", position="b1,b1,b2w3/x3/x3_w", seconds=0)
    dangerous = {move["move"] for move in study["moves"] if move["dangerous"]}
    position = Position("b1,b1,b2w3/x3/x3 w")
    assert dangerous == {
        str(move) for move in position.legal_moves() if position.is_losing_reveal(move)
    }
    assert "c3a1" in dangerous


@pytest.mark.parametrize(
    ("path", "query", "status", "told"),
    [
        ("/positions/chess", {}, 404, "there is no rule set 'chess'"),
        ("/positions/gobblers", {"position": "x3/x3"}, 422, "is not a position"),
        ("/positions/gobblers", {"position": "x3/x3/x2_w"}, 422, "row 1 has 2 squares"),
        ("/positions/gobblers", {"moves": "3b2 zz"}, 422, "move 2: 'zz' is not a move"),
        ("/positions/gobblers", {"moves": "3b2 3b2"}, 409, "move 2: 3b2: b2 shows a size 3"),
        ("/positions/gobblers", {"seconds": -1}, 422, "seconds: input should be greater"),
        ("/positions/gobblers", {"variations": "x"}, 422, "variations: input should be a valid"),
        ("/positions/gobblers/picture", {"size": 5}, 422, "size: input should be greater"),
        ("/positions/gobblers/picture", {"targets": "z9"}, 422, "not on the 3x3 board"),
        ("/positions/gobblers/picture", {"last_move": "q"}, 422, "is not a move"),
    ],
)
def test_bad_questions_are_refused_in_words(
    server: Server, path: str, query: Facts, status: int, told: str
) -> None:
    with pytest.raises(Refused) as refused:
        get(server, path, **query)
    assert refused.value.status == status
    assert told in refused.value.message


def test_pictures_are_those_of_the_library(server: Server) -> None:
    text = "x3/x,b1w3,x/w2,x2 b"
    drawn = get(server, "/positions/gobblers/picture", position=text, size=200, flip=True,
                last_move="3b2", targets="c3,a2", coordinates=False)  # fmt: skip
    assert drawn == svg(
        Position(text), size=200, flip=True, last_move="3b2", targets=["c3", "a2"],
        coordinates=False,
    )  # fmt: skip
    assert get(server, "/positions/gobblers/picture", position=text, covered=False) == svg(
        Position(text), covered=False
    )


def test_an_analysis_streams_and_can_be_stopped(server: Server) -> None:
    with Player(server) as player:
        player.send(type="analyse", ask=1, rules="gobblet", seconds=300, variations=2)
        first = player.until(lambda got: got["type"] == "study")
        deeper = player.until(lambda got: got["type"] == "study" and got["study"]["depth"] > 2)
        assert (first["ask"], deeper["final"]) == (1, False)
        assert all(move["score"] is not None for move in deeper["study"]["moves"])
        player.send(type="stop", ask=2, stops=1)
        last = player.until(lambda got: got["type"] == "study" and got["final"])
        assert last["study"]["depth"] >= deeper["study"]["depth"]
        assert player.until(lambda got: got.get("ask") == 2)["type"] == "stopped"
        # Nothing is running any more, and stopping again does no harm.
        assert player.ask(type="stop", stops=1)["type"] == "stopped"


def test_a_new_analysis_ends_the_one_before(server: Server) -> None:
    with Player(server) as player:
        player.send(type="analyse", ask="old", rules="gobblet", seconds=300)
        player.until(lambda got: got["type"] == "study")
        player.send(type="analyse", ask="new", rules="gobblet", moves=["4a1"], seconds=0.2)
        final = player.until(
            lambda got: got["type"] == "study" and got["ask"] == "new" and got["final"]
        )
        assert final["study"]["board"]["turn"] == "second"
        assert any('"ask":"old"' in text and '"final":true' in text for text in player.received)


def test_who_has_to_wait_is_told_and_gets_a_turn(server: Server) -> None:
    """There is one analysis thread; a short analysis does not wait for another's long one."""
    with Player(server) as patient, Player(server) as busy:
        busy.send(type="analyse", ask=1, rules="gobblet", seconds=300)
        busy.until(lambda got: got["type"] == "study")
        patient.send(type="analyse", ask=2, rules="gobblet", seconds=0.1)
        assert patient.receive() == {"type": "waiting", "ask": 2, "ahead": 1}
        assert patient.until(lambda got: got["type"] == "study" and got["final"])["ask"] == 2
        busy.send(type="stop", ask=3, stops=1)
        assert busy.until(lambda got: got["type"] == "study" and got["final"])["ask"] == 1


def test_an_exact_analysis_comes_at_once(server: Server) -> None:
    with Player(server) as player:
        study = player.ask(type="analyse", rules="tictactoe", variations=9)
        assert (study["final"], study["study"]["exact"]) == (True, True)


def test_repetitions_are_known_to_the_analysis(server: Server) -> None:
    """Reaching a position for the third time draws, whatever it is worth."""
    moves = "3b2 3a1 b2b1 a1a2 b1b2 a2a1 b2b1 a1a2"
    study = get(server, "/positions/gobblers", moves=moves, seconds=1, variations=40)
    drawn = [move for move in study["moves"] if move["move"] == "b1b2"]
    assert drawn[0]["score"] is not None
    study = get(server, "/positions/gobblers", moves=f"{moves} b1b2", seconds=1, variations=40)
    assert [move["score"] for move in study["moves"] if move["move"] == "a2a1"] == [0]


def test_a_record_is_reviewed_exactly(server: Server) -> None:
    with server.client() as client:
        review = checked(client.post("/reviews", json={"record": GAME}))
    assert (review["exact"], review["result"], review["count"]) == (True, "1-0", 5)
    assert [move["move"] for move in review["moves"]] == ["1a1", "1b1", "1b2", "1a2", "1c3"]
    second = review["moves"][1]
    assert (second["seat"], second["thrown_away"]) == ("second", "draw")
    assert second["before"]["value"] == "draw"
    assert (second["after"]["value"], second["after"]["distance"]) == ("loss", 6)
    assert "1b2" in second["best"]
    assert second["board"]["text"] == "x3/x3/w1,b1,x w"


def test_a_record_is_reviewed_by_the_engine_where_nothing_is_solved(server: Server) -> None:
    with Player(server) as player:
        player.send(type="review", ask=1, record=GOBBLET)
        moves = [player.until(lambda got: got["type"] == "reviewed") for _ in range(4)]
        assert [got["index"] for got in moves] == [0, 1, 2, 3]
        assert {got["count"] for got in moves} == {4}
        review = player.until(lambda got: got["type"] == "review")["review"]
    assert review["moves"] == [got["move"] for got in moves]
    assert not review["exact"]
    for move in review["moves"]:
        assert move["before"]["score"] >= move["after"]["score"]
        assert move["chance_lost"] == move["before"]["chance"] - move["after"]["chance"]
        assert move["mark"] in ("", "?!", "?", "??")


@pytest.mark.parametrize(
    ("record", "status"), [("nonsense", 422), ('[Rules "gobblers"]\n\n1. 3b2 3b2 *', 409)]
)
def test_bad_records_are_refused(server: Server, record: str, status: int) -> None:
    with server.client() as client:
        refused = client.post("/reviews", json={"record": record})
    assert refused.status_code == status
    with Player(server) as player, pytest.raises(Refused):
        player.ask(type="review", record=record)
