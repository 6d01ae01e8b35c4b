"""Judged replicas, weights of marked errors and tests of soft accuracy: from files to tables."""

import numpy as np
import pytest

from mtsig_core.analysis.people.meta_evaluation.pair_accuracy import compare_soft_accuracies
from mtsig_core.resampling import Settings
from tests.conftest import document, noisy, sentences


def replicas(n=2):
    rng = np.random.default_rng(3)
    rows = [f"{system},r{k},{line},{quality + k + rng.normal():.3f}\n" for system, quality in (("old", 50), ("new", 60))
            for k in range(n) for line in range(1, 21)]  # fmt: skip
    return "system,replica,segment,score\n" + "".join(rows)


@pytest.mark.slow
def test_people_prints_the_tests_of_judged_replicas(call, tmp_path):
    (tmp_path / "judged.csv").write_text(replicas())
    result = document(call("people", str(tmp_path / "judged.csv"), "--json"))
    (row,) = result["tables"]["score: pairs, by the replicas that were judged"]
    assert (row["A"], row["B"], row["replicas A"], row["items"]) == ("new", "old", 2, 20)
    assert row["p, Approximate randomization, replicas"] == pytest.approx(1 / 3)
    assert any("training setup is better, with new replicas" in note for note in result["notes"])
    (tmp_path / "one.csv").write_text(replicas(1))
    result = document(call("people", str(tmp_path / "one.csv"), "--json"))
    assert not any("replicas that were judged" in name for name in result["tables"])
    assert any("not whether the training setup is" in note for note in result["notes"])


@pytest.mark.slow
def test_a_system_of_one_judged_replica_is_said_to_leave_its_training_setup_open(call, tmp_path):
    lines = replicas(3).splitlines()
    kept = [line for line in lines if not line.startswith("new,") or line.startswith("new,r0")]
    (tmp_path / "judged.csv").write_text("\n".join(kept) + "\n")
    text = " ".join(call("people", str(tmp_path / "judged.csv"))[1].split())
    assert "it says nothing about new's training setup, which has one replica" in text
    assert "the pair differs" in text


@pytest.mark.slow
def test_marked_errors_are_weighted_as_asked_for(call, tmp_path):
    rows = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n" + "".join(
        f"{name}\td\td\t{k}\tx\ts\t<v>t</v>\t{category}\tMinor\n" for k in (1, 2)
        for name, category in (("a", "Fluency/Punctuation"), ("b", "Accuracy/Omission")))
    (tmp_path / "mqm.tsv").write_text(rows)
    means = {}
    for weights in ("freitag-2021", "major-minor"):
        result = document(call("people", str(tmp_path / "mqm.tsv"), "--mqm-weights", weights, "--json"))
        means[weights] = {row["system"]: row["mean"] for row in result["tables"]["mqm: systems"]}
    assert means == {"freitag-2021": {"a": -0.1, "b": -1.0}, "major-minor": {"a": -1.0, "b": -1.0}}


@pytest.fixture
def marked(tmp_path):
    """Three systems with outputs, and errors marked in them: weights decide which of two systems is better."""
    (tmp_path / "refs").mkdir()
    (tmp_path / "judgements").mkdir()
    lines = sentences(1, 30)
    (tmp_path / "refs/ref.txt").write_text("\n".join(lines) + "\n")
    rows = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    kinds = {"comma": "Fluency/Punctuation", "sense": "Accuracy/Omission", "bad": "Accuracy/Mistranslation"}
    for k, (name, category) in enumerate(kinds.items()):
        (tmp_path / "systems" / name).mkdir(parents=True)
        (tmp_path / "systems" / name / "1.txt").write_text("\n".join(noisy(lines, k, 0.1 * (k + 1))) + "\n")
        marks = {"comma": 3, "sense": 2, "bad": 5}[name]
        rows += "".join(f"{name}\td\td\t{line}\tx\ts\t<v>t</v>\t{category}\tMinor\n"
                        for line in range(1, 31) for _ in range(marks - line % 2))  # fmt: skip
    (tmp_path / "judgements/mqm.tsv").write_text(rows)
    return tmp_path


@pytest.mark.slow
def test_weights_of_marked_errors_decide_what_tests_and_metrics_are_compared_with(call, marked):
    few = ("--resamples", "100", "--shuffles", "100", "--metric", "chrf", "--json")
    people, pearson = {}, {}
    for weights in ("freitag-2021", "major-minor"):
        own = ("--mqm-weights", weights, *few)
        tables = document(call("agreement", str(marked), *own, "--preset", "ar-segment"))["tables"]
        rows = next(rows for name, rows in tables.items() if name.startswith("pairs: "))
        people[weights] = {frozenset((row["A"], row["B"])): row["people"] for row in rows}
        tables = document(call("correlations", str(marked), *own))["tables"]
        pearson[weights] = next(row["value"] for row in tables["systems: metric against people"]
                                if (row["coefficient"], row["points"]) == ("Pearson's r", "all"))
    # 3 commas cost 0.3 by category, and 3 by severity alone, where two omissions cost 2
    pair = frozenset(("comma", "sense"))
    assert (people["freitag-2021"][pair], people["major-minor"][pair]) == ("comma", "sense")
    assert pearson["freitag-2021"] > pearson["major-minor"]


def test_differences_of_soft_accuracies_are_corrected_by_holm():
    rng = np.random.default_rng(2)
    human = np.arange(4) * 0.5 + rng.normal(size=(60, 4))
    metrics = [("good", human + 0.2 * rng.normal(size=human.shape)), ("noise", rng.normal(size=human.shape)),
               ("constant", np.ones_like(human))]  # fmt: skip
    frame = compare_soft_accuracies(human, metrics, Settings(n_permutations=200), n_exchanges=40)
    assert list(zip(frame["metric A"], frame["metric B"], strict=True)) == [
        ("good", "noise"), ("good", "constant"), ("noise", "constant")]  # fmt: skip
    assert frame.loc[0, "p, A larger"] == pytest.approx(1 / 41)
    assert (frame["p, two-sided, Holm"] >= frame["p, two-sided"]).all()
