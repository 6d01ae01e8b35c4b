"""Every layout loads the same from a folder, a zip, a tar and loose files."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import load
from tests.fuzz import SEEDS

Files = dict[str, bytes]


def _comet() -> bytes:
    rows = {f"{s}/seed{k}.txt": [{"COMET": i / 7 + k} for i in range(6)] for s in "xy" for k in (1, 2)}
    return json.dumps(rows).encode()


def _parquet(folder) -> bytes:
    import pandas as pd

    rows = [(s, f"seed{k}", i, ord(s) + k * i) for s in "xy" for k in (1, 2) for i in range(6)]
    path = folder / "made.parquet"
    pd.DataFrame(rows, columns=["system", "replica", "segment", "score"]).to_parquet(path)
    return path.read_bytes()


def _beside_text(path: str, content: bytes) -> Files:
    return {**SEEDS["plain"], path: content}


#: layout: (files, what it is recognised as)
TREES: dict[str, tuple[Files, str]] = {
    "native": (SEEDS["native"], "native"),
    "plain": (SEEDS["plain"], "plain"),
    "MultEval": (SEEDS["multeval"], "MultEval"),
    "flat names": (SEEDS["flat"], "flat names"),
    "out.K": ({"out.0": b"a\nb\n", "out.1": b"a\nc\n", "ref.0": b"a\nb\n", "ref.1": b"b\nb\n"}, "flat names"),
    "hyp.SYSTEM.K": ({"hyp.x.1": b"a\nb\n", "hyp.x.2": b"a\nc\n", "ref.txt": b"a\nb\n"}, "flat names"),
    "WMT text": (SEEDS["wmt-text"], "WMT text"),
    "WMT XML": (SEEDS["wmt-xml"], "WMT XML"),
    "mt-metrics-eval": (SEEDS["mt-metrics-eval"], "mt-metrics-eval"),
    "fairseq": (SEEDS["fairseq"], "fairseq"),
    "fairseq in systems": ({f"systems/{p}": c for p, c in SEEDS["fairseq"].items()}, "plain"),
    "HF trainer": (SEEDS["hf"], "HF trainer"),
    "sacreBLEU TSV": (SEEDS["tsv"], "sacreBLEU TSV"),
    "NIST": (SEEDS["nist"], "NIST SGML"),
    "csv": (SEEDS["scores"], "segment scores"),
    "tsv": (SEEDS["score-table"], "segment scores"),
    "jsonl": (
        {"s.jsonl": b"".join(b'{"system": "x", "seed": %d, "segment": %d, "score": 1.5}\n' % (k, i)
                             for k in (1, 2) for i in range(4))},
        "segment scores",
    ),
    "COMET json": ({"comet.json": _comet()}, "segment scores"),
    "COMET lines": ({"c.log": b"".join(b"x/s1.txt\tSegment %d\tscore: 0.5\n" % i for i in range(4))}, "segment scores"),
    "people's scores": (_beside_text("ad-good-stnd.csv", b"SYS,SID,WorkerId,score\nx,1,w,.5\n"), "plain"),
    "MQM": (_beside_text("mqm.tsv", b"system\tseg_id\tmqm\nx\t1\t-1\n"), "plain"),
}  # fmt: skip


def _check(files: Files, layout: str, make_zip, make_tar, write, tmp_path) -> None:
    ways = {
        "folder": (write(tmp_path / "mine", files), None),
        "zip": (make_zip(files), "mine.zip"),
        "zip with a folder": (make_zip({f"mine/{path}": content for path, content in files.items()}), "mine.zip"),
        "tar.gz": (make_tar(files), "mine.tar.gz"),
        "loose files": (list(files.items()), "mine"),
        "loose files, last first": (list(files.items())[::-1], "mine"),
        "folder in the browser": ([(f"mine/{path}", content) for path, content in files.items()], None),
    }
    found = {way: load(source, name=name) for way, (source, name) in ways.items()}
    assert {report.layout for _, report in found.values()} == {layout}
    assert len({experiment.digest for experiment, _ in found.values()}) == 1, {w: e for w, (e, _) in found.items()}
    told = {way: {(role.path, role.kind, role.system) for role in report.roles} for way, (_, report) in found.items()}
    assert all(roles == told["folder"] for roles in told.values())


@pytest.mark.slow
@pytest.mark.parametrize("kind", TREES)
def test_every_way_gives_the_same(kind, make_zip, make_tar, write, tmp_path):
    _check(*TREES[kind], make_zip, make_tar, write, tmp_path)


def test_a_parquet_table_too(make_zip, make_tar, write, tmp_path):
    _check({"s.parquet": _parquet(tmp_path)}, "segment scores", make_zip, make_tar, write, tmp_path)
