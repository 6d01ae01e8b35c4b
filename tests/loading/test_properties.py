"""Whatever is uploaded: a valid experiment, or a LoadError that names a file."""

import io
import random
import tarfile
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.experiment import Experiment
from mtsig_core.loading import LoadError, load
from mtsig_core.loading.text.decoding import read_text
from tests import fuzz

LINES = st.lists(st.text(st.characters(exclude_characters="\n\r\0", codec="utf-8"), max_size=6), max_size=5)
NAMES = st.one_of(
    st.sampled_from(
        ["systems", "refs", "ref.txt", "reference.txt", "src.en", "a", "b", "a.seed1.txt", "a.2", "out.0", "dev"]
        + ["test"]
        + ["hyps.x.a.opt0", "refs.x.0", "docids.tsv", "experiment.toml", "x.gz", "hyp.a.1", "README", ".x", "..", "A"]
    ),
    st.text(max_size=5),
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
CONTENTS = st.one_of(st.binary(max_size=30), st.sampled_from([b"a\nb\n", b"c\nd\n", b"\n\n", b"", b"paired = true\n"]))
TREES = st.lists(st.tuples(PATHS, CONTENTS), max_size=7)
FEW = settings(max_examples=150, deadline=None)


def loads_or_says_why(source, **options):
    try:
        experiment, report = load(source, **options)
    except LoadError as error:
        if not (error.file and str(error) and error.report is not None):
            raise AssertionError(f"an error without file, words or report: {error!r}") from error
        return None
    assert isinstance(experiment, Experiment)
    assert report.layout
    assert len(experiment.digest) == 64
    return experiment


@pytest.mark.slow
@given(TREES)
@FEW
def test_any_tree(tree):
    experiment = loads_or_says_why(tree)
    again = loads_or_says_why(tree[::-1])
    assert (experiment and experiment.digest) == (again and again.digest)


PLACES = ["refs/r.txt", "systems/a/1.txt", "src.en", "experiment.toml", "docids.tsv"]


@pytest.mark.slow
@given(st.binary(max_size=60), st.sampled_from(PLACES))
@FEW
def test_any_bytes_in_any_place(data, place):
    files = {"refs/r.txt": b"a\nb\n", "systems/a/1.txt": b"a\nc\n", "systems/b/1.txt": b"d\nc\n"}
    loads_or_says_why(list((files | {place: data}).items()))
    loads_or_says_why(list((files | {place: data}).items()), encoding="cp1252")


@pytest.mark.slow
@given(st.binary(max_size=40))
@FEW
def test_any_bytes_as_an_archive(data):
    assert loads_or_says_why(data, name="up.zip") is None


def _archives():
    files = {"refs/r.txt": b"a\nb\n", "systems/a/1.txt": b"a\nc\n", "systems/b/1.txt": b"d\nc\n"}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content)
    found = [stream.getvalue()]
    for mode in ("w", "w:gz", "w:xz", "w:bz2"):
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode=mode) as archive:
            for path, content in files.items():
                info = tarfile.TarInfo(path)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
        found.append(stream.getvalue().rstrip(b"\0") + b"\0" * 1024 if mode == "w" else stream.getvalue())
    return found


ARCHIVES = _archives()


@pytest.mark.slow
@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_damage_to_an_archive(data):
    archive = bytearray(data.draw(st.sampled_from(ARCHIVES)))
    for _ in range(data.draw(st.integers(1, 4))):
        archive[data.draw(st.integers(0, len(archive) - 1))] = data.draw(st.integers(0, 255))
    archive = archive[: data.draw(st.integers(0, len(archive)))] if data.draw(st.booleans()) else archive
    loads_or_says_why(bytes(archive), name="up")


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32"]


@pytest.mark.slow
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(ENCODINGS))
@FEW
def test_written_lines_come_back(lines, end, final, encoding):
    if any(line.startswith("\ufeff") for line in lines) or (lines and not final and not lines[-1]):
        return
    text = end.join(lines) + (end if final and lines else "")
    assert read_text(text.encode(encoding), "x").lines == lines


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 600, 60))
def test_damaged_experiments_of_every_layout(number):
    for case in range(number, number + 60):
        assert fuzz.one_case(7, case)[0] == "", case


def test_the_fuzzer_notices(monkeypatch):
    files = list(fuzz.SEEDS["plain"].items())
    assert fuzz.judge(files, "up", None) == ""
    faults = [(KeyError("x"), "KeyError"), (LoadError("", "x"), "without file"), (LoadError("x", ""), "without file")]
    for fault, words in faults:

        def fails(*_, fault=fault, **__):
            raise fault

        monkeypatch.setattr(fuzz, "load", fails)
        assert words in fuzz.judge(files, "up", None)
    monkeypatch.setattr(fuzz, "load", load)
    monkeypatch.setattr(fuzz, "SLOW", -1)
    assert "took" in fuzz.judge(files, "up", None)


USED = [
    (layout, path)
    for layout, files in fuzz.SEEDS.items()
    for path in files
    if layout not in ("n-best", "several")  # the one is tuned on, of the other one is to be chosen
    and not path.endswith(("args.yaml", "all_results.json", "step_100.txt"))  # which are not read
    and ".hydra/" not in path
    and "scores/" not in path
    and not (layout == "mt-metrics-eval" and path.endswith("refA.txt"))
]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"\xff\xfa", b"\0", b"\xc3\x28"])
@pytest.mark.parametrize(("layout", "path"), USED)
def test_the_file_named_is_the_one_that_was_damaged(layout, path, damage):
    files = fuzz.SEEDS[layout]
    middle = len(files[path]) // 2
    middle += files[path][middle:].find(b" ") + 1
    files = files | {path: files[path][:middle] + damage + files[path][middle:]}
    try:
        _, report = load(list(files.items()))
    except LoadError as error:
        named = [((error.file,), str(error))]
    else:  # the damaged file costs itself, and is named
        named = [(line.files, line.message) for line in report.refused]
    assert any(
        path.rsplit("/", 1)[-1] in message and any(f.split("#")[0].endswith(path.split("/", 1)[-1]) for f in of)
        for of, message in named
    ), named


@pytest.mark.slow
def test_memory_is_a_small_multiple_of_the_input():
    rng = random.Random(3)

    def text():
        lines = (" ".join(f"word{rng.randrange(10**6)}" for _ in range(12)) for _ in range(1000))
        return "\n".join(lines).encode()

    files = [("refs/r.txt", text()), *((f"systems/s{i}/{k}.txt", text()) for i in range(4) for k in range(5))]
    size = sum(len(data) for _, data in files)
    load(files[:3])
    tracemalloc.start()
    try:
        load(files)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6 * size
