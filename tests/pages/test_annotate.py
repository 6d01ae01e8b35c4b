"""Let people judge: a sheet is downloaded, filled in, and read back on the page."""

from __future__ import annotations

import csv
import io

import pytest

from mtsig_core.loading import load
from mtsig_core.loading.judgements.sheets.annotation_key import Asked, key_csv
from mtsig_core.metrics import get_metric
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.medians import SheetChoice
from tests.pages.session import ROOT, app, goto, said, settle

NEWS = ROOT / "data/news.tar.xz"


def filled() -> tuple[bytes, bytes]:
    """Return a filled sheet of the demonstration, B always better, and its key."""
    bench = Workbench(load(NEWS)[0])
    a = bench.experiment.baseline
    b = next(s.name for s in bench.experiment.systems if s.name != a)
    sheet = bench.pair("test", get_metric("bleu"), a, b).annotation_sheet(Asked(("ranking",)), SheetChoice(8), seed=1)
    rows = [list(row) for row in sheet.rows]
    for row, item in zip(rows, sheet.key.items, strict=True):
        row[sheet.header.index("better")] = "2" if item.a_is_first else "1"
    stream = io.StringIO()
    csv.writer(stream, delimiter=";").writerows([sheet.header, *rows])
    return stream.getvalue().encode(), key_csv(sheet.key)


@pytest.mark.slow
def test_a_sheet_is_offered_and_filled_ones_are_read_or_refused_by_name():
    made = goto(app(), "Read and annotate", "annotate")
    assert "segments whose outputs differ" in said(made)
    labels = {button.label for button in made.download_button}
    assert {"Sheet as CSV", "Sheet as TSV", "Sheet as XLSX", "Key"} <= labels

    made.segmented_control(key="sheet how").set_value("Chosen numbers")
    settle(made)
    assert "Give the numbers of the segments" in said(made)
    made.text_input(key="sheet segments").set_value("2, 1-x")
    settle(made)
    assert "not '1-x'" in said(made)
    made.text_input(key="sheet segments").set_value("1-3, 7")
    settle(made)
    assert "4 segments chosen by hand" in said(made)
    assert not made.error

    sheet, key = filled()
    made.file_uploader(key="filled sheets").upload("Ann.csv", sheet)
    made.file_uploader(key="filled key").upload("key.csv", key)
    settle(made)
    assert "is better on 8" in said(made)
    assert "8 segments judged" in said(made)
    made.file_uploader(key="filled key").upload("key.csv", key.replace(b"ranking", b"fluency 1 to 5"))
    settle(made)
    assert "key.csv: was changed after it was written" in said(made)


@pytest.mark.slow
def test_a_replica_that_is_not_the_median_is_named_in_sheet_and_result():
    made = goto(app(), "Read and annotate", "choose")
    control = next(c for c in made.segmented_control if c.key.startswith("replica read of segmented"))
    best = next(option for option in control.options if option.startswith("Best"))
    control.set_value(best)
    settle(made)
    goto(made, "Read and annotate", "annotate")
    assert "replicas words seed16 (median), segmented" in said(made)
    assert "(best), chosen on test-second by BLEU. Sheet" in said(made)
