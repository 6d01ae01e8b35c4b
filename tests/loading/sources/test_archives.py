import io
import stat
import tarfile
import tracemalloc
import zipfile

import pytest

from mtsig_core.loading import Limits, LoadError, load
from mtsig_core.loading.sources.tree import normalise

CAFE = "caf\N{LATIN SMALL LETTER E WITH ACUTE}"


def codes(report):
    return {line.code for line in report.lines}


def system_names(experiment):
    return [system.name for system in experiment.systems]


def zip_with(files, change):
    """A zip whose members `change(info)` may alter."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path)
            change(info)
            archive.writestr(info, content)
    return stream.getvalue()


def refused(data, name="up.zip", **options):
    with pytest.raises(LoadError) as caught:
        load(data, name=name, **options)
    assert caught.value.file
    assert caught.value.report is not None
    return str(caught.value)


def test_where_no_member_can_be_used_the_reason_is_told(make_zip):
    assert "an absolute path (2 files: /etc/x, /y)" in refused(make_zip({"/etc/x": b"1\n", "/y": b"1\n"}))
    assert "Left by the desktop" in refused(make_zip({"__MACOSX/._x": b"1\n"}))
    assert refused(make_zip({})).endswith("holds no files that could be used. Make a new archive of the folder.")


def test_a_member_without_a_name_is_not_read(files, make_zip):
    data = make_zip(files | {"qqqq.txt": b"1\n"}).replace(b"qqqq.txt", b"\0qqq.txt")
    experiment, report = load(data, name="up.zip")
    assert system_names(experiment) == ["alpha", "beta"]
    assert [line.kind for line in report.with_code("unsafe-path")] == ["refused"]


def test_names_that_leave_the_upload_are_not_read(files, make_zip):
    bad = {"../../x.txt": b"1\n", "/etc/x": b"1\n", "C:\\x.txt": b"1\n", "systems/../../y": b"1\n"}
    bad["a/" * 64 + "x.txt"] = b"1\n"
    experiment, report = load(make_zip(files | bad), name="up.zip")
    assert system_names(experiment) == ["alpha", "beta"]
    lines = report.with_code("unsafe-path")
    assert sorted(f for line in lines for f in line.files) == sorted(bad)
    assert {line.kind for line in lines} == {"refused"}


def test_links_in_a_zip_are_not_followed(files):
    def change(info):
        if info.filename == "systems/gamma/link.txt":
            info.create_system = 3
            info.external_attr = (stat.S_IFLNK | 0o777) << 16

    data = zip_with(files | {"systems/gamma/link.txt": b"/etc/passwd"}, change)
    experiment, report = load(data, name="up.zip")
    assert system_names(experiment) == ["alpha", "beta"]
    assert report.with_code("link")[0].files == ("systems/gamma/link.txt",)


def test_links_in_a_tar_are_not_followed(files, make_tar):
    data = make_tar(files, links={"systems/gamma/link.txt": "/etc/passwd"})
    experiment, report = load(data, name="up.tar.gz")
    assert system_names(experiment) == ["alpha", "beta"]
    assert report.with_code("link")[0].files == ("systems/gamma/link.txt",)


def test_devices_in_a_tar_are_not_read(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        device = tarfile.TarInfo("systems/alpha/null")
        device.type = tarfile.CHRTYPE
        archive.addfile(device)
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    _, report = load(stream.getvalue(), name="up.tar")
    assert report.with_code("link")[0].files == ("systems/alpha/null",)


def test_junk_is_ignored_and_listed(files, make_zip):
    junk = ["__MACOSX/._x", ".DS_Store", "systems/.DS_Store", "systems/a/Thumbs.db", "refs/r.txt~", "desktop.ini"]
    experiment, report = load(make_zip(files | dict.fromkeys(junk, b"\0\1")), name="up.zip")
    assert experiment.digest == load(make_zip(files), name="up.zip")[0].digest
    assert set(report.with_code("junk")[0].files) == set(junk)


def test_names_of_old_windows_tools(text):
    # Written as raw cp437 bytes without the UTF-8 flag.
    files = {
        "systems\\alpha\\r1.txt": text("a"),
        "systems/my system/r 1.txt": text("b"),
        "systems/cafX/r1.txt": text("c"),
        "refs\\ref.txt": text("d"),
    }
    data = zip_with(files, lambda info: None).replace(b"cafX", b"caf\x82")
    experiment, _ = load(data, name="up.zip")
    assert system_names(experiment) == ["alpha", CAFE, "my system"]


def test_utf8_names_without_the_flag(text):
    data = zip_with({"systems/cafXX/r.txt": text("a"), "ref.txt": text("b")}, lambda i: None)
    experiment, _ = load(data.replace(b"cafXX", CAFE.encode()), name="up.zip")
    assert system_names(experiment) == [CAFE]


@pytest.mark.parametrize("prefix", ["", "exp/", "backup/exp/"])
@pytest.mark.parametrize("extra", [{}, {"__MACOSX/._x": b"1", ".DS_Store": b"1"}])
def test_enclosing_folders_make_no_difference(files, make_zip, prefix, extra):
    experiment, report = load(make_zip({prefix + p: c for p, c in files.items()} | extra), name="my.zip")
    assert experiment.digest == load(list(files.items()))[0].digest
    assert experiment.name == "my"
    assert ("enclosing-folder" in codes(report)) == bool(prefix)


def test_damaged_archives_have_one_clear_line(files, make_zip, make_tar):
    good = make_zip(files)
    assert "incomplete or damaged" in refused(good[: len(good) // 2])
    assert "not a ZIP or tar archive" in refused(b"just text\n")
    assert "empty (0 bytes)" in refused(b"")
    assert "holds no files" in refused(make_zip({}))
    assert "not a ZIP or tar archive" in refused(b"just text\n", "up.tar.gz")
    tar = make_tar(files, "w:gz")
    assert "incomplete or damaged" in refused(tar[: len(tar) * 2 // 3], "up.tar.gz")
    tar = make_tar(files, "w:xz")
    assert "incomplete or damaged" in refused(tar[:-40], "up.tar.xz")
    tar = make_tar(files, "w")
    assert "incomplete" in refused(tar[: 512 * 5], "up.tar")
    assert "incomplete" in refused(tar[: 512 * 3 + 100], "up.tar")


def test_a_bad_checksum_names_the_member(files):
    data = zip_with(files, lambda i: None)
    broken = data.replace(b"one red number3", b"one RED number3")
    assert broken != data
    message = refused(broken)
    assert message.startswith("refs/ref0.txt: damaged inside up.zip")


def test_encrypted_members_are_named(files):
    data = bytearray(zip_with(files, lambda i: None))
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1  # flag bits of the first entry of the central directory
    assert refused(bytes(data)).startswith("systems/alpha/seed1.txt: is encrypted")


def test_two_members_of_one_name(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("refs/ref0.txt", b"other\n")
    assert refused(stream.getvalue()).startswith("refs/ref0.txt: occurs twice in up.zip")


def test_names_that_differ_in_case_only(files, make_zip):
    assert "differs in case only" in refused(make_zip(files | {"refs/REF0.txt": b"other\n"}))


@pytest.mark.slow
def test_limits(files, make_zip, make_tar):
    for data in (make_zip(files), make_tar(files)):
        assert "more than 3 files" in refused(data, limits=Limits(members=3))
        assert "the limit" in refused(data, limits=Limits(unpacked_bytes=800))
    bomb = files | {"systems/boom/1.txt": b"a" * 2_000_000}
    for data in (make_zip(bomb), make_tar(bomb), make_tar(bomb, "w:xz"), make_tar(bomb, "w:bz2")):
        assert "times its packed size" in refused(data, limits=Limits(ratio_floor=100_000))
        load(data, limits=Limits(ratio_floor=100_000, ratio=1e9))


@pytest.mark.parametrize("folder", ["t:model=x", "a:lr=0.1,seed=1"])
def test_a_folder_of_settings_is_no_drive(make_zip, tmp_path, folder):
    texts = {"refs/ref.txt": b"a b\n" * 5, f"{folder}/out.txt": b"a c\n" * 5, "b:lr=0.2/out.txt": b"a b\n" * 5}
    for path, content in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    for source in (make_zip(texts), tmp_path):
        assert not load(source)[1].with_code("unsafe-path")


@pytest.mark.parametrize("name", ["C:/x.txt", "C:x.txt", "c:", "D:/lr=0.1/x.txt", "Z:\\run=1\\x.txt"])
def test_a_drive_letter_is_refused(name):
    with pytest.raises(ValueError, match="drive letter"):
        normalise(name)


def many_lines(variants: int) -> dict[str, bytes]:
    """Return outputs of 200 lines; each line in so many variants over the replicas."""
    texts = {"refs/ref.txt": "".join(f"line {i} of the text\n" for i in range(200)).encode()}
    for k in range(1, 41):
        lines = (f"line {i} of variant {k % variants} {'word ' * 40}\n" for i in range(200))
        texts[f"systems/{'ab'[k % 2]}/{k}.txt"] = "".join(lines).encode()
    return texts


@pytest.mark.slow
def test_the_memory_of_distinct_lines_is_bounded_and_equal_ones_count_once(make_zip):
    limits = Limits(text_bytes=1_500_000)
    message = refused(make_zip(many_lines(40)), limits=limits)
    assert "MiB of memory, the limit" in message
    assert "Load fewer replicas" in message
    experiment, report = load(make_zip(many_lines(2)), limits=limits)
    assert [len(system.replicas) for system in experiment.systems] == [20, 20]
    assert not report.refused


def test_a_line_with_one_wide_character_counts_as_much_as_it_takes(make_zip):
    texts = {"refs/ref.txt": b"a b\n" * 50, "systems/a/1.txt": b"a b\n" * 49 + b"x" * 40_000 + b"\n"}
    wide = texts | {"systems/a/1.txt": texts["systems/a/1.txt"][:-1] + "\U0001f600\n".encode()}
    limits = Limits(text_bytes=100_000)
    load(make_zip(texts), limits=limits)
    assert "the limit" in refused(make_zip(wide), limits=limits)


@pytest.mark.slow
def test_one_file_that_is_too_large_is_left_out(make_zip, make_tar):
    texts = many_lines(2) | {"systems/a/99.txt": b"word\n" * 20_000}
    experiment, report = load(make_zip(texts), limits=Limits(file_bytes=80_000))
    assert [len(system.replicas) for system in experiment.systems] == [20, 20]
    assert "the limit for one file" in report.refused[0].message
    assert "the limit for one file" in refused(make_tar(texts), limits=Limits(file_bytes=80_000))
    experiment, report = load(make_zip(texts), limits=Limits(file_lines=10_000))
    assert [len(system.replicas) for system in experiment.systems] == [20, 20]
    assert "20,000 lines; the limit" in report.refused[0].message


@pytest.mark.slow
def test_what_a_tar_holds_beyond_some_size_is_packed_in_memory(make_tar, monkeypatch):
    data = make_tar(many_lines(40))
    before = load(data)[0].digest
    monkeypatch.setattr("mtsig_core.loading.sources.archives.MOST_UNPACKED", 5000)
    assert load(data)[0].digest == before


@pytest.mark.slow
def test_a_tar_bomb_stops_while_unpacking(make_tar):
    data = make_tar({"a/1.txt": b"a" * 30_000_000})
    tracemalloc.start()
    message = refused(data, "up.tgz", limits=Limits(ratio_floor=1_000_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "times its packed size" in message
    assert peak < 10_000_000


def test_a_lying_size_is_found(files):
    data = bytearray(zip_with({"refs/ref.txt": b"a\n" * 50, "systems/a/1.txt": b"b\n" * 50}, lambda i: None))
    place = data.index(b"PK\x01\x02")
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")  # declared unpacked size
    assert "damaged inside" in refused(bytes(data))
