"""The written tables of false alarms are what the program writes, and say what the tests claim."""

import pytest

from mtsig_core.analysis.calibration.arena import SCENARIOS
from tests.false_alarms import TARGET, document

HONEST = 0.075  # a true .05, measured


def tables(text: str, title: str) -> list[dict[str, dict[str, float]]]:
    """Return a section's tables: {test: {column: share}}, without the cells of tests that are not defined."""
    part = text.split(f"## {title}\n")[1].split("\n## ")[0]
    found = []
    for block in part.split("\n\n"):
        if block.lstrip().startswith("|"):
            heading, _, *lines = [line.strip("|").split("|") for line in block.strip().splitlines()]
            columns = [cell.strip() for cell in heading[1:]]
            rows = {name.strip(): dict(zip(columns, map(str.strip, cells), strict=True)) for name, *cells in lines}
            found.append({name: {c: float(x) for c, x in row.items() if x} for name, row in rows.items()})
    return found


def test_the_written_tables_bear_out_the_warnings():
    text = TARGET.read_text(encoding="utf-8")
    for title in SCENARIOS:
        plain, *others = tables(text, title.capitalize())
        assert len(others) == 3
        assert list(plain["crossed"]) == ["n = 2", "n = 3", "n = 5", "n = 10", "n = 50"]
        assert all(share < HONEST for table in (plain, *others) for share in table["crossed"].values())
    assert min(tables(text, "Replicas differ")[0]["ar-segment"].values()) > 0.25
    assert tables(text, "Strengths differ")[0]["ar-hypothesis"]["n = 50"] > 0.6
    assert tables(text, "Outputs only")[0]["koehn"]["n = 1"] == pytest.approx(0.1, abs=0.03)


def test_the_written_table_of_unequal_numbers_bears_out_the_warning():
    (table,) = tables(TARGET.read_text(encoding="utf-8"), "Unequal numbers of replicas")
    crossed = table["crossed"]
    assert 0.075 < crossed["2 : 10, fewer"] < 0.125
    assert 0.06 < crossed["3 : 10, fewer"] < 0.1
    assert all(share < HONEST for column, share in crossed.items() if "more" in column or column.startswith("5"))


@pytest.mark.slow
def test_a_short_version_agrees_with_the_written_tables():
    written, short = TARGET.read_text(encoding="utf-8"), document(100)
    for title in [*map(str.capitalize, SCENARIOS), "Unequal numbers of replicas"]:
        for one, other in zip(tables(written, title), tables(short, title), strict=True):
            assert one.keys() == other.keys()
            for name in one:
                assert other[name] == pytest.approx(one[name], abs=0.19), (title, name)
