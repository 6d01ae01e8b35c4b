"""An experiment written in the native layout loads back to itself, whatever its names and segments are."""

from __future__ import annotations

import io
import tomllib
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtsig_core.experiment import LARGEST_SCORE, Experiment, ExperimentError, Replica, System, TestSet
from mtsig_core.loading import LoadError, load
from mtsig_core.loading.sources.tree import left_behind, normalise
from mtsig_core.loading.writing import file_name, native_files, native_zip

# What once broke somebody: slashes, markup, names of devices, upper and lower case, dots, composed letters.
ODD_NAMES = (
    "a/b", "..", ".", "a\\b", "A", "a", "<b>x</b>", "$a_1$", "CON", "nul.txt", "é", "e\u0301", "ß", "ss", " ", "a\nb",
    "x\r", "tab\t", "\x00", "\x7f", "ref", "reference", "systems", "scores", "seed1", "dev", "model-seed1", "thumbs.db",
    "~", "x~", "Ⅷ", "日本", "x" * 300, "\u2028", '"', "'", "comet", "score.tsv", "hyp", "K", "k", "1", "01",
)  # fmt: skip
ODD_LINES = (
    "", " ", "\r", "a\rb", "a\nb", "\r\n", "\u2028", "\u0085", "\x0c", "a\tb", "\ufeffx", "\x00", "PK\x03\x04", "BZh",
    "%PDF-", "H-0\t-0.1\tx", "0 ||| a ||| b=1 ||| 2", "<refset>", "<dataset><doc>", "\ud800", "null", '"x"', "NA", "ok",
    "system\tsegment\tscore", "日本語",
)  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(ODD_NAMES), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
)
LINES = st.one_of(st.sampled_from(ODD_LINES), st.text(max_size=5))
FLOATS = st.floats(-LARGEST_SCORE, LARGEST_SCORE)
SCORES = st.none() | FLOATS


@st.composite
def _set(draw, name: str, with_text: bool) -> TestSet:
    n = draw(st.integers(1, 4))
    role = draw(st.sampled_from(["dev", "test", "other"]))
    documents = draw(st.none() | st.tuples(*[LINES] * n))
    if not with_text:
        return TestSet(name, role, (), documents=draw(st.none() | st.tuples(*[NAMES] * n)), size=n)
    streams = draw(st.lists(st.tuples(*[LINES.map(lambda x: x if x.strip() else None)] * n), min_size=1, max_size=3))
    first = tuple(line or "text" if all(s[i] is None for s in streams) else line for i, line in enumerate(streams[0]))
    names = draw(st.lists(NAMES, min_size=len(streams), max_size=len(streams), unique=True))
    source = draw(st.none() | st.tuples(*[LINES] * n))
    absent = draw(st.sets(st.integers(1, n), max_size=n))
    lines = sorted(absent)[: n // 2]  # each within the lines that there are
    left_out = tuple((line, draw(NAMES) if documents else "") for line in lines)
    return TestSet(name, role, (first, *streams[1:]), tuple(names), source, documents, left_out=left_out)


@st.composite
def _replica(draw, name: str, sets: list[TestSet]) -> Replica:
    outputs, scores = {}, {}
    for test_set in draw(st.lists(st.sampled_from(sets), min_size=1, unique_by=lambda t: t.name)):
        n = test_set.n_segments
        if test_set.references and draw(st.booleans()):
            outputs[test_set.name] = draw(st.tuples(*[LINES] * n))
        metrics = draw(st.lists(NAMES, max_size=2, unique=True)) if test_set.name in outputs else [draw(NAMES)]
        scores[test_set.name] = {m: (draw(FLOATS), *draw(st.tuples(*[SCORES] * (n - 1))))
                                 for m in metrics}  # fmt: skip
    return Replica(name, outputs, scores)


@st.composite
def experiments(draw) -> Experiment:
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    sets = [draw(_set(name, with_text=draw(st.booleans()))) for name in names]
    systems = []
    for system in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        replicas = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
        systems.append(System(system, tuple(draw(_replica(r, sets)) for r in replicas)))
    used = [t for t in sets if any(r.is_on(t.name) for s in systems for r in s.replicas)]
    metrics = {m for s in systems for r in s.replicas for of_set in r.scores.values() for m in of_set}
    directions = {m: draw(st.booleans()) for m in sorted(metrics)}
    baseline = draw(st.sampled_from([s.name for s in systems]))
    paired, word = draw(st.booleans()), st.none() | NAMES
    return Experiment(draw(NAMES), tuple(used), tuple(systems), baseline, draw(word), draw(word), paired, directions)


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(experiments())
def test_every_experiment_loads_back_to_itself(experiment):
    loaded, report = load(native_zip(experiment), name="other.zip")
    assert loaded.digest == experiment.digest
    assert loaded == experiment  # the name, the baseline and whether replicas are paired, too
    assert not report.refused


@pytest.mark.parametrize("name", ["systems", "refs", "scores", "test"])
def test_scores_of_what_is_called_as_folders_of_layouts_are(name):
    sets = (TestSet("a", "dev", (), size=1),)
    experiment = Experiment("e", sets, (System(name, (Replica(name, {}, {"a": {name: (0.5,)}}),)),))
    assert load(native_zip(experiment))[0].digest == experiment.digest


@settings(max_examples=60, deadline=None)
@given(NAMES)
def test_every_name_becomes_one_that_is_safe_as_a_file(name):
    made = file_name(name)
    assert normalise(made + ".txt") == made + ".txt"
    assert not left_behind(made)
    assert "/" not in made
    assert "\\" not in made


def _experiment(**systems: list[str]) -> Experiment:
    reference = TestSet("test", "test", (("a b", "c"),), ("reference",))
    made = tuple(System(s, tuple(Replica(r, {"test": ("a b", "c d")}) for r in rs)) for s, rs in systems.items())
    return Experiment("plain names", (reference,), made)


def test_plain_names_need_no_list_of_files():
    files = dict(native_files(_experiment(base=["seed1", "seed2"], mine=["seed1"])))
    assert set(files) == {
        "test/reference.txt", "test/systems/base/seed1.txt", "test/systems/base/seed2.txt",
        "test/systems/mine/seed1.txt", "experiment.toml",
    }  # fmt: skip
    assert "files" not in tomllib.loads(files["experiment.toml"].decode())


def test_equal_experiments_make_equal_archives():
    assert native_zip(_experiment(a=["1"], b=["1"])) == native_zip(_experiment(b=["1"], a=["1"]))


def test_names_that_differ_in_case_only_become_different_files():
    files = dict(native_files(_experiment(A=["1"], a=["1"])))
    assert len({path.casefold() for path in files}) == len(files) == 4


@pytest.mark.parametrize(
    ("experiment", "said"),
    [
        (Experiment("x", (TestSet("t", "test", (), size=1),), (System("a", (Replica("1", {"t": ("x",)}),)),)),
         "without"),
        (Experiment("x", (TestSet("t", "test", (("x",),)), TestSet("u", "test", (("x",),))),
                    (System("a", (Replica("1", {"t": ("x",)}),)),)), "'u'"),
        (Experiment("x", (TestSet("t", "test", (("x",),)),), (System("\ud800", (Replica("1", {"t": ("x",)}),)),)),
         "Unicode"),
    ],
)  # fmt: skip
def test_what_no_files_can_hold_is_refused(experiment, said):
    with pytest.raises(ExperimentError, match=said):
        native_zip(experiment)


def _with_manifest(manifest: str) -> bytes:
    files = dict(native_files(_experiment(a=["1"], b=["1"]))) | {"experiment.toml": manifest.encode()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return stream.getvalue()


def test_a_list_of_files_is_believed_and_may_leave_files_out():
    manifest = (
        '[[files]]\npath = "test/systems/a/1.txt"\nkind = "output"\nsystem = "b"\nreplica = "2"\n'
        '[[files]]\npath = "test/systems/gone.txt"\nkind = "output"\nsystem = "b"\n'
    )
    experiment, report = load(_with_manifest(manifest), name="x.zip")
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [("b", ["1", "2"])]
    assert report.with_code("unknown-file")


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ("files = 3", "list of tables"),
        ('files = [{path = "x", kind = "thing"}]', "kind"),
        ('files = [{path = "x", kind = "output"}]', "needs a system"),
        ('files = [{path = "x", kind = "source"}, {path = "x", kind = "source"}]', "twice"),
        ('files = [{path = "x", kind = "source", colour = "red"}]', "colour"),
        ('files = [{path = "x", kind = 1}]', "text in quotes"),
        ('files = [{path = "test/reference.txt", kind = "reference", format = "json"}]', "JSON text"),
    ],
)
def test_a_wrong_list_of_files_is_an_error_that_names_the_place(manifest, said):
    with pytest.raises(LoadError, match=said) as caught:
        load(_with_manifest(manifest), name="x.zip")
    assert caught.value.file in ("experiment.toml", "test/reference.txt")


@pytest.mark.slow
def test_real_folders_survive(real_data):
    for name in ("multeval-4ref", "wmt22-liv-en", "wmt22-en-zh-2ref"):
        experiment, _ = load(real_data / name)
        assert load(native_zip(experiment), name="x.zip")[0] == experiment


def test_metrics_keep_their_order():
    replica = Replica("1", scores={"test": {"a": (0.5, 0.1), "z": (0.7, 0.2)}})
    sets, directions = (TestSet("test", "test", (), size=2),), {"z": True, "a": False}
    made = Experiment("e", sets, (System("s", (replica,)),), outside_metrics=directions)
    back, _ = load(native_zip(made))
    assert list(back.outside_metrics.items()) == list(directions.items())
