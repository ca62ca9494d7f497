"""What results say about strength: ratings, their error bars, and sequential tests."""

import math
import random

import pytest

from nestline import NestlineError
from nestline.arena.ratings import Encounter, Ratings, rate
from nestline.arena.sprt import Sprt, expected_score


def elo_of(score: float) -> float:
    return 400 * math.log10(score / (1 - score))


def match(points: list[float], names: tuple[str, str] = ("one", "other")) -> list[Encounter]:
    """Pairs of games in which the first player got these points."""
    return [Encounter(*names, two, 2) for two in points]


@pytest.mark.parametrize(
    "points", [[2] * 30 + [0] * 20, [1.5, 2, 2, 1], [2] * 50, [0], [1] * 8, [0.5, 1, 1, 0]]
)
def test_two_players_differ_by_the_elo_of_their_score_and_one_drawn_game(
    points: list[float],
) -> None:
    ratings = rate(match(points))
    games = 2 * len(points)
    wanted = elo_of((sum(points) + 0.5) / (games + 1))
    difference, _ = ratings.difference("one", "other")
    assert difference == pytest.approx(wanted, abs=1e-5)
    assert ratings.points["one"] == pytest.approx(wanted / 2, abs=1e-5)
    assert ratings.difference("other", "one")[0] == pytest.approx(-wanted, abs=1e-5)


def test_the_error_bar_of_coin_tosses_is_that_of_the_binomial_distribution() -> None:
    """Half the games won at random: the known standard error of a score, converted to Elo."""
    points = [2.0] * 2500 + [1.0] * 5000 + [0.0] * 2500
    _, error = rate(match(points)).difference("one", "other")
    slope = 400 / math.log(10) / 0.25
    assert error == pytest.approx(1.96 * slope * math.sqrt(0.25 / 20_000), rel=0.01)


def test_draws_and_openings_that_decide_make_the_error_bar_smaller() -> None:
    coins = rate(match([2.0, 0.0] * 50)).difference("one", "other")[1]
    shared = rate(match([1.0] * 100)).difference("one", "other")[1]
    assert 0 < shared < coins / 5


def test_an_anchor_shifts_everything_and_is_itself_certain() -> None:
    games = match([2, 1, 1.5]) + match([2, 2, 0], ("one", "third"))
    free, fixed = rate(games), rate(games, anchor="other", anchor_rating=1000)
    assert sum(free.points.values()) == pytest.approx(0, abs=1e-6)
    assert fixed.points["other"] == pytest.approx(1000)
    assert fixed.errors["other"] == pytest.approx(0, abs=1e-6)
    for one, other in (("one", "other"), ("other", "third")):
        assert free.difference(one, other) == pytest.approx(fixed.difference(one, other), abs=1e-4)
    assert fixed.errors["one"] == pytest.approx(fixed.difference("one", "other")[1], abs=1e-6)


def test_a_chain_of_equal_scores_adds_up() -> None:
    """Matches that share no games do not affect each other's differences."""
    games = match([2] * 300 + [0] * 100) + match([2] * 300 + [0] * 100, ("other", "third"))
    ratings = rate(games)
    single = rate(match([2] * 300 + [0] * 100))
    total, error = ratings.difference("one", "third")
    assert total == pytest.approx(2 * single.difference("one", "other")[0], rel=0.001)
    assert error == pytest.approx(math.sqrt(2) * single.difference("one", "other")[1], rel=0.01)


def ladder(
    count: int, gap: float, pairs: int, draws: float, chance: random.Random
) -> list[Encounter]:
    """A round robin of players `gap` points apart."""
    found = []
    for strong in range(count):
        for weak in range(strong):
            score = expected_score((strong - weak) * gap)
            drawn = min(draws, 1.8 * min(score, 1 - score))
            for _ in range(pairs):
                points = 0.0
                for _ in range(2):
                    luck = chance.random()
                    points += (luck < score - drawn / 2) / 2 + (luck < score + drawn / 2) / 2
                found.append(Encounter(f"p{strong}", f"p{weak}", points, 2))
    return found


@pytest.mark.parametrize(
    ("count", "gap", "pairs", "draws"),
    [(2, 0, 50, 0.0), (2, 50, 50, 0.5), (2, 200, 20, 0.3), (5, 120, 10, 0.2)],
)
def test_the_true_ratings_lie_within_the_error_bars_as_often_as_promised(
    count: int, gap: float, pairs: int, draws: float
) -> None:
    chance = random.Random(5)
    inside = tried = 0
    shift = 0.0
    for _ in range(200):
        ratings = rate(ladder(count, gap, pairs, draws, chance), anchor="p0")
        shift += ratings.points[f"p{count - 1}"] - gap * (count - 1)
        for number in range(1, count):
            name = f"p{number}"
            inside += abs(ratings.points[name] - gap * number) <= ratings.errors[name]
            tried += 1
    assert 0.9 <= inside / tried <= 0.98
    assert abs(shift / 200) < 20


def test_clean_scores_have_finite_ratings_and_wide_error_bars() -> None:
    games = (
        match([2] * 10) + match([2] * 10, ("other", "third")) + match([2] * 10, ("one", "third"))
    )
    ratings: Ratings = rate(games)
    assert ratings.points["one"] > ratings.points["other"] > ratings.points["third"]
    assert all(100 < error < 2000 for error in ratings.errors.values())


def test_players_that_never_met_are_not_compared() -> None:
    with pytest.raises(NestlineError, match="third, fourth cannot be compared with one"):
        rate(match([1]) + match([1], ("third", "fourth")))
    with pytest.raises(NestlineError, match="nothing to rate"):
        rate([])
    with pytest.raises(NestlineError, match="'nobody' has played no game; players are one, other"):
        rate(match([1]), anchor="nobody")


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "ratio"),
    [
        (0.5, 2.5, (21184, 40708, 21404), -1.57),
        (0, 2, (57030, 106593, 57433), -2.59),
        (0.5, 2.5, (223, 9863, 20279 + 1000, 10037, 246), -3.07),
        (0, 2, (871, 26175, 55003 + 980, 26678, 821), -4.98),
    ],
)
def test_the_log_likelihood_ratio_is_that_of_other_programs(
    elo0: float, elo1: float, counts: tuple[int, ...], ratio: float
) -> None:
    """Results and ratios from the tests of the match runner fastchess (logistic Elo)."""
    assert Sprt(elo0, elo1).log_likelihood_ratio(counts) == pytest.approx(ratio, abs=0.006)


def test_wins_and_losses_alone_give_the_ratio_of_wald() -> None:
    """Without draws it is Wald's textbook test of a coin, apart from the draws thought possible."""
    test = Sprt(0, 50)
    high, low = expected_score(50), expected_score(0)
    wanted = 60 * math.log(high / low) + 40 * math.log((1 - high) / (1 - low))
    assert test.log_likelihood_ratio((40, 0, 60)) == pytest.approx(wanted, abs=0.001)


def test_the_bounds_are_those_of_five_percent() -> None:
    assert Sprt(0, 5).bound == pytest.approx(2.944, abs=0.001)
    assert Sprt(0, 5).verdict((0, 0, 0, 0, 0)) is None
    assert Sprt(0, 50).log_likelihood_ratio((0, 0, 0)) == 0
    assert Sprt(0, 50).verdict((10, 20, 100)) == "elo1"
    assert Sprt(0, 50).verdict((100, 20, 10)) == "elo0"


@pytest.mark.parametrize("accepted", ["elo0", "elo1"])
def test_a_test_errs_as_seldom_as_promised(accepted: str) -> None:
    test = Sprt(0, 100)
    score = expected_score({"elo0": test.elo0, "elo1": test.elo1}[accepted])
    chance = random.Random(3)
    right = 0
    for _ in range(120):
        counts = [0] * 5
        verdict = None
        while verdict is None:
            points = sum(
                (luck < score - 0.15) / 2 + (luck < score + 0.15) / 2
                for luck in (chance.random(), chance.random())
            )
            counts[round(2 * points)] += 1
            verdict = test.verdict(counts)
        right += verdict == accepted
    assert right >= 108


@pytest.mark.parametrize("values", [(5, 5), (10, 0), (-2000, 0), (0, math.nan), (0, math.inf)])
def test_impossible_tests_are_refused(values: tuple[float, float]) -> None:
    with pytest.raises(NestlineError, match="two Elo values, the lower one first"):
        Sprt(*values)
