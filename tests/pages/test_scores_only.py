"""Every page on an experiment that holds segment scores and no text, and on text with scores beside it."""

from __future__ import annotations

import io
import random
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from mtsig_core.workbench.saved_experiments import default_saved_experiments
from pages.parts.learn.order import LESSONS
from tests.pages.session import PAGES, goto, said, session, settle, upload, zipped

pytestmark = pytest.mark.slow

# pages that are not about these scores, or not until one asks for the open data
ELSEWHERE = {"Optimizer lab", "Human judgement", "Metrics against people", *(title for _, title, _ in LESSONS)}


# what is said of the segment that plain/2 lacks, where it is not that all systems are on 59
OF_THE_PAIR = "59 of 60 segments are used; the others lack a score of plain/2 (1)."
OF_EACH = "COMET on test: each system on all segments that all its replicas have; plain has 59 of 60."
USED = {"Overview": OF_THE_PAIR, "Compare": OF_THE_PAIR, "Plan": OF_THE_PAIR, "Read and annotate": OF_EACH,
        "Trust the tests": OF_EACH}  # fmt: skip


def table(segments=60, gap=True):
    rng = random.Random(1)
    rows = ["system,seed,segment,COMET,HTER"]
    for s in ("plain", "better"):
        for k in (1, 2, 3):
            for i in range(1, segments + 1):
                comet = rng.random() + 0.4 * (s == "better")
                shown = "" if gap and (s, k, i) == ("plain", 2, 7) else f"{comet:.4f}"
                rows.append(f"{s},{k},{i},{shown},{1.5 - comet + 0.1 * rng.random():.4f}")
    return "\n".join(rows).encode()


def opened(name: str, content: bytes) -> AppTest:
    return upload(session({}), name, content)


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MTSIG_HOME", str(tmp_path_factory.mktemp("home")))
        yield opened("scores.csv", table())


@pytest.mark.parametrize("page", PAGES)
def test_each_page_of_scores_alone(scored, page):
    goto(scored, page)
    told = said(scored)
    assert not scored.error
    if page not in ELSEWHERE:
        assert USED.get(page, "COMET on test: 59 of 60 segments used") in told
    labels = [w.label for w in scored.sidebar.selectbox]
    assert labels == ["Test set", "Baseline (A)", "System (B)", "Replicas differ by"]  # no tokenizer
    assert scored.sidebar.multiselect(key="metrics").value == ["COMET", "HTER"]


def test_both_directions_end_in_one_verdict(scored):
    scored.sidebar.selectbox(key="baseline").set_value("plain")
    goto(scored, "Compare")
    told = said(scored)
    assert "better is better than plain by" in told
    assert "HTER lower" in told


def test_the_median_page_names_the_replica_and_says_that_there_is_no_text(scored):
    goto(scored, "Read and annotate")
    told = said(scored)
    assert "Reading **" in told
    assert "holds scores and no text" in told
    assert not [d for d in scored.dataframe if "segment" in d.value.columns]
    goto(scored, "Read and annotate", "differences")
    assert not scored.error  # where they differ can be said by difficulty


def test_text_with_scores_beside_it(folder):
    stream = io.BytesIO(zipped(folder))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("test/scores.csv", table(40))
    made = opened("both.zip", stream.getvalue())
    chooser = made.sidebar.multiselect(key="metrics")
    assert chooser.value == ["bleu", "chrf"]
    assert chooser.options[-2:] == ["COMET", "HTER"]
    chooser.set_value(["COMET"])
    goto(made, "Read and annotate")
    frame = next(d.value for d in made.dataframe if "segment" in d.value.columns)
    assert len(frame) == 39
    assert 7 not in set(frame["segment"])
    made.sidebar.selectbox(key="set").set_value("dev")
    settle(made)
    assert "COMET has no scores of these systems on dev" in said(made)
    assert "choose another in the sidebar" in said(made)


def test_scores_of_whole_runs_of_one_system(monkeypatch, tmp_path):
    monkeypatch.setenv("MTSIG_HOME", str(tmp_path))
    rows = "\n".join(f"run {k},0.{800 + 7 * k}" for k in range(12))
    made = opened("runs.csv", f"run,accuracy\n{rows}\n".encode())
    assert "See the verdict" not in doors(made)  # there is none
    assert "\n1 file of scores." in said(goto(made, "Data", "check"))
    (entry,) = default_saved_experiments().entries()
    again = goto(session({"experiment": entry.id}), "Data", "check")
    assert "As kept here: 12 files of scores." in said(again)  # not those that were uploaded
    goto(made, "Data", "details")
    assert next(m.value for m in made.metric if m.label == "Segments") == "—"
    assert list(made.dataframe[0].value) == ["System", "Replica", "Test set", "Scores"]
    goto(made, "Replicas")
    told = said(made)
    assert "All systems" in told
    assert "The chosen pair" not in told
    goto(made, "Replicas", "table")
    told = said(made)
    assert "Where s_sel is empty (—): it takes scores of two or more segments." in told
    assert "bootstrap samples, seed" not in told  # nothing was drawn
    goto(made, "Read and annotate", "differences")
    assert "this page compares two" in said(made)
    assert "no text on test: read the replica named above" in said(goto(made, "Read and annotate", "read"))
    told = said(goto(made, "Read and annotate", "annotate"))
    assert "no text on test: there is nothing to annotate." in told
    assert "Reading" not in told
    goto(made, "Report")
    offered = {box.key for box in settle(made).checkbox if (box.key or "").startswith("report ")}
    assert offered == {"report data", "report table1", "report methods", "report checklist"}  # nothing compares
    made.switch_page("pages/start/overview.py")
    assert doors(settle(made)) == ["Open your own outputs", "How far do its runs differ?"]


def doors(made: AppTest) -> list[str]:
    """Return the labels of the links to other pages."""
    return [link.proto.label for link in made.main.get("page_link")]


def test_the_first_screen_says_on_which_set_fewer_systems_were_scored(monkeypatch, tmp_path):
    monkeypatch.setenv("MTSIG_HOME", str(tmp_path))
    rng = random.Random(2)
    scored_on = {"talks": "abc", "news": "abcd"}
    rows = [f"{s},{name},{i},{rng.random():.4f}" for name, systems in scored_on.items() for s in systems
            for i in range(12)]  # fmt: skip
    made = opened("scores.csv", "\n".join(["system,testset,segment,COMET", *rows]).encode())
    sizes = {"talks": "3 systems, 3 runs, 12 segments on talks", "news": "4 systems, 4 runs, 12 segments"}
    for name, told in sizes.items():
        made.sidebar.selectbox(key="set").set_value(name)
        made.switch_page("pages/start/overview.py")
        text = said(settle(made))
        assert told in text
        assert "segments on news" not in text


def test_copies_are_taken_for_one_run_on_every_page():
    rows = ["system,seed,segment,COMET", *(f"{s},{k},{i},0.{i % 7 + 2 * (s == 'b')}" for s in "ab" for k in (1, 2, 3)
                                           for i in range(1, 41))]  # fmt: skip
    made = session({}, "Data")
    upload(made, "scores.csv", "\n".join(rows).encode())
    for page in ("Replicas", "Compare", "Rank systems", "Plan", "Trust the tests"):
        assert "The 3 replicas of b have exactly the same output: they count as one" in said(goto(made, page)), page
    assert "could not be tested" not in said(goto(made, "Rank systems"))


def test_a_ranking_says_which_direction_it_assumed():
    rows = ["run,MNLI", *(f"{s}-seed{k},{80 + 2 * (s == 'b') + k / 10}" for s in "ab" for k in (1, 2, 3))]
    made = session({}, "Data")
    upload(made, "runs.csv", "\n".join(rows).encode())
    assert "(if higher is better)" in said(goto(made, "Rank systems"))
