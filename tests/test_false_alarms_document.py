"""The written table of false alarms is what the program writes, and says what the tests claim."""

import pytest

from tests.false_alarms import REPLICAS, TARGET, measured, text_of


def rows(text: str, title: str) -> dict[str, list[float]]:
    part = text.split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")][1:]
    return {name: [float(share) for share in shares] for name, *shares in lines}


def test_the_written_table_bears_out_the_warnings():
    text = TARGET.read_text(encoding="utf-8")
    for title in ("Outputs only", "Replicas differ", "Strengths differ", "Both"):
        assert all(share < 0.075 for share in rows(text, title)["crossed"])
    assert rows(text, "Replicas differ")["ar-segment"][0] > 0.25
    assert rows(text, "Strengths differ")["ar-hypothesis"][-1] > 0.3
    assert rows(text, "Outputs only")["koehn"] == pytest.approx([0.1] * len(REPLICAS), abs=0.03)


@pytest.mark.slow
def test_a_short_version_agrees_with_the_written_table():
    written, short = TARGET.read_text(encoding="utf-8"), text_of(measured(100), 100)
    for title in ("Outputs only", "Both"):
        one, other = rows(written, title), rows(short, title)
        assert one.keys() == other.keys()
        for name in one:
            assert other[name] == pytest.approx(one[name], abs=0.17), name
