"""A simulated browser session, and what the tests of all pages do with it."""

from __future__ import annotations

import io
import re
import time
import zipfile
from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest

from pages.parts.learn.order import LESSONS

ROOT = Path(__file__).resolve().parents[2]
QUICK = {"boot": "100", "shuffles": "100"}
PAGES = {
    "Data": "pages/start/data.py",
    "Replicas": "pages/explore/replicas.py",
    "Compare": "pages/explore/compare.py",
    "Rank systems": "pages/explore/rank.py",
    "Plan": "pages/explore/plan.py",
    "Read and annotate": "pages/explore/read.py",
    "Trust the tests": "pages/explore/trust.py",
    "Human judgement": "pages/people/human_judgement.py",
    "Metrics against people": "pages/people/metrics_against_people.py",
    "Optimizer lab": "pages/tools/optimizer_lab.py",
    "Report": "pages/tools/report.py",
    **{title: f"pages/{file}" for file, title, _ in LESSONS},
}


def app(page: str | None = None, **query: str) -> AppTest:
    """Open the app on a demonstration, with few draws and one metric unless the query says otherwise."""
    return session({"demo": "news", "metrics": "BLEU"} | query, page)


def session(query: dict[str, str], page: str | None = None) -> AppTest:
    """Open the app at an address, with few draws."""
    made = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    for key, value in (QUICK | query).items():
        made.query_params[key] = value
    if page:
        made.switch_page(PAGES[page])
    return settle(made)


def settle(made: AppTest, seconds: float = 90) -> AppTest:
    """Run until nothing is being computed or saved."""
    made.run()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        saving = any("Saving for later" in caption.value for caption in made.caption)
        if not saving and not any(b.label == "Cancel" for b in made.button):
            break
        time.sleep(0.2)
        made.run()
    assert not made.exception, made.exception
    return made


def goto(made: AppTest, title: str, section: str = "") -> AppTest:
    """Go to a page, and to one of its sections, as its address does."""
    made.switch_page(PAGES[title])
    return show(made, section)


def show(made: AppTest, section: str) -> AppTest:
    """Show a section of the page by the address; the first one without a name."""
    made.query_params.pop("section", None)
    if section:
        made.query_params["section"] = section
    return settle(made)


def zipped(folder: Path) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in sorted(folder.rglob("*.txt")):
            archive.write(path, path.relative_to(folder).as_posix())
    return stream.getvalue()


def upload(made: AppTest, name: str, content: bytes) -> AppTest:
    """Drop an archive on the Experiment page, and wait until it is open and kept."""
    goto(made, "Data")
    made.file_uploader(key="archive").upload(name, content)
    settle(made)
    return settle(made)


def said(made: AppTest) -> str:
    """Return what the page says to a reader, without the marks that keep user text literal."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "error", "warning", "info")
    texts = [str(element.value) for kind in kinds for element in getattr(made, kind)]
    rows = [f"| {' | '.join(row)} |" for table in written_tables(made) for row in table]
    return unmarked("\n".join(texts + rows))


def written_tables(made: AppTest) -> list[list[list[str]]]:
    """Return the cells of the tables that are written out as text."""
    bodies = [element.proto.body for element in made.get("html")]
    return [
        [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", body)]
        for body in bodies if "<table>" in body
    ]  # fmt: skip


def table_1(made: AppTest) -> pd.DataFrame:
    """Return the table on Replicas as a reader sees it."""
    drawn = next(table for table in written_tables(made) if table[0][0] == "metric")
    head, *rows = ([unmarked(cell) for cell in row] for row in drawn)
    return pd.DataFrame(rows, columns=head)


def unmarked(text: str) -> str:
    """Return text as a reader sees it, without the marks that keep it literal and in one line."""
    return text.replace("\\", "").replace("\u2060", "").replace("\u00a0", " ")
