"""Pictures of the lesson on BLEU from the inside."""

import pytest

from mtsig_core.figures.learn.inside_bleu import edits, growing_test_set, matches, order_and_information, settings
from mtsig_core.teaching import Run
from mtsig_core.teaching.inside_bleu import InsideBLEU, growing, precisions

OUTPUT, REFERENCE = "the the old bridge <b>here</b>", "the old bridge is $here$"


def run(n=0, output=OUTPUT, reference=REFERENCE, **options):
    return Run(InsideBLEU(output, reference, **options)).step(n)


def written(figure):
    return [text for trace in figure.data if trace.mode == "text" for text in trace.text]


def test_every_n_gram_has_a_bar():
    made = run()
    bars = {trace.name.split(":")[0]: len(trace.x) // 3 for trace in matches(made).data if trace.mode == "lines"}
    parts = precisions(made.simulation.own)
    assert bars["counts"] == parts.matched.sum()
    assert bars["clipped"] == 1
    assert sum(bars.values()) == parts.total.sum()


def test_what_people_write_is_shown_as_it_is():
    for figure in (matches(run(tokenize="none")), edits(run())):
        assert "&lt;b&gt;here&lt;/b&gt;" in written(figure)
        assert not any("<" in text or "$" in text for text in written(figure))


def test_a_long_sentence_is_cut():
    figure = matches(run(output="word " * 60, reference="word " * 60))
    assert written(figure).count("…") == 2
    assert len(written(figure)) < 60


def test_the_moved_words_are_marked():
    figure = edits(run(output="on monday we met the king", reference="we met the king on monday"))
    marked = [text for trace in figure.data if trace.textfont.color for text in trace.text]
    assert marked == ["on", "monday"]
    assert list(figure.layout.yaxis.ticktext) == ["Output", "After shift 1", "Reference"]


def test_the_test_set_grows_and_the_settings_stand():
    made = run(30)
    for line, scores in zip(growing_test_set(made).data, growing(made).values(), strict=True):
        assert line.y[-1] == pytest.approx(scores[-1])
    cased, lower, halves = settings(made).data
    assert list(cased.x) != list(lower.x)
    assert tuple(halves.x) == made.simulation.halves
    assert not growing_test_set(run(0)).data


@pytest.mark.parametrize("output", ["", "one", OUTPUT])
def test_any_output_can_be_drawn(output):
    ribes, *information = order_and_information(run(output=output)).data
    assert len(ribes.x) == len(run(output=output).simulation.order)
    assert sum(len(bars.x) for bars in information) == len(run().simulation.information)
    assert edits(run(output=output)).data
