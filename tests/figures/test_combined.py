from mtsig_core.analysis.comparison.combined import Combined, SetDifference
from mtsig_core.figures.combined import forest
from mtsig_core.significance import Scope


def found(name, both):
    sets = (SetDifference("one", 30, 0.4, (0.1, 0.7), 0.02), SetDifference(name, 40, 0.2, None, None))
    return Combined(
        Scope("", "ter", "TER", False, systems=("A", name)), 3, 3, sets, 0.3, (0.1, 0.5), None, both, 0.1, 5.0, 0.05, ()
    )


def test_a_row_a_set_and_three_for_all(nasty_name, check):
    document, texts = check(forest(found(nasty_name, (0.0, 0.6))))
    marks = [trace for trace in document["data"] if trace["mode"] == "markers"]
    assert [trace["x"] for trace in marks] == [[0.4], [0.2], [0.3], [0.3], [0.3]]
    assert sum("interval not defined" in text for text in texts) >= 2
    assert any(text.startswith("A better") for text in texts)  # lower is better: the right side is A's


def test_without_intervals_the_points_stay(check):
    document, _ = check(forest(found("B", None)))
    assert len([trace for trace in document["data"] if trace["mode"] == "markers"]) == 5
