"""Judgements beside an experiment, from files to tables: workbench and command line."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from data.builder.judgements import simulate_judgements
from mtsig_core.experiment import TestSet
from mtsig_core.loading import LoadError, read
from mtsig_core.loading.judgements.find import find_judgements
from mtsig_core.loading.judgements.frame import JudgementTable, judgement_frame
from mtsig_core.metrics import get_metric
from mtsig_core.resampling import Settings
from mtsig_core.workbench.meta_evaluation import agreement
from mtsig_core.workbench.meta_evaluation.agreement import Judged, TestChoice, agreement_of_tests, worth_of_points
from mtsig_core.workbench.meta_evaluation.alignment import aligned
from mtsig_core.workbench.meta_evaluation.correlations import correlations
from mtsig_core.workbench.people import Campaign, open_people
from mtsig_core.workbench.workbench import Workbench
from tests.conftest import WORDS, document, noisy, small_experiment, write_folder

NOISE = {"a": 0.7, "b": 0.45, "c": 0.3, "d": 0.1}
FEW = Settings(n_bootstrap=200, n_permutations=500)


def export(n_segments=40, seed=1):
    """Judgements whose order of systems is that of the noise in their outputs; one document per segment."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=n_segments)
    quality = {f"wmt99.{name}": (difficulty - 4 * noise + 0.3 * rng.normal(size=n_segments)).tolist()
               for name, noise in NOISE.items()}  # fmt: skip
    lengths = {name: [50] * n_segments for name in quality}
    text = simulate_judgements(quality, [f"doc{i}" for i in range(n_segments)], lengths, ("s", "t"))
    # a test set without documents: the number of the segment stands in the place of the item
    rows = [line.split(",", 3) for line in text.splitlines()]
    return "".join(f"{a},{b},{rest.split('#')[0].rsplit('doc', 1)[1]},{rest}\n" for a, b, _, rest in rows)


@pytest.fixture(scope="module")
def bench():
    return Workbench(small_experiment(replicas=dict.fromkeys(NOISE, 2), noise=NOISE, dev=False))


@pytest.fixture(scope="module")
def judged(bench):
    table = "system,segment,annotator,score\n" + "".join(
        f"wmt99.{name},{i + 1},x,{50 - 60 * noise + 10 * np.sin(7 * i) + 5 * np.cos(i * (k + 2)):.3f}\n"
        for k, (name, noise) in enumerate(NOISE.items())
        for i in range(40)
    )
    found = find_judgements([("human.csv", table.encode())])
    return Judged.of(bench, "test", open_people(found, list(NOISE)))


def test_names_are_matched_and_segments_aligned(judged):
    assert judged.systems == tuple(NOISE)
    assert judged.people.match.changed == {f"wmt99.{name}": name for name in NOISE}
    segments = judged.human_segments
    assert segments.shape == (40, 4)
    assert np.isfinite(segments).all()
    np.testing.assert_allclose(segments.mean(axis=0), judged.human)


def test_values_by_segment_average_to_the_score(judged):
    for name in ("bleu", "ter"):
        metric = get_metric(name)
        scores = [judged.statistics(metric).scores_of(system).mean() for system in judged.systems]
        sign = 1 if metric.higher_is_better else -1
        np.testing.assert_allclose(judged.segment_values(metric).mean(axis=0), sign * np.array(scores))


def test_correlations_of_metrics(judged):
    metrics = [get_metric("bleu"), get_metric("ter")]
    result = correlations(judged, metrics, FEW)
    bleu, ter = result.metrics
    expected = stats.pearsonr(bleu.metric_scores, judged.human).statistic
    assert bleu.coefficients["pearson"].value == pytest.approx(expected)
    assert ter.coefficients["pearson"].value > 0.5
    assert result.n_segments == 40
    assert result.accuracies.metrics[0].accuracy == 1
    spread = result.spreads[0]
    assert spread.exact
    assert len(spread.draws) == 2**4
    assert spread.draws.min() <= spread.averaged <= 1


@pytest.mark.slow
def test_agreement_of_tests(judged):
    choice = TestChoice(["ar-segment", "koehn"], [0.05])
    result = agreement_of_tests(judged, [get_metric("bleu")], FEW, choice)
    assert {row.preset for row in result.rows} == {"ar-segment", "koehn"}
    assert all(row.n == 6 for row in result.rows)
    assert all(row.wrong_side == 0 for row in result.rows)
    worth = worth_of_points(judged, get_metric("bleu"), FEW)
    assert worth.pairs["agree"].tolist() == [1] * 6
    assert worth.bins[0].published is not None


def test_fewer_than_two_judged_systems_are_refused(bench):
    found = find_judgements([("human.csv", b"system,segment,annotator,score\na,1,x,3\nother,1,x,4\n")])
    with pytest.raises(
        ValueError, match="People judged 1 of the systems.*Judged are a, other; outputs are those of a, b"
    ):
        Judged.of(bench, "test", open_people(found, list(NOISE)))


def campaign(**columns):
    n = len(columns["segment"])
    frame = judgement_frame({"system": "a", "dimension": "score", "score": [float(i) for i in range(n)], **columns}, n)
    return Campaign("score", "score", True, frame, None)


def of_lines(documents, n_segments, left_out=()):
    return TestSet("test", "test", (), documents=documents, size=n_segments, left_out=left_out)


def test_segments_within_documents_are_lines_of_the_test_set():
    documents = ("x", "x", "y", "y", "y")
    own = campaign(document=["y", "x", "y", "y"], segment=["2", "1", "3", "4"])
    assert np.isnan(aligned(own, ["a"], of_lines(documents, 5))[:, 0]).tolist() == [False, True, True, False, False]
    # documents that the test set does not know, whose segments are numbered anew in each, fit nothing
    unknown = campaign(document=["p", "q"], segment=["1", "1"])
    assert np.isnan(aligned(unknown, ["a"], of_lines(None, 5))).all()
    from_zero = campaign(segment=["0", "4"])
    assert np.isfinite(aligned(from_zero, ["a"], of_lines(None, 5))[:, 0]).tolist() == [True, False, False, False, True]
    plain = campaign(segment=["2", "9", "odd"])
    assert np.isfinite(aligned(plain, ["a"], of_lines(None, 5))[:, 0]).tolist() == [False, True, False, False, False]


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("by", ["line", "line and document", "line of its document"])
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=2, max_size=20).filter(
    lambda lines: any(kept for _, kept in lines)))  # fmt: skip
def test_judgements_count_the_lines_that_were_left_out(by, first, lines):
    documents = sorted(f"d{number}" for number, _ in lines)
    kept = [place for place, (_, stays) in enumerate(lines) if stays]
    absent = tuple((place + 1, documents[place]) for place, (_, stays) in enumerate(lines) if not stays)
    test_set = of_lines(tuple(documents[place] for place in kept), len(kept), absent)
    assert test_set.lines == tuple(place + 1 for place in kept)
    assert test_set.line_documents == tuple(documents)
    number = {
        "line": lambda place: place + first, "line and document": lambda place: place + first,
        "line of its document": lambda place: place - documents.index(documents[place]) + first,
    }[by]  # fmt: skip
    names = {} if by == "line" else {"document": documents}
    judged = campaign(segment=[str(number(place)) for place in range(len(lines))], **names)
    np.testing.assert_array_equal(aligned(judged, ["a"], test_set)[:, 0], kept)


@pytest.mark.slow
def test_correlations_are_those_of_files_that_never_had_the_lines_left_out(tmp_path):
    n, gone = 60, {4, 5, 17, 44}
    rng = random.Random(3)
    truth = [" ".join(rng.choice(WORDS) for _ in range(12)) for _ in range(n)]

    def folder(name, kept):
        number = {line: place + 1 for place, line in enumerate(sorted(kept))}
        texts = {"reference.txt": ["" if line in gone else truth[line] for line in sorted(kept)]}
        rows = ["system,segment,annotator,score"]
        for k, system in enumerate("abc"):
            own = random.Random(k)
            share = [own.random() * (0.4 + 0.2 * k) for _ in range(n)]
            output = [noisy([text], 100 * k + i, share[i])[0] for i, text in enumerate(truth)]
            texts[f"systems/{system}/r1.txt"] = [output[line] for line in sorted(kept)]
            rows += [f"{system},{number[line]},x,{100 - 90 * share[line]:.2f}" for line in sorted(kept)]
        for path, own_lines in texts.items():
            (tmp_path / name / "test" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / "test" / path).write_text("\n".join(own_lines) + "\n")
        (tmp_path / name / "judgements.csv").write_text("\n".join(rows) + "\n")
        return tmp_path / name

    def correlation(path):
        result = read(path)
        bench = Workbench(result.experiment)
        found = find_judgements([("judgements.csv", (path / "judgements.csv").read_bytes())])
        judged = Judged.of(bench, "test", open_people(found, ["a", "b", "c"]))
        return np.corrcoef(judged.human_segments.ravel(), judged.segment_values(bench.metric("chrf")).ravel())[0, 1]

    whole, without = (correlation(folder(name, kept)) for name, kept in (
        ("whole", set(range(n))), ("without", set(range(n)) - gone)))  # fmt: skip
    assert whole == pytest.approx(without, abs=1e-12)
    assert whole > 0.5


def test_adequacy_and_fluency_decide_together():
    rows = "".join(f"{s},{i},{4 + (s == 'b') + i % 2},{3 + (s == 'c') + i % 2}\n" for s in "abc" for i in range(30))
    found = find_judgements([("human.csv", ("system,segment,adequacy,fluency\n" + rows).encode())])
    people = open_people(found)
    assert [c.name for c in people.deciding()] == ["adequacy", "fluency"]
    verdicts = people.verdicts(FEW).by_pair
    winners = {frozenset(pair): better for pair, better in verdicts.items()}
    assert winners[frozenset("ab")] == "b"
    assert winners[frozenset("ac")] == "c"
    with pytest.raises(ValueError, match="No judgements of 'mqm'; there are: adequacy, fluency"):
        people.campaign("mqm")


def test_post_edits_are_a_campaign_where_lower_is_better():
    table = "system,segment,output,post edit\na,1,x y,x y\nb,1,x q,x y\n"
    people = open_people(
        find_judgements([("pe.csv", table.encode()), ("human.csv", b"system,segment,adequacy\na,1,3\n")])
    )
    hter = people.campaign("hter")
    assert hter.items.best_first == ("a", "b")
    assert hter.items.means.tolist() == [0, 50]


def test_files_that_hold_no_judgements_are_passed_over_and_bad_ones_named():
    files = [("refs/ref.txt", b"x\ny\n"), ("scores/human.csv", b"system,segment,score\na,1,2\n"),
             ("judgements/good.csv", b"system,segment,score\na,1,2\n"),
             ("judgements/bad.csv", b"system,segment,score\na,1,two\n")]  # fmt: skip
    found = find_judgements(files)
    assert [table.file for table in found.tables] == ["judgements/good.csv"]
    assert "two" in found.refused["judgements/bad.csv"]
    assert any("left out" in note for note in open_people(found).notes)
    with pytest.raises(LoadError, match="no file of human judgements among"):
        find_judgements(files[:1] + [("notes.txt", b"hello\n")])


def test_files_of_one_kind_are_one_table():
    files = [(f"judgements/{k}.csv", f"system,segment,annotator,score\na,{k},x,{k}\n".encode()) for k in (1, 2)]
    (table,) = find_judgements(files).tables
    assert len(table.frame) == 2


@pytest.mark.slow
def test_people_on_the_command_line(call, tmp_path):
    path = tmp_path / "esa.csv"
    path.write_text(export())
    printed = document(call("people", path, "--json", "--resamples", "100"))
    assert printed["set_aside"]["damaged"] > 0
    assert printed["dimensions"] == ["score", "mqm"]
    means = {row["system"]: row["mean"] for row in printed["tables"]["score: systems"]}
    assert set(means) == set(NOISE)
    assert printed["settings"]["n_bootstrap"] == 100
    code, out, _ = call("people", path, "--dimension", "score", "--without", "simulated-careless", "--resamples", "50")
    assert code == 0
    assert "with and without simulated-careless" in out
    assert "Judgements set aside" in out


@pytest.mark.slow
def test_agreement_and_correlations_on_the_command_line(call, tmp_path):
    experiment = small_experiment(replicas=dict.fromkeys(NOISE, 2), noise=NOISE, dev=False)
    folder = write_folder(experiment, tmp_path / "run")
    (folder / "judgements").mkdir()
    rows = "".join(f"{s},{i + 1},x,{90 - 50 * n + i % 7}\n" for s, n in NOISE.items() for i in range(40))
    (folder / "judgements/human.csv").write_text("system,segment,annotator,score\n" + rows)
    few = ["--resamples", "100", "--shuffles", "200", "--metric", "chrf"]
    printed = document(call("agreement", folder, "--json", "--preset", "ar-segment", "--level", "0.05", *few))
    (row,) = printed["tables"]["agreement of tests with people"]
    assert (row["preset"], row["pairs"]) == ("ar-segment", 6)
    assert row["right"] + row["missed"] + row["false"] + row["wrong side"] == 6
    printed = document(call("correlations", folder, "--json", *few))
    assert printed["systems"] == list(NOISE)
    pearson = printed["tables"]["systems: metric against people"][0]
    assert pearson["value"] > 0.8
    assert any("one replica per system would have reported" in note for note in printed["notes"])
    code, _, err = call("correlations", folder, "--dimension", "mqm", *few)
    assert code == 2
    assert "No judgements of 'mqm'" in err


def test_default_tests_are_presets():
    from mtsig_core.significance import PRESETS

    assert set(agreement.DEFAULT_TESTS) <= set(PRESETS)


@pytest.mark.slow
def test_scores_of_metrics_beside_human_scores_need_no_outputs(call, tmp_path):
    rng = np.random.default_rng(5)
    human = rng.normal(size=8)
    rows = "".join(f"{m} s{k} {s * h + 0.1 * rng.normal():.4f} {h:.4f}\n"
                   for m, s in (("BLEU", 1), ("TER", -1)) for k, h in enumerate(human + 9))  # fmt: skip
    path = tmp_path / "hum-sys.csv"
    path.write_text("METRIC SYSTEM SCORE HUMAN\n" + rows.replace("TER", "WER"))
    printed = document(call("correlations", path, "--json", "--resamples", "100", "--shuffles", "100"))
    values = {row["metric"]: row["value"] for row in printed["tables"]["systems: metric against people"]
              if row["coefficient"] == "Pearson's r"}  # fmt: skip
    assert set(values) == {"BLEU", "WER"}
    assert values["BLEU"] > 0.9
    wide = tmp_path / "wide.csv"
    cells = "".join(f"s{k},{i},{h + (i % 3):.3f},{h + i % 3 + 0.1 * rng.normal():.3f}\n"
                    for k, h in enumerate(human) for i in range(12))  # fmt: skip
    wide.write_text("system,segment,adequacy,comet\n" + cells)
    (found,) = {row["metric"] for row in find_judgements(wide).metric_scores.to_dict("records")}
    assert found == "comet"
    printed = document(call("correlations", wide, "--json", "--resamples", "100", "--shuffles", "100"))
    assert "segments (12 judged)" in printed["tables"]
    assert {row["metric"] for row in printed["tables"]["systems: metric against people"]} == {"comet"}


LANGUAGES = "".join(
    f"u{who},{system},{line},TGT,eng,{target},{score + line},news{line // 3}#{system},False,[],1,2\n"
    for target, systems in (("jpn", {"refA": 70, "A": 60}), ("zho", {"refA": 30, "A": 50, "B": 40}))
    for system, score in systems.items() for line in range(6) for who in (1, 2)
)  # fmt: skip


@pytest.mark.slow
def test_language_pairs_of_one_export_are_campaigns_of_their_own():
    people = open_people([("wave.csv", LANGUAGES.encode())])
    names = ["score (eng-jpn)", "score (eng-zho)"]
    assert [campaign.name for campaign in people.campaigns] == names
    settings = Settings(n_bootstrap=20)
    ranked = [[mean.system for mean in campaign.means(settings).systems] for campaign in people.campaigns]
    assert ranked == [["refA", "A"], ["A", "B", "refA"]]
    assert [campaign.name for campaign in people.on("eng-zho").campaigns] == names[1:]
    assert len(people.on("test").campaigns) == 2


@pytest.mark.parametrize("first", [0, 1])
def test_lines_of_the_test_set_are_told_from_lines_of_documents(first):
    documents = ("a", "a", "a", "b", "b", "b", "c", "c", "c")
    lines = [3, 5, 6, 8]  # where documents begin and end
    frame = judgement_frame({"system": ["s"] * 4, "segment": [str(line + first) for line in lines],
                             "document": [documents[line] for line in lines], "dimension": "score",
                             "score": [1.0, 2.0, 3.0, 4.0]}, 4)  # fmt: skip
    campaign = Campaign("score", "score", True, frame, JudgementTable("f", "x", frame, {"score": True}))
    values = aligned(campaign, ["s"], of_lines(documents, 9))[:, 0]
    assert np.flatnonzero(np.isfinite(values)).tolist() == lines
    assert values[lines].tolist() == [1, 2, 3, 4]


def test_post_edits_without_outputs_take_those_of_the_experiment():
    table = b"system,segment,post edit\nwmt23.A,1,a b c\nwmt23.B,2,d e\n"
    people = open_people([("edits.csv", table)], ["A", "B"], edited={("A", "1"): ("a b",), ("B", "1"): ("x", "d e")})
    assert people.post_edits["hter"][["output", "hter"]].round(1).to_numpy().tolist() == [["a b", 33.3], ["d e", 0.0]]
    assert [campaign.name for campaign in people.campaigns] == ["hter"]


@pytest.mark.parametrize(("judged", "outputs"), [
    ("eng-jpn", "en-ja"), ("en-zh_Hans", "wmt24.en-zh"), ("cs-en", "ces-eng"),
])  # fmt: skip
def test_spellings_of_a_language_pair_are_one(judged, outputs):
    rows = [f"{pair},{system},{k},{score + k % 2}\n" for pair in (judged, "en-is")
            for system, score in (("a", 60), ("b", 80)) for k in range(1, 5)]  # fmt: skip
    people = open_people([("human.csv", ("lp,system,segment,score\n" + "".join(rows)).encode())])
    assert [set(c.frame["test_set"]) for c in people.on(outputs).campaigns] == [{judged}]
    assert len(people.on("fi-en").campaigns) == 2  # nothing fits: everything stays
