"""Sizes as people write them."""

import pytest

from mtsig_core.storage.sizes import size_setting


@pytest.mark.parametrize(
    ("told", "size"),
    [("", 7), ("  ", 7), ("5", 5 * 2**20), ("5GB", 5 * 2**30), ("1.5 g", 3 * 2**29), ("100KiB", 102400),
     ("2tb", 2**41), ("0", 0)],
)
def test_a_size_is_read(told, size, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", told)
    assert size_setting("MTSIG_CACHE", 7) == size


@pytest.mark.parametrize("told", ["much", "-1GB", "5 GB left", "1e3", "5X"])
def test_anything_else_is_refused_by_name(told, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", told)
    with pytest.raises(ValueError, match=r"MTSIG_CACHE must be a size such as 500MB or 2GB; got .*leave it unset"):
        size_setting("MTSIG_CACHE", 7)
