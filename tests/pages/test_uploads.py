"""Which of the files in the upload box are meant."""

from types import SimpleNamespace

import pytest

from pages.parts.uploads import newest


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        (["a.zip"], ["a.zip"]),
        (["a.zip", "B.ZIP"], ["B.ZIP"]),
        (["a.zip", "x.txt", "ref.txt"], ["x.txt", "ref.txt"]),
        (["x.txt", "ref.txt"], ["x.txt", "ref.txt"]),
        (["x.txt.gz", "ref.txt.gz"], ["x.txt.gz", "ref.txt.gz"]),
        (["x.txt", "ref.txt", "a.tar.gz"], ["a.tar.gz"]),
        (["a.zip", "x.txt", "b.tgz", "y.csv"], ["y.csv"]),
    ],
)
def test_what_came_last_is_meant(names, meant):
    assert [file.name for file in newest([SimpleNamespace(name=name) for name in names])] == meant
