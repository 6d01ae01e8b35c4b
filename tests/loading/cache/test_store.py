"""What loading found, kept on disk: equal to what it would find again, and never in the way."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mtsig_core.loading as loading
from mtsig_core.experiment import Experiment, LazyOutputs
from mtsig_core.experiment.digests import text_digest
from mtsig_core.loading import Limits, LoadError, LoadResult, Request, load_request, read
from mtsig_core.loading import corrections as mapping
from mtsig_core.loading.cache import key, store
from mtsig_core.runtime.jobs import Cancelled
from mtsig_core.storage.home import home
from mtsig_core.workbench.saved_experiments import SavedExperiments

ROOT = Path(__file__).resolve().parents[3]
Files = dict[str, bytes]


@pytest.fixture(autouse=True)
def however_small(monkeypatch):
    monkeypatch.setattr(store, "FEWEST_LINES", 0)


@pytest.fixture
def anew(monkeypatch) -> list[str]:
    """Names of the experiments that were read, not looked up."""
    names: list[str] = []
    real = loading.load_uncached

    def noted(*given: Any) -> Any:
        found = real(*given)
        names.append(found[0].experiment.name)
        return found

    monkeypatch.setattr(loading, "load_uncached", noted)
    return names


@pytest.fixture
def rich(files) -> Files:
    """Sources, documents, several sets, missing references, odd characters, scores, and files left out."""
    lines = files["refs/ref0.txt"].decode().splitlines()
    odd = "\n".join(["caf\u00e9 \U0001f600", "", "  two\u2028lines\x0c ", *lines[3:]]) + "\n"
    blank = "\n".join([lines[0], "", *lines[2:]]) + "\n"
    made: Files = {}
    for name in ("test", "dev"):
        made |= {
            f"{name}/reference.0.txt": files["refs/ref0.txt"],
            f"{name}/reference.1.txt": blank.encode(),
            f"{name}/source.txt": odd.encode(),
            f"{name}/documents.txt": "".join(f"d{i // 5}\n" for i in range(12)).encode(),
            f"{name}/systems/alpha/seed1.txt": odd.encode(),
            f"{name}/systems/alpha/seed10.txt": files["systems/alpha/seed2.txt"].replace(b"\n", b"\r\n"),
            f"{name}/systems/beta/seed1.txt": files["systems/beta/seed1.txt"],
            f"{name}/systems/beta/seed2.txt": files["systems/beta/seed1.txt"],
        }
    made["test/scores/COMET/alpha/seed1.txt"] = b"".join(b"%d.25\n" % i for i in range(11)) + b"NA\n"
    made["experiment.toml"] = b'name = "rich"\npaired = true\nbaseline = "beta"\ntarget_language = "de"\n'
    made["notes.md"] = b"nothing"
    return made


def packed(files: Files) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def kept() -> list[Path]:
    return sorted((home() / "readings").rglob("*.reading"))


def as_lines(experiment: Experiment) -> dict[tuple[str, ...], tuple[str | None, ...]]:
    """Return every text of an experiment."""
    outputs = {
        (s.name, r.name, name): lines
        for s in experiment.systems
        for r in s.replicas
        for name, lines in r.outputs.items()
    }
    references = {(t.name, n): x for t in experiment.test_sets
                  for n, x in zip(t.reference_names, t.references, strict=True)}  # fmt: skip
    return {**outputs, **references}


def assert_equal(found: LoadResult, expected: LoadResult) -> None:
    a, b = found.experiment, expected.experiment
    assert a.digest == b.digest
    assert as_lines(a) == as_lines(b)
    assert a == b
    assert found.report == expected.report
    for system in a.systems:
        for replica in system.replicas:
            assert dict(replica.output_digests) == {n: text_digest(x) for n, x in replica.outputs.items()}
    assert list(found.recognition.files.items()) == list(expected.recognition.files.items())
    first = mapping.recognised(found.recognition, a)
    assert first == mapping.recognised(expected.recognition, b)
    left_out = [role.path for role in first.roles if role.kind == "ignored" and role.path.endswith(".md")]
    for change in (
        first,
        mapping.rename_systems(first, {"alpha": "gamma"}),
        mapping.left_out(first, [next(role.path for role in first.roles if role.kind == "output")]),
        mapping.edited(first, {path: {"kind": "output", "system": "x", "test set": "test"} for path in left_out}),
    ):
        assert corrected(found, change) == corrected(expected, change)


def corrected(reading: LoadResult, change: mapping.Corrections) -> object:
    try:
        experiment, report = mapping.apply(reading.recognition, change)
    except LoadError as error:
        return str(error), error.file
    return experiment.digest, as_lines(experiment), report


Given = Callable[[Files, Path], dict[str, Any]]


def _folder(files: Files, folder: Path) -> dict[str, Any]:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return {"source": folder}


def _archive(files: Files, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    (folder / "a.tar.gz").write_bytes(packed(files))
    return {"source": str(folder / "a.tar.gz")}


GIVEN: dict[str, Given] = {
    "folder": _folder,
    "archive": _archive,
    "bytes": lambda files, folder: {"source": packed(files), "name": "a.tar.gz"},
    "loose": lambda files, folder: {"source": iter(files.items())},
}


@pytest.mark.parametrize("how", GIVEN)
def test_what_is_looked_up_is_what_would_be_read(how, rich, tmp_path, anew):
    given = GIVEN[how](rich, tmp_path / "given")
    expected = read(**given, cache=False)
    assert kept() == []
    if how == "loose":
        given = {"source": list(rich.items())}
    read(**given)
    assert anew == ["rich", "rich"]
    assert len(kept()) == 1
    found = read(**given)
    assert anew == ["rich", "rich"]
    assert isinstance(found.experiment.systems[0].replicas[0].outputs, LazyOutputs)
    assert expected.report.warnings
    assert expected.experiment.outside_metrics == {"COMET": True}
    assert_equal(found, expected)


def test_equal_lines_are_one_object(rich):
    read(rich.items())
    a, b = read(rich.items()).experiment.system("beta").replicas
    assert all(x is y for x, y in zip(a.outputs["test"], b.outputs["dev"], strict=True))


@pytest.mark.slow
def test_everything_that_reading_depends_on_counts(rich, tmp_path, anew):
    folder = _folder(rich, tmp_path / "given")["source"]
    loose = list(rich.items())
    one_byte = {**rich, "test/source.txt": rich["test/source.txt"].replace(b"one", b"onf")}
    named = {path.replace("seed2", "seed3"): content for path, content in rich.items()}
    asked: list[dict[str, Any]] = [
        {"source": loose},
        {"source": loose[::-1]},
        {"source": one_byte.items()},
        {"source": named.items()},
        {"source": [*loose, ("more.md", b"")]},
        {"source": loose, "name": "other"},
        {"source": loose, "encoding": "latin-1"},
        {"source": loose, "limits": Limits(members=70)},
        {"source": folder},
        {"source": folder, "name": "other"},
        {"source": packed(rich), "name": "a.tar.gz"},
        {"source": packed(rich), "name": "b.tar.gz"},
    ]
    for given in asked:
        read(**given)
    load_request(replace(Request.of(loose, None), checked=True))
    n_different = len(asked) + 1
    assert len(anew) == len(kept()) == n_different
    os.symlink("/", folder / "test" / "out")  # is refused, which the report says
    assert read(folder).report.with_code("link")
    assert len(anew) == n_different + 1


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 0.97, 1.0])
def test_a_damaged_file_counts_as_absent_and_is_replaced(share, rich, anew):
    expected = read(rich.items())
    path, = kept()
    whole = path.read_bytes()
    place = min(int(share * len(whole)), len(whole) - 1)
    for damaged in (whole[:place], whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]):
        path.write_bytes(damaged)
        anew.clear()
        assert read(rich.items()).experiment == expected.experiment
        assert len(anew) == 1
        assert path.read_bytes() == whole


def test_a_file_that_holds_something_else_counts_as_absent(rich, anew):
    read(rich.items())
    path, = kept()
    disk = store.default_load_cache().disk
    for parts in ([b""], [b"x" * 9], [b"[{}, {}]" + (8).to_bytes(8, "big")], [b"[1]" + (3).to_bytes(8, "big")]):
        disk.write(path, parts, "Tests")
        anew.clear()
        read(rich.items())
        assert len(anew) == 1


def test_what_is_open_survives_that_its_file_is_removed(rich, tmp_path):
    folder = _folder(rich, tmp_path / "given")["source"]
    expected = read(folder)
    found = read(folder)
    kept()[0].unlink()
    assert_equal(found, expected)


@pytest.mark.slow
def test_loaded_experiments_and_statistics_evict_each_other(rich, monkeypatch):
    read(rich.items())
    size = sum(path.stat().st_size for path in kept())
    monkeypatch.setenv("MTSIG_CACHE", f"{5 * size / 1024}KB")
    for k in range(6):
        read(rich.items(), name=str(k))
        os.utime(max(kept(), key=lambda path: path.stat().st_mtime), (k, k))
    assert len(kept()) < 6
    (home() / "statistics" / "ab").mkdir(parents=True)
    (home() / "statistics" / "ab" / "x.npy").write_bytes(b"x" * 5 * size)  # longest unused
    os.utime(home() / "statistics" / "ab" / "x.npy", (0, 0))
    monkeypatch.setenv("MTSIG_CACHE", f"{5 * size / 1024 + 1}KB")
    read(rich.items(), name="last")
    assert not (home() / "statistics" / "ab" / "x.npy").exists()
    assert kept()


@pytest.mark.parametrize("limit", ["0", "plenty", "2KB"])
def test_nothing_is_kept_without_room(limit, rich, anew, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", limit)
    first, second = read(rich.items()), read(rich.items())
    assert first.experiment == second.experiment
    assert len(anew) == 2
    assert [path for path in home().rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("per_file", [0, 25])
def test_little_text_in_few_files_is_not_worth_a_file(per_file, rich, monkeypatch):
    monkeypatch.setattr(store, "_FILE", per_file)
    least = per_file * len(read(rich.items()).recognition.plan.roles) or 12 * 8 + 12  # lines of outputs, and scores
    for fewest, n in ((least + 1, 0), (least, 1)):
        monkeypatch.setattr(store, "FEWEST_LINES", fewest)
        for path in kept():
            path.unlink()
        read(rich.items())
        assert len(kept()) == n


@pytest.mark.parametrize("how", ["new length", "same length and time"])
def test_what_changes_while_it_is_read_is_not_kept(how, rich, tmp_path, monkeypatch):
    folder = _folder(rich, tmp_path / "given")["source"]
    victim = folder / "test" / "systems" / "beta" / "seed2.txt"
    before, changed = victim.read_bytes(), victim.read_bytes().replace(b"red", b"rad" if "same" in how else b"blues")
    real = loading.load_uncached

    def overtaken(request, progress):
        state = victim.stat()
        victim.write_bytes(changed)
        if "same" in how:
            os.utime(victim, ns=(state.st_atime_ns, state.st_mtime_ns))
        return real(request, progress)

    monkeypatch.setattr(loading, "load_uncached", overtaken)
    assert "rad" in str(found := read(folder).experiment.system("beta").replicas[1].outputs) or "blues" in str(found)
    assert kept() == []
    monkeypatch.setattr(loading, "load_uncached", real)
    victim.write_bytes(before)
    assert read(folder).experiment == read(folder, cache=False).experiment


def test_files_unchanged_for_long_are_not_read_a_third_time(rich, tmp_path, monkeypatch):
    folder = _folder(rich, tmp_path / "given")["source"]
    for path in folder.rglob("*.*"):
        os.utime(path, (time.time() - 60,) * 2)
    os.utime(folder, (time.time() - 60,) * 2)
    calls = []
    real = key.digest_of
    monkeypatch.setattr(key, "digest_of", lambda *given: calls.append(1) or real(*given))
    read(folder)
    assert (len(calls), len(kept())) == (1, 1)


def test_threads_get_the_same_lines(rich):
    read(rich.items())
    found = read(rich.items()).experiment
    replica = found.system("alpha").replicas[0]
    seen, start = [], threading.Barrier(8)

    def ask() -> None:
        start.wait()
        seen.append([r.outputs["test"] for s in found.systems for r in s.replicas])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert all(a is b for other in seen for a, b in zip(seen[0], other, strict=True))
    assert text_digest(replica.outputs["test"]) == replica.output_digests["test"]


def test_an_upload_that_is_gone_is_told_when_a_correction_wants_it(rich, tmp_path):
    folder = _folder(rich, tmp_path / "given")["source"]
    read(folder)
    found = read(folder)
    (folder / "notes.md").unlink()
    first = mapping.recognised(found.recognition, found.experiment)
    edit = {"kind": "output", "system": "x", "test set": "test"}
    with pytest.raises(LoadError, match=r"notes\.md: is no longer there"):
        mapping.apply(found.recognition, mapping.edited(first, {"notes.md": edit}))


def test_cancelling_goes_through_while_a_folder_is_looked_up(rich, tmp_path):
    folder = _folder(rich, tmp_path / "given")["source"]
    read(folder)

    def cancel(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        read(folder, progress=cancel)


@pytest.mark.slow
def test_the_workspace_opens_from_the_cache_and_forgets_what_is_deleted(rich, tmp_path, anew):
    given = read(rich.items(), cache=False)
    workspace = SavedExperiments(tmp_path / "w")
    id = workspace.save(given.experiment, given.report).id
    anew.clear()
    (_, first), (_, second) = workspace.open(id), workspace.open(id)
    assert anew == ["rich"]
    assert first.report.lines == given.report.lines
    assert_equal(second, first)
    assert len(kept()) == 1
    alone = given.experiment.systems[:1]
    other = replace(given.experiment, name="other", paired=False, baseline="alpha", systems=alone)
    assert workspace.save(other, given.report, replaces=id).id == id
    assert kept() == []
    assert workspace.open(id)[1].experiment.digest == other.digest
    assert len(kept()) == 1
    workspace.delete(id)
    assert kept() == []


@pytest.mark.slow
def test_two_processes_at_once(rich, tmp_path):
    folder = _folder(rich, tmp_path / "given")["source"]
    program = (
        "import sys\nfrom mtsig_core.loading import read\nfrom mtsig_core.loading.cache import store\n"
        "store.FEWEST_LINES = 0\n"
        "print('ready', flush=True)\nsys.stdin.readline()\n"
        "print(*{read(sys.argv[1]).experiment.digest for _ in range(30)})"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", program, str(folder)], cwd=ROOT, text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]  # fmt: skip
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    said = [process.communicate("go\n", timeout=60)[0].strip() for process in both]
    assert said == [read(folder, cache=False).experiment.digest] * 2
    assert len(kept()) == 1
