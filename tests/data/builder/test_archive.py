import io
import lzma
import tarfile

from data.builder.archive import compress, tar

FILES = [("a.txt", "one\n"), ("b/c.txt", "zwölf\n")]


def test_files_come_back_from_their_folder() -> None:
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(compress(tar("toy", FILES))))) as archive:
        found = [(m.name, _read(archive, m)) for m in archive.getmembers()]
    assert found == [(f"toy/{path}", text) for path, text in FILES]


def test_nothing_but_content_shows() -> None:
    with tarfile.open(fileobj=io.BytesIO(tar("toy", FILES))) as archive:
        stamps = {(m.mtime, m.uid, m.gid, m.uname, m.gname, m.mode) for m in archive.getmembers()}
    assert stamps == {(0, 0, 0, "", "", 0o644)}


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    stream = archive.extractfile(member)
    assert stream is not None
    return stream.read().decode("utf-8")
