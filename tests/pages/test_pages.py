"""The pages in a simulated session: every one is drawn, restores its address, and survives bad input."""

from __future__ import annotations

import pytest

from tests.pages.session import PAGES, app, goto, said, table_1, upload, zipped

QUICK = ("Replicas",)


@pytest.mark.parametrize("title", [t if t in QUICK else pytest.param(t, marks=pytest.mark.slow) for t in PAGES])
def test_every_page_is_drawn_on_the_demonstration(title):
    made = goto(app(), title)
    assert [t.value for t in made.title] == [title]
    assert "nan" not in said(made).lower().split()


@pytest.mark.slow
def test_the_address_sets_every_shared_control():
    made = app(demo="news", metrics="chrF", alpha="0.01", seed="7", tok="char", set="test-second", paired="true")
    assert made.selectbox(key="set").value == "test-second"
    assert made.multiselect(key="metrics").value == ["chrf"]
    assert made.number_input(key="alpha").value == 0.01
    assert made.number_input(key="seed").value == 7
    assert made.selectbox(key="tok").value == "char"
    assert made.toggle(key="paired").value is True


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["ter,bleu", "TER,Bleu", ["ter", "bleu"]])
def test_metrics_typed_by_hand_are_understood(typed):
    assert app(metrics=typed).multiselect(key="metrics").value == ["ter", "bleu"]


@pytest.mark.slow
def test_an_address_with_nonsense_opens_all_the_same_and_says_so():
    nonsense = {"metrics": "blue", "alpha": "900", "seed": "-3", "tok": "15z", "set": "unknown", "baseline": "nobody",
                "paired": "perhaps", "lower": "1", "lang": "elvish", "varied": "moon"}  # fmt: skip
    made = app(demo="nothing", **nonsense)
    assert made.multiselect(key="metrics").value == ["bleu", "chrf"]
    assert made.number_input(key="alpha").value == 0.05
    refused = said(made)
    assert [key for key, value in nonsense.items() if f"asks for {key} = '{value}'" not in refused] == []
    assert "a whole number from 0 to 2,147,483,647" in refused


@pytest.mark.slow
def test_a_metric_that_is_none_is_said_beside_those_that_are_shown():
    made = app(metrics="foo,TER")
    assert made.multiselect(key="metrics").value == ["ter"]
    assert "asks for metrics = 'foo'" in said(made)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "value", "shown"), [("set", "dev", "dev (tuning set)"), ("lang", "de", "German"),
                                                     ("varied", "training-seed", "training seed")])
def test_what_a_control_puts_into_the_address_is_taken_from_it(key, value, shown):
    """The address has what a person reads in the control; the name behind it is understood, too."""
    for typed in (value, shown):
        opened = app(**{key: typed})
        assert opened.selectbox(key=key).value == value, typed
        assert "The address asks for" not in said(opened)


@pytest.mark.slow
def test_an_uploaded_zip_takes_the_place_of_the_demonstration(folder):
    made = upload(app(), "mine.zip", zipped(folder))
    assert "Open now: **mine**" in said(goto(made, "Data"))
    assert made.selectbox(key="baseline").options == ["better", "plain"]
    assert "demo" not in made.query_params
    assert "plain" in said(goto(made, "Compare"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content"), [("empty.zip", b""), ("cut.zip", b"PK\x03\x04abc"), ("a.txt", b"\xff\xfe\x00")]
)
def test_a_refused_upload_names_the_file_and_loses_nothing(folder, name, content):
    made = upload(app(), "mine.zip", zipped(folder))
    upload(made, name, content)
    assert name in " ".join(e.value.replace("\\", "") for e in made.error)
    assert "Open now: **mine**" in said(made)
    assert "better" in made.selectbox(key="baseline").options


@pytest.mark.slow
def test_new_files_under_old_names_show_no_old_number(folder):
    def average(made):
        return table_1(made).set_index(["metric", "system"])["avg"].to_dict()

    first = average(goto(upload(app(), "mine.zip", zipped(folder)), "Replicas", "table"))
    plain, better = folder / "test/systems/plain", folder / "test/systems/better"
    for i in (1, 2, 3):
        a, b = plain / f"seed{i}.txt", better / f"seed{i}.txt"
        kept = a.read_text()
        a.write_text(b.read_text())
        b.write_text(kept)
    second = average(goto(upload(app(), "mine.zip", zipped(folder)), "Replicas", "table"))
    assert first["BLEU ↑", "plain"] == second["BLEU ↑", "better"] != first["BLEU ↑", "better"]


@pytest.mark.slow
def test_one_system_gives_honest_empty_states(folder):
    for path in sorted((folder / "test/systems/better").iterdir()) + sorted((folder / "dev/systems/better").iterdir()):
        path.unlink()
    made = upload(app(), "mine.zip", zipped(folder))
    for title in PAGES:
        goto(made, title)
    assert "One system only" in said(goto(made, "Compare"))


@pytest.mark.slow
def test_one_replica_each_is_explained(folder):
    for i in (2, 3):
        for path in folder.rglob(f"seed{i}.txt"):
            path.unlink()
    made = upload(app(), "mine.zip", zipped(folder))
    for title in PAGES:
        goto(made, title)
    text = said(goto(made, "Compare"))
    assert "No verdict on the systems: with one run of each" in text
    assert "If each system had been run only once" not in said(goto(made, "Compare", "why"))
    text = said(goto(made, "Plan"))
    assert "run each system at least twice more" in text
    assert text.count("one replica") == 1
    assert "Numbers" not in text
    assert "—" in table_1(goto(made, "Replicas", "table"))["s_test"].tolist()
