"""Where do they differ? in a simulated session."""

from __future__ import annotations

import pytest

from tests.conftest import small_experiment, write_folder
from tests.pages.session import app, goto, said, session, settle, upload, zipped

pytestmark = pytest.mark.slow


def choose(made, key, value):
    made.segmented_control(key=key).set_value(value)
    settle(made)
    assert not made.error
    return said(made)


def test_every_view_answers():
    told = said(made := goto(app(), "Read and annotate", "differences"))
    assert "for new replicas on these segments" in told
    assert made.dataframe[0].value["segments"].sum() == 360
    assert "egression to the mean" in choose(made, "differ by 4", "difficulty")
    assert choose(made, "differ by 4", "document").count("with the largest differences") == 1
    choose(made, "differ view", "edits")
    assert made.dataframe[0].value["edit"].tolist()[-1] == "all edits"
    assert "In no reference of the test set are" in choose(made, "differ view", "words")
    choose(made, "differ view", "lengths")
    assert "as long" in made.dataframe[0].value["output"].tolist()
    assert "n-grams tested" in choose(made, "differ view", "n-grams")
    choose(made, "ngram words", "4")
    assert all(len(text.split()) == 4 for text in made.dataframe[0].value["n-gram"])
    choose(made, "differ view", "stable")
    assert made.dataframe[0].value["system"].tolist() == ["words", "segmented"]


def test_one_replica_each_is_explained(tmp_path):
    experiment = small_experiment(n_segments=20, replicas={"plain": 1, "better": 1}, dev=False)
    made = upload(session({"demo": "news"}), "mine.zip", zipped(write_folder(experiment, tmp_path / "mine")))
    told = said(goto(made, "Read and annotate", "read"))
    assert "What do the outputs look like?" in told
    assert "Reading **better** (the only replica) beside **plain** (the only replica)." in told
    assert "Diamond: the output shown." in told
    assert "their mean" not in told
    told = said(goto(made, "Read and annotate", "differences"))
    assert "Over all replicas" not in told
    assert "with one replica of each system nothing is known about how its replicas vary" in told
    assert "does not say which segments belong to one document" in told
    assert "Not tested" in choose(made, "differ view", "n-grams")
    assert "is unknown with one replica" in choose(made, "differ view", "stable")
