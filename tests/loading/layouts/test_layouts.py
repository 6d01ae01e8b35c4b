import pytest

from mtsig_core.loading import LAYOUTS, LoadError, load
from mtsig_core.loading.layouts import choose
from mtsig_core.loading.recognition.names import special, split_flat, stems
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter


def tree_of(paths, text):
    """Files with distinct text, in a fixed order."""
    return [(path, text(f"word{i}")) for i, path in enumerate(paths)]


def shape(experiment):
    return {system.name: [replica.name for replica in system.replicas] for system in experiment.systems}


def test_native_with_two_sets(text):
    paths = ["test/reference.txt", "test/source.txt", "test/documents.txt"]
    paths += ["dev2/reference.0.txt", "dev2/reference.1.txt"]
    paths += [f"{s}/systems/{name}/seed{k}.txt" for s in ("test", "dev2") for name in ("a", "b") for k in (1, 2, 10)]
    paths += ["test/notes/comet/a/seed1.txt", "README.md"]
    experiment, report = load(tree_of(paths, text))
    assert report.layout == "native"
    assert shape(experiment) == {"a": ["seed1", "seed2", "seed10"], "b": ["seed1", "seed2", "seed10"]}
    sets = [(t.name, t.role, len(t.references)) for t in experiment.test_sets]
    assert sets == [("test", "test", 1), ("dev2", "dev", 2)]
    assert experiment.test_set("test").source is not None
    assert len(experiment.test_set("test").documents) == 12
    unused = {file for line in report.with_code("not-used") for file in line.files}
    assert unused == {"test/notes/comet/a/seed1.txt", "README.md"}


@pytest.mark.parametrize(
    ("name", "role"), [("dev", "dev"), ("tune.mert", "dev"), ("valid", "dev"), ("test", "test"), ("newstest", "test")]
)
def test_the_name_gives_the_role(text, name, role):
    paths = [f"{name}/reference.txt", f"{name}/systems/a/1.txt", "other/reference.txt", "other/systems/a/1.txt"]
    assert load(tree_of(paths, text))[0].test_set(name).role == role


@pytest.mark.parametrize("prefix", ["dev/", "exp/dev/", "a/b/Tuning/", "valid-2/"])
def test_a_lone_tuning_set_is_no_test_set(text, make_zip, prefix):
    files = {prefix + path: content for path, content in tree_of(["reference.txt", "systems/a/1.txt"], text)}
    experiment, _ = load(make_zip(files), name="my.zip")
    (only,) = experiment.test_sets
    assert (only.name, only.role) == (prefix.split("/")[-2], "dev")


@pytest.mark.parametrize("prefix", ["", "exp/", "test/", "tuning-study/", "developers/"])
def test_other_enclosing_folders_do_not_name_the_set(text, make_zip, prefix):
    files = {prefix + path: content for path, content in tree_of(["reference.txt", "systems/a/1.txt"], text)}
    experiment, _ = load(make_zip(files), name="my.zip")
    assert [(t.name, t.role) for t in experiment.test_sets] == [("test", "test")]


def test_a_lone_tuning_set_is_the_same_in_every_packaging(text, make_zip, tmp_path):
    files = dict(tree_of(["reference.txt", "systems/a/1.txt"], text))
    for path, content in files.items():
        (tmp_path / "dev" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "dev" / path).write_bytes(content)
    ways = [tmp_path, tmp_path / "dev", make_zip({f"dev/{p}": c for p, c in files.items()})]
    assert len({load(way, name="my.zip" if isinstance(way, bytes) else None)[0].digest for way in ways}) == 1


def test_plain(text):
    paths = ["refs/A.zh", "refs/B.zh", "src.en", "systems/x/x.zh", "systems/y/y.zh", "systems/z.txt"]
    paths += ["known/a.csv", "README"]
    docids = ("docids.tsv", "".join(f"doc{i // 5}\tnews\t{i}\n" for i in range(12)).encode())
    experiment, report = load([*tree_of(paths, text), docids])
    assert report.layout == "plain"
    assert shape(experiment) == {"x": ["x"], "y": ["y"], "z": ["1"]}
    test = experiment.test_set("test")
    assert test.reference_names == ("A", "B")
    assert test.documents == ("doc0",) * 5 + ("doc1",) * 5 + ("doc2",) * 2
    assert test.source is not None
    assert set(report.with_code("not-used")[0].files) == {"known/a.csv", "README"}


def test_plain_with_a_folder_a_set_and_a_folder_a_replica(text):
    paths = ["wmt14/refs/r", "wmt15/refs/r", "wmt14/systems/a/run1/hyp.txt", "wmt14/systems/a/run2/hyp.txt"]
    paths += ["wmt15/systems/a/run1/hyp.txt", "wmt15/systems/a/two/x.txt", "wmt15/systems/a/two/y.txt"]
    experiment, report = load(tree_of(paths, text))
    assert shape(experiment) == {"a": ["run1", "run2"]}
    assert [t.name for t in experiment.test_sets] == ["wmt14", "wmt15"]
    assert any("exactly one file" in line.message for line in report.ignored)
    assert "run2" in report.with_code("missing-replica")[0].message


def test_multeval(text):
    paths = [f"hyps.lc.tok.en.{s}.opt{k}" for s in ("baseline", "sys1") for k in range(3)]
    paths += ["refs.test2010.lc.tok.en.0", "refs.test2010.lc.tok.en.1", "notes"]
    experiment, report = load(tree_of(paths, text))
    assert report.layout == "MultEval"
    assert shape(experiment) == {"baseline": ["opt0", "opt1", "opt2"], "sys1": ["opt0", "opt1", "opt2"]}
    assert [(t.name, t.reference_names) for t in experiment.test_sets] == [("test2010.lc.tok.en", ("0", "1"))]
    assert report.with_code("not-used")[0].files == ("notes",)
    assert "most specific" in report.with_code("layout")[0].message


def test_multeval_without_a_name_for_the_set(text):
    experiment, report = load(tree_of(["hyps.a.opt0", "refs.0"], text))
    assert report.layout == "MultEval"
    assert (shape(experiment), experiment.test_sets[0].name) == ({"a": ["opt0"]}, "test")


def test_multeval_with_two_sets(text):
    paths = ["hyps.x.a.opt0", "hyps.y.a.opt0", "hyps.z.a.opt1", "refs.x.0", "refs.news.y.0"]
    experiment, report = load(tree_of(paths, text))
    assert {t.name for t in experiment.test_sets} == {"x", "news.y"}
    assert shape(experiment) == {"a": ["opt0"]}
    assert report.with_code("not-used")[0].files == ("hyps.z.a.opt1",)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a.seed1.txt", "a.seed2.txt", "b.seed1.txt"], {"a": ["seed1", "seed2"], "b": ["seed1"]}),
        (["a_run1", "a_run2", "b_run1"], {"a": ["run1", "run2"], "b": ["run1"]}),
        (["a/1.hyp", "a/2.hyp", "b/1.hyp"], {"a": ["1", "2"], "b": ["1"]}),
        (["a/x.txt", "b/y.txt"], {"a": ["x"], "b": ["y"]}),
        (["hyp.a.1", "hyp.a.2", "hyp.b.1"], {"a": ["1", "2"], "b": ["1"]}),
        (["out.0", "out.1", "out.10", "out.2"], {"out": ["0", "1", "2", "10"]}),
        (["alpha.txt", "beta.txt"], {"alpha": ["1"], "beta": ["1"]}),
        (["big-model.v2.seed_3.en", "big-model.v2.seed_4.en"], {"big-model.v2": ["seed_3", "seed_4"]}),
        (["a/run1/generated.txt", "a/run2/generated.txt"], {"a": ["run1", "run2"]}),
        (["a/x.en", "a/x.de"], {"a-x.de": ["1"], "a-x.en": ["1"]}),
        (["a.1.txt.gz", "a.2.txt", "b.1.txt", "b.2.txt"], {"a": ["1", "2"], "b": ["1", "2"]}),
    ],
)
@pytest.mark.parametrize("references", [["ref.txt"], ["ref0", "ref1"], ["refs/x.txt"], ["reference.en"], ["test.ref"]])
def test_flat_names(text, paths, expected, references):
    experiment, report = load(tree_of([*paths, *references, "src.txt", "README.txt", "log.json"], text))
    assert report.layout == "flat names"
    assert shape(experiment) == expected
    assert len(experiment.test_sets[0].references) == len(references)
    assert experiment.test_sets[0].source is not None
    assert set(report.with_code("not-used")[0].files) == {"README.txt", "log.json"}


def test_copies_of_the_reference_beside_each_output_count_once(text):
    files = [(f"{s}/{name}", text(s if name == "hyp.txt" else "r")) for s in "ab" for name in ("hyp.txt", "ref.txt")]
    experiment, report = load(files)
    assert shape(experiment) == {"a": ["hyp"], "b": ["hyp"]}
    assert len(experiment.test_sets[0].references) == 1
    assert "copy of the reference a/ref.txt" in report.with_code("not-used")[0].message


def test_what_fits_nothing_is_refused_with_an_example(text):
    with pytest.raises(LoadError, match=r"no layout was recognised.*systems/SYSTEM/REPLICA.txt"):
        load(tree_of(["a.txt", "b.txt"], text))


def test_an_experiment_beside_other_things_is_found(text):
    paths = ["my/exp/refs/r.txt", "my/exp/systems/a/1.txt", "notes/x.txt", "todo.txt"]
    experiment, report = load(tree_of(paths, text))
    assert shape(experiment) == {"a": ["1"]}
    assert "my/" in report.with_code("inner-folder")[0].message


def test_outputs_without_reference_and_reference_without_outputs(text):
    with pytest.raises(LoadError, match="no reference was found"):
        load(tree_of(["systems/a/1.txt", "systems/b/1.txt"], text))
    with pytest.raises(LoadError, match="no output of any system"):
        load(tree_of(["systems/readme.md", "refs/r.txt"], text))


def test_each_layout_names_every_file_once(text):
    trees = [
        ["test/reference.txt", "test/systems/a/1.txt", "x/y/z", "dev/systems/a/1.txt"],
        ["systems/a/1.txt", "systems/a/b/c/d.txt", "refs/r", "refs/deep/r", "test/systems/a/1", "u/v"],
        ["hyps.a.opt0", "refs.0", "x", "d/y"],
        ["a.1", "ref", "a/b/c/d", "src", "docids.tsv"],
    ]
    for layout, paths in zip((LAYOUTS[0], LAYOUTS[2], LAYOUTS[1], LAYOUTS[3]), trees, strict=True):
        files = tree_from(paths, text)
        assert choose(files, Reporter())[0] is layout
        roles = layout.read(files, Reporter()).roles
        assert sorted(role.path for role in roles) == sorted(paths)


def tree_from(paths, text):
    from mtsig_core.loading.sources.source import open_source
    from mtsig_core.loading.text.decoding import Decoder

    return open_source(tree_of(paths, text), None, Reporter(), Decoder())


def test_a_layout_is_one_module_and_one_line(text, monkeypatch):
    class Table:
        """A layout whose one file holds reference and outputs in columns."""

        NAME = "table"

        @staticmethod
        def recognise(files):
            return 500 if any(path.endswith(".table") for path in files) else 0

        @staticmethod
        def read(files, report):
            columns = list(zip(*(line.split("|") for line in files["x.table"].decode().split("\n")), strict=True))
            texts = {f"x.table#{i}": column for i, column in enumerate(columns)}
            roles = [FileRole("x.table#0", "reference"), FileRole("x.table#1", "output", system="a", replica="1")]
            return Plan(tuple(roles), texts)

    monkeypatch.setattr("mtsig_core.loading.layouts.LAYOUTS", (*LAYOUTS, Table()))
    experiment, report = load([("x.table", b"r1|a1\nr2|a2")])
    assert report.layout == "table"
    assert experiment.system("a").replicas[0].outputs["test"] == ("a1", "a2")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ref0", "reference"),
        ("refA.en", "reference"),
        ("REF.2", "reference"),
        ("reference.0.txt.gz", "reference"),
        ("newstest.ref.en", "reference"),
        ("refined.txt", None),
        ("src.mr.txt", "source"),
        ("source.txt", "source"),
        ("sourdough.txt", None),
        ("docids.tsv", "documents"),
        ("documents.txt", "documents"),
        ("docstring.txt", None),
    ],
)
def test_special_names(name, kind):
    assert special(name) == kind


def test_names_of_replicas():
    assert split_flat("hiero.seed7.txt") == ("hiero", "seed7")
    assert split_flat("x/hiero-opt12") == ("hiero", "opt12")
    assert split_flat("hiero.txt") is None
    assert stems(["s/lr0.1.txt", "s/lr0.2.txt"]) == {"s/lr0.1.txt": "lr0.1", "s/lr0.2.txt": "lr0.2"}
    assert stems(["a.txt", "a.hyp", "b.txt"]) == {"a.txt": "a.txt", "a.hyp": "a.hyp", "b.txt": "b"}
    assert stems(["a.txt", "a.txt.gz"]) == {"a.txt": "a.txt", "a.txt.gz": "a.txt.gz"}
