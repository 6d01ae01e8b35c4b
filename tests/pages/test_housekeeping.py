"""What nobody asks for any more is forgotten, and its memory given back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mtsig_core.workbench import Memo
from pages.parts import housekeeping
from pages.parts.background import Finished


@pytest.mark.slow
def test_only_what_nobody_asks_for_is_forgotten(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    memo, finished = Memo(), Finished()
    for name in ("old", "asked again"):
        memo.get((name,), lambda: "first")
        finished.put((name,), "first")
    now[0] += 100
    assert memo.get(("asked again",), lambda: "second") == finished.get(("asked again",)) == "first"
    housekeeping.look([memo.drop_unused, finished.drop_unused], 60)
    assert memo.get(("asked again",), lambda: "second") == finished.get(("asked again",)) == "first"
    assert memo.get(("old",), lambda: "second") == "second"
    assert finished.get(("old",)) is None


@pytest.mark.parametrize("given", ["0", "-1", "nan", "ten"])
def test_a_time_that_is_none_is_refused(monkeypatch, given):
    monkeypatch.setenv(housekeeping.REMEMBER, given)
    with pytest.raises(ValueError, match=f"MTSIG_REMEMBER must be a number of minutes above 0.*{given}"):
        housekeeping.minutes_of_environment()


def resident() -> float:
    """Return the memory of this process in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory of a process is asked as Linux tells it")
def test_memory_between_blocks_in_use_goes_back():
    memo = Memo()
    kept = [memo.get((i,), lambda: bytes(100_000)) and bytes(1000) for i in range(1000)]  # small blocks in between
    full = resident()
    housekeeping.look([memo.drop_unused], 0)
    assert full - resident() > 50
    assert len(kept) == 1000
