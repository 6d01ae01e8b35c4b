import numpy as np
import pytest

from mtsig_core.loading.nbest import load_nbest
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers import baselines, tuning_problem
from mtsig_core.optimizers.scored_list import tidy
from tests.optimizers.conftest import made_data


def test_model_scores_and_choice_are_those_of_the_features(problem):
    dev, generator = problem.dev, np.random.default_rng(0)
    weights = generator.normal(size=(3, problem.n_features))
    product = dev.nbest.features / dev.scale @ weights.T
    assert np.allclose(dev.model_scores(weights), product.T[:, dev.rows])
    places = dev.choose(weights)
    offsets = dev.nbest.offsets
    for point in range(3):
        for segment in range(dev.n_segments):
            own = product[offsets[segment] : offsets[segment + 1], point]
            assert places[point, segment] == own.argmax()


def test_plain_weights_choose_as_scaled_ones(problem):
    weights = np.random.default_rng(1).normal(size=problem.n_features)
    plain = problem.plain(weights)
    assert np.array_equal(problem.scaled(plain), weights)
    product = problem.dev.nbest.features @ plain
    first = problem.dev.nbest.offsets[:-1]
    own = problem.dev.choose(weights[None])[0]
    for segment, start in enumerate(first):
        stop = problem.dev.nbest.offsets[segment + 1]
        assert own[segment] == product[start:stop].argmax()


def test_scores_are_the_metrics_on_the_texts(problem):
    from sacrebleu import BLEU

    places = problem.dev.choose(problem.start[None])
    output = problem.dev.output(places[0])
    expected = BLEU(tokenize="none", force=True).corpus_score(list(output), [list(problem.dev.references[0])]).score
    assert problem.dev.scores(problem.start[None])[0] == pytest.approx(expected, abs=1e-8)


def test_the_start_is_what_the_decoder_used(problem):
    # totals are the sum of all features but the last one
    assert np.allclose(problem.plain(problem.start)[:-1], problem.plain(problem.start)[0], rtol=1e-3)
    assert abs(problem.plain(problem.start)[-1]) < 1e-3 * problem.plain(problem.start)[0]
    own = problem.dev.choose(problem.start[None])[0]
    assert np.array_equal(own, problem.dev.nbest.first_best() - problem.dev.nbest.offsets[:-1])


def test_a_list_without_totals_starts_at_equal_weights():
    lines = b"".join(b"%d ||| w%d ||| a= %d b= %d\n" % (i // 2, i, i % 3, i % 5) for i in range(8))
    data = load_nbest([("nbest", lines), ("ref", b"w0\nw2\nw4\nw6\n")])
    problem = tuning_problem(data, get_metric("bleu"))
    assert problem.start.tolist() == [0.5, 0.5]
    first = problem.dev.statistics[::2].sum(axis=0)
    assert baselines(problem.dev).one_best == pytest.approx(float(problem.metric.score(first)))


def test_tidy_weights_keep_their_choice(problem):
    weights = np.random.default_rng(2).normal(size=(50, problem.n_features))
    assert np.allclose(np.abs(tidy(weights)).sum(axis=1), 1)
    assert np.array_equal(problem.dev.choose(weights), problem.dev.choose(tidy(weights)))
    assert tidy(np.zeros(3)).tolist() == [0, 0, 0]


def test_the_only_list_is_split_in_halves(data):
    one = load_nbest([
        ("nbest", b"".join(b"%d ||| a b ||| f= 1 ||| 0\n" % i for i in range(5))), ("ref", b"a\nb\nc\nd\ne\n")
    ])  # fmt: skip
    problem = tuning_problem(one, get_metric("bleu"))
    assert problem.dev.references == (("a", "b", "c"),)
    assert problem.test.references == (("d", "e"),)
    assert "tuned on the first 3, tested on the other 2" in problem.notes[0]
    part = tuning_problem(one, get_metric("bleu"), dev_segments=[4, 0], test_segments=[])
    assert part.dev.references == (("e", "a"),)
    assert part.test is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"system": "nobody"}, "Choose one of the systems with n-best lists: 'system'; not 'nobody'"),
        ({"dev_segments": [0, 99]}, "nbest.dev: segment 99 asked for; it has segments 0 to 19"),
        ({"dev_segments": []}, "no segment asked for"),
    ],
)
def test_what_cannot_be_tuned(data, arguments, words):
    with pytest.raises(ValueError, match=words):
        tuning_problem(data, get_metric("bleu"), **arguments)


def test_a_list_without_features_cannot_be_tuned():
    data = load_nbest([("nbest", b"0 ||| a ||| ||| 1\n1 ||| b ||| ||| 2\n"), ("ref", b"a\nb\n")])
    with pytest.raises(ValueError, match="no features, so there is nothing to tune"):
        tuning_problem(data, get_metric("bleu"))


def test_baselines_against_their_definition(problem):
    dev = problem.dev
    result = baselines(dev)
    segment_scores = problem.metric.segment_score(dev.statistics)
    bounds = list(zip(dev.nbest.offsets, dev.nbest.offsets[1:], strict=False))
    best = [a + segment_scores[a:b].argmax() for a, b in bounds]
    assert result.oracle == pytest.approx(float(problem.metric.score(dev.statistics[best].sum(axis=0))))
    assert result.random < result.oracle
    assert result.random_sd > 0
    mean = sum(dev.statistics[a:b].mean(axis=0) for a, b in bounds)
    assert result.random == pytest.approx(float(problem.metric.score(mean)), abs=1)
    both = baselines(dev, problem.test, name="both")
    assert (both.test_set, both.n_segments) == ("both", 40)
    assert min(result.oracle, baselines(problem.test).oracle) < both.oracle < 100


def test_a_metric_where_lower_is_better(ter_problem):
    result = baselines(ter_problem.dev)
    assert result.oracle < result.random
    assert result.oracle < result.one_best


def test_lists_of_several_features_and_lengths_are_padded_with_their_first_candidate():
    problem = tuning_problem(made_data(5, 7, 9, 3), get_metric("bleu", tokenize="none"))
    dev = problem.dev
    assert dev.is_candidate.sum() == len(dev.nbest.texts)
    assert (dev.rows[~dev.is_candidate] == np.broadcast_to(dev.rows[:, :1], dev.rows.shape)[~dev.is_candidate]).all()
