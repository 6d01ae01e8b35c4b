import os
import random

import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.runtime.jobs import Cancelled


def system_names(experiment):
    return [system.name for system in experiment.systems]


@pytest.mark.slow
def test_every_packaging_gives_the_same_experiment(files, make_zip, make_tar, write, tmp_path):
    folder = write(tmp_path / "exp", files)
    expected = load(folder)[0]
    loose = list(files.items())
    random.Random(1).shuffle(loose)
    archive = tmp_path / "exp.zip"
    archive.write_bytes(make_zip(files))
    sources = [str(folder), archive, make_zip(files), loose, iter(loose), [("exp.zip", make_zip(files))]]
    sources += [make_tar(files, "w:" + packing) for packing in ("", "gz", "xz", "bz2")]
    for source in sources:
        experiment, report = load(source)
        assert experiment.digest == expected.digest
        assert experiment == expected or experiment.name != expected.name
        assert report.layout == "plain"


def test_experiments_are_called_after_what_was_uploaded(files, make_zip, write, tmp_path):
    assert load(write(tmp_path / "my exp", files))[0].name == "my exp"
    assert load(make_zip(files), name="some/where.tar.zip")[0].name == "where.tar"
    assert load([("up/" + p, c) for p, c in files.items()])[0].name == "up"
    assert load(list(files.items()), name="mine")[0].name == "mine"


def test_loose_files_of_one_base_name_stay_apart(files, text):
    files = {"systems/alpha/hyp.txt": text("a"), "systems/beta/hyp.txt": text("b"), "refs/ref0.txt": text("c")}
    experiment, _ = load(list(files.items()))
    assert system_names(experiment) == ["alpha", "beta"]
    flat = [(path.rsplit("/", 1)[1], content) for path, content in files.items()]
    with pytest.raises(LoadError, match="occurs twice in the files chosen. Rename one") as caught:
        load(flat)
    assert caught.value.file == "hyp.txt"


def test_loose_paths_that_leave_the_upload_are_refused(files):
    experiment, report = load([*files.items(), ("../systems/x/1.txt", b"1\n"), ("/abs.txt", b"1\n")])
    assert system_names(experiment) == ["alpha", "beta"]
    assert len(report.with_code("unsafe-path")) == 2


def test_links_out_of_a_folder_are_not_followed(files, write, tmp_path):
    outside = write(tmp_path / "outside", {"1.txt": files["refs/ref0.txt"], "sub/1.txt": files["refs/ref0.txt"]})
    folder = write(tmp_path / "exp", files)
    (folder / "systems/beta/seed3.txt").symlink_to(outside / "1.txt")
    (folder / "systems/gamma").symlink_to(outside / "sub")
    (folder / "systems/loop").symlink_to(folder)
    (folder / "systems/beta/gone.txt").symlink_to(tmp_path / "nowhere")
    (folder / "systems/beta/seed4.txt").symlink_to(folder / "systems/beta/seed1.txt")
    os.mkfifo(folder / "systems/beta/pipe")
    experiment, report = load(folder)
    assert system_names(experiment) == ["alpha", "beta"]
    assert [r.name for r in experiment.system("beta").replicas] == ["seed1", "seed2", "seed4"]
    links = {f for line in report.with_code("link") for f in line.files}
    assert links == {"systems/beta/seed3.txt", "systems/gamma", "systems/loop"}
    unreadable = {f for line in report.with_code("unreadable") for f in line.files}
    assert unreadable == {"systems/beta/gone.txt", "systems/beta/pipe"}


def test_a_file_that_cannot_be_read_is_named(files, write, tmp_path, monkeypatch):
    folder = write(tmp_path / "exp", files)
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("seed2.txt") and real(path, mode))
    experiment, report = load(folder)
    assert [r.name for r in experiment.system("alpha").replicas] == ["seed1"]
    assert report.refused[0].files == ("systems/alpha/seed2.txt", "systems/beta/seed2.txt")


@pytest.mark.parametrize("source", ["no/such/folder", "a\0b"])
def test_what_is_not_there_is_named(source):
    with pytest.raises(LoadError, match="no such file or folder|cannot be read") as caught:
        load(source)
    assert caught.value.file == source


def test_one_text_file_is_no_experiment(tmp_path):
    path = tmp_path / "hyp.txt"
    path.write_bytes(b"a\n")
    with pytest.raises(LoadError, match="hyp.txt: is the only file"):
        load(path)


def test_nothing_at_all(tmp_path):
    for source in ([], tmp_path, [(".hidden", b"1")]):
        with pytest.raises(LoadError, match="holds no files") as caught:
            load(source)
        assert caught.value.file


def test_progress_rises_and_may_cancel(files):
    seen = []
    load(list(files.items()), progress=lambda fraction, what="": seen.append((fraction, what)))
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert sum(what == "reading files" for _, what in seen) >= len(files)

    def cancel(fraction, what=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        load(list(files.items()), progress=cancel)
