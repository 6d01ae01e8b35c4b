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
        assert all(share < HONEST for table in (plain, *others) for share in table["coherent"].values())
    assert min(tables(text, "Replicas differ")[0]["ar-segment"].values()) > 0.25
    assert tables(text, "Strengths differ")[0]["ar-hypothesis"]["n = 50"] > 0.6
    assert tables(text, "Outputs only")[0]["koehn"]["n = 1"] == pytest.approx(0.1, abs=0.03)


def pairs(title: str, text: str | None = None) -> dict[str, list[tuple[float, float]]]:
    """Return the cells of a section's table of the headline: shares of p < .05 and p < .01, by row."""
    section = (text or TARGET.read_text(encoding="utf-8")).split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    result = {}
    for row in rows[2:]:
        n = sum("/" in cell for cell in row)
        result[" ".join(row[: len(row) - n])] = [tuple(map(float, cell.split("/"))) for cell in row[len(row) - n :]]
    return result


def within(rate: tuple[float, float], trials: int, *, two_against_more: bool = False) -> bool:
    """Say whether the rates are at most .065 (.075) and .02, as far as so many trials show."""
    limits = (0.075 if two_against_more else 0.065, 0.02)
    return all(x <= limit + 2 * (limit * (1 - limit) / trials) ** 0.5 for x, limit in zip(rate, limits, strict=True))


def test_the_headline_holds_in_every_written_cell():
    for name, cells in pairs("Known worlds").items():
        two = name.startswith("2, ") and name != "2, 2"
        assert all(within(cell, 40_000, two_against_more=two) for cell in cells[1:]), name
    for title in ("Short test sets, documents, a metric near its ceiling", "Many replicas of one system"):
        assert all(within(cell, 5_000) for cells in pairs(title).values() for cell in cells), title
    for name, cells in pairs("Worlds made of real outputs").items():
        assert all(within(cell, 10_000, two_against_more=k == 4) for k, cell in enumerate(cells)), name
    assert max(cells[0][0] for cells in pairs("Known worlds").values()) > 0.11  # the crossed test alone


def test_what_no_test_can_guard_against_is_written_down():
    skewed = [cells[0][0] for cells in pairs("Beyond any test").values()]
    assert 0.08 < min(skewed) < max(skewed) < 0.2


def test_holm_over_all_pairs_holds_family_wise():
    section = TARGET.read_text(encoding="utf-8").split("## All pairs, corrected by Holm\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ") and "." in line]
    coherent = [float(row[k]) for row in rows for k in (2, 4, 6) if "pairs" not in row[k]]
    assert len(coherent) == 9
    assert max(coherent) < 0.06


@pytest.mark.slow
def test_one_replica_more_does_not_lower_the_power():
    from tests.headline_rates import power

    rows = [line.strip("|").split("|") for line in power(8000) if line.startswith("| ") and line[2].isdigit()]
    losses = [float(row[-1]) for row in rows]
    assert max(losses[:2]) < 0.02 + 0.016  # systems that vary alike; the largest of 144 differences of 8000 trials
    # the system that varies far more goes from two replicas to three: .038 and .040 measured with 40,000 trials
    assert all(0.02 < loss < 0.06 for loss in losses[2:])


def test_the_written_table_of_unequal_numbers_bears_out_the_warning():
    (table,) = tables(TARGET.read_text(encoding="utf-8"), "Unequal numbers of replicas")
    crossed = table["crossed"]
    assert 0.075 < crossed["2 : 10, fewer"] < 0.125
    assert 0.06 < crossed["3 : 10, fewer"] < 0.1
    assert all(share < HONEST for column, share in crossed.items() if "more" in column or column.startswith("5"))


@pytest.mark.slow
def test_a_short_version_agrees_with_the_written_tables():
    written, short = TARGET.read_text(encoding="utf-8"), document(100, 40)
    for title in [*map(str.capitalize, SCENARIOS), "Unequal numbers of replicas"]:
        for one, other in zip(tables(written, title), tables(short, title), strict=True):
            assert one.keys() == other.keys()
            for name in one:
                assert other[name] == pytest.approx(one[name], abs=0.19), (title, name)
