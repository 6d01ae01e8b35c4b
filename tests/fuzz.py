"""Damages small valid experiments of every layout at random: an Experiment must come out, or a LoadError naming a file.

::

    python -m tests.fuzz --minutes 20 --seed 1

What fails is printed with its case number, which finds it again (``--case N`` with the same seed), and its
files are kept in a folder. Exit status 1 when anything failed.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import resource
import sys
import tarfile
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet

from mtsig_core.experiment import Experiment
from mtsig_core.loading import LAYOUTS, Limits, LoadError, Source, load, overview
from mtsig_core.loading.layouts.common.several import SeveralExperiments
from mtsig_core.loading.sources.source import Part

Files = dict[str, bytes]
#: Longest time that so small an input may take, in seconds of the processor.
SLOW = 5.0
LIMITS = Limits(unpacked_bytes=64 * 1024 * 1024, ratio_floor=4 * 1024 * 1024)


# Valid experiments


def _lines(word: str, n: int = 6) -> bytes:
    return "".join(f"{word} line {i} é 中 of {i * i}\n" for i in range(n)).encode()


def _log(word: str, n: int = 6) -> bytes:
    ids = sorted(range(n), key=lambda i: i * 7 % 5)
    form = "S-{0}\tsource {0}\nT-{0}\treference {0}\nH-{0}\t-0.5\t{1} {0} .\nD-{0}\t-0.5\t{1} {0}.\nP-{0}\t-0.1\n"
    return "".join(form.format(i, word) for i in ids).encode()


def _xml(n: int = 6) -> bytes:
    def part(tag: str, attributes: str, word: str) -> str:
        segments = "".join(f'<seg id="{i}">{word} {i}</seg>\n' for i in range(n))
        return f"<{tag} {attributes}><p>{segments}</p></{tag}>"

    inner = part("src", 'lang="en"', "source") + part("ref", 'lang="de" translator="A"', "reference")
    inner += part("hyp", 'lang="de" system="x"', "x &amp;") + part("hyp", 'lang="de" system="y"', "y")
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    return f'{head}<dataset id="t"><doc id="d" origlang="en">{inner}</doc></dataset>'.encode()


def _sgml(tag: str, attributes: str, word: str, n: int = 6) -> bytes:
    segments = "".join(f'<seg id="{i}">{word} &amp; {i}</seg>\n' for i in range(n))
    return f'<{tag} setid="t" srclang="en">\n<DOC docid="d" {attributes}>\n{segments}</DOC>\n</{tag}>\n'.encode()


def _table(separator: str, header: str = "ref{0}x.seed1{0}x.seed2{0}y.seed1\n") -> bytes:
    rows = "".join(f"a {i}{separator}b {i}{separator}c {i}{separator}d {i}\n" for i in range(6))
    return (header.format(separator) + rows).encode()


def _scores(separator: str) -> bytes:
    rows = [f"{s}{separator}{r}{separator}{i}{separator}{i * 0.1:.2f}" for s in "xy" for r in "12" for i in range(6)]
    return "\n".join([separator.join(("system", "replica", "segment", "score")), *rows, ""]).encode()


SEEDS: dict[str, Files] = {
    "native": {
        "experiment.toml": b'name = "n"\nbaseline = "x"\npaired = true\n[test_sets.dev]\nrole = "dev"\n',
        "test/reference.0.txt": _lines("one"),
        "test/reference.1.txt": _lines("two"),
        "test/source.txt": _lines("source"),
        "test/documents.txt": b"a\na\nb\nb\nb\nc\n",
        "test/systems/x/seed1.txt": _lines("x"),
        "test/systems/x/seed2.txt": _lines("xx"),
        "test/systems/y/seed1.txt": _lines("y"),
        "test/scores/comet/x/seed1.txt": b"0.1\n0.2\n0.3\n0.4\n0.5\n0.6\n",
        "dev/reference.txt": _lines("dev", 3),
        "dev/systems/x/seed1.txt": _lines("dx", 3),
    },
    "plain": {
        "systems/x/1.txt": _lines("x"),
        "systems/x/2.txt": _lines("xx"),
        "systems/y.txt": _lines("y"),
        "refs/a": _lines("a"),
        "src.en": _lines("s"),
        "docids.tsv": b"d\tnews\t1\n" * 6,
    },
    "flat": {"x.seed1.txt": _lines("x"), "x.seed2.txt": _lines("xx"), "y_run1": _lines("y"), "ref0": _lines("r")},
    "multeval": {f"hyps.t.{s}.opt{k}": _lines(f"{s}{k}") for s in "xy" for k in range(2)} | {"refs.t.0": _lines("r")},
    "wmt-text": {
        "txt/sources/t.en-de.src.en": _lines("s"),
        "txt/references/t.en-de.ref.A.de": _lines("r"),
        "txt/system-outputs/t.en-de.hyp.x.de": _lines("x"),
        "txt/system-outputs/t.en-de.hyp.y.de": _lines("y"),
    },
    "mt-metrics-eval": {
        "sources/en-de.txt": _lines("s"),
        "references/en-de.refA.txt": _lines("r"),
        "system-outputs/en-de/x.txt": _lines("x"),
        "system-outputs/en-de/refA.txt": _lines("r"),
        "documents/en-de.docs": b"news d\n" * 6,
        "metric-scores/en-de/m-refA.seg.score": b"x\t0.5\n" * 6 + b"refA\t1\n" * 6,
        "human-scores/en-de.mqm.seg.score": b"x\t-1\n" * 6,
        "human-scores/en-de.mqm.domain.score": b"news\tx\t-1\n",
    },
    "wmt-xml": {"t.xml": _xml()},
    "nist": {
        "src.sgm": _sgml("srcset", "", "s"),
        "ref.sgm": _sgml("refset", 'sysid="r"', "r"),
        "x.sgm": _sgml("tstset", 'sysid="x"', "x"),
    },
    "fairseq": {"m-seed1/generate-test.txt": _log("a"), "m-seed2/generate-test.txt": _log("b")},
    "hf": {"m-seed1/generated_predictions.txt": _lines("a"), "labels.txt": _lines("r")},
    "tsv": {"t.tsv": _table("\t")},
    "scores": {"s.csv": _scores(",")},
    "score-table": {"s.tsv": _scores("\t")},
    "n-best": {"n.txt": b"0 ||| a b ||| lm= -1 ||| -2\n0 ||| a ||| lm= -2 ||| -3\n" * 3, "ref.txt": _lines("r")},
}


def _records(**keys: object) -> bytes:
    """Return six JSON lines; {i} in a text is the number of the line."""
    filled = ({k: v.format(i=i) if isinstance(v, str) else v for k, v in keys.items()} for i in range(6))
    return "".join(json.dumps({"id": i, **record}) + "\n" for i, record in enumerate(filled)).encode()


def _sheet() -> bytes:
    book = openpyxl.Workbook()
    for row in _scores(",").decode().splitlines():
        book.active.append(row.split(","))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _parquet() -> bytes:
    header, *rows = (line.split(",") for line in _scores(",").decode().splitlines())
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({**columns, "score": [float(x) for x in columns["score"]]}), stream)
    return stream.getvalue()


_SAMPLES = _records(doc_id=1, resps=[["a"]], filter="none", metrics=["acc"], acc=1.0).replace(b'"id"', b'"doc_id2"')
_SAMPLES = b"".join(
    line.replace(b'"doc_id": 1', b'"doc_id": %d' % i) + b"\n" for i, line in enumerate(_SAMPLES.split(b"\n")[:6])
)
_RESULTS = b'{"results": {}, "config": {"random_seed": 1}, "higher_is_better": {"t": {"acc": true}}}'
_INSPECT = (
    b'{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {"config": {"seed": 1}}, '
    b'"samples": [{"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}, {"id": 2, "epoch": 2, "scores": '
    b'{"match": {"value": 0.5}}}]}'
)
_COMET = b'{"systems/x/1.txt": [' + b", ".join(b'{"src": "s", "mt": "t", "COMET": 0.5}' for _ in range(6)) + b"]}"
SEEDS |= {
    "predictions": {
        f"m-seed{k}/generated_predictions.jsonl": _records(prompt="p {i}", predict=f"x{k} {{i}}", label="r {i}")
        for k in (1, 2)
    },
    "json-lines": {"o.jsonl": _records(system="x", seed=1, hypothesis="h {i}", reference="r {i}", source="s {i}")},
    "wmt-json": {"g.jsonl": _records(doc_id="d{i}", src_text="s {i}", refs={"A": {"ref": "r"}}, tgt_text={"x": "t"})},
    "lm-eval": {"m-seed1/samples_t_2024-01-01T10-00-00.1.jsonl": _SAMPLES,
                "m-seed1/results_2024-01-01T10-00-00.1.json": _RESULTS},
    "inspect": {"a.json": _INSPECT, "b.json": _INSPECT.replace(b'"seed": 1', b'"seed": 2')},
    "comet-json": {"systems/x/1.txt": _lines("x"), "refs/r.txt": _lines("r"), "scores/c.json": _COMET},
    "documents": {"s.csv": b"system,doc_id,seg_id,type,score\n" + b"".join(
        b"x,d%d,%d,TGT,0.5\n" % (i // 2, i % 2) for i in range(6))},
    "sheets": {"s.xlsx": _sheet()},
    "parquet": {"s.parquet": _parquet()},
    "packed": {"systems/x/1.txt.gz": gzip.compress(_lines("x")), "refs/r.txt.zst": pyarrow.compress(
        _lines("r"), "zstd", asbytes=True)},
    "leftovers": {"refs/r.txt": _lines("r"), "systems/x/1.txt": _lines("</s> x"), "systems/y/1.txt": _lines("0.5\tx"),
                  "systems/z/1.txt": _records(translation="t {i}")},
}  # fmt: skip


def _rows(header: str, row: str, n: int = 6) -> bytes:
    """Return a table; {i} in a row is its number."""
    return "\n".join([header, *(row.format(i=i) for i in range(n)), ""]).encode()


def _stat(name: str, mean: float) -> dict[str, object]:
    return {"name": {"name": name, "split": "test"}, "count": 1, "sum": mean, "mean": mean}


_INSTANCES = json.dumps([
    {"instance_id": f"id{i}", "train_trial_index": k, "stats": [_stat("exact_match", i / 6), _stat("num_tokens", 9)]}
    for i in range(6) for k in (0, 1)
]).encode()  # fmt: skip
_TOTALS = b'{"results": {"t": {"acc,none": 0.5, "acc_stderr,none": 0.1}}, "config": {"random_seed": 1}}'
_TRAINER = json.dumps({"eval_accuracy": 0.5, "eval_runtime": 1.0, "epoch": 3.0}).encode()
SEEDS |= {
    "sockeye": {f"m{k}/{name}": data for k in (1, 2) for name, data in {
        "decode.output.00001": _lines("a"), "decode.output.00002": _lines("b"), "args.yaml": b"a: 1\n"}.items()}
    | {"ref.txt": _lines("r")},
    "opennmt": {name: _lines(name) for name in ("tgt-test.txt", "src-test.txt", "pred.txt", "y.txt")},
    "set-as-reference": {"test.en": _lines("r"), "test.de": _lines("s"), "x.seed1.en": _lines("x")},
    "references-in-runs": {f"x/seed{k}/{name}": _lines(name) for k in (1, 2) for name in ("hyp.txt", "ref.txt")},
    "systems-in-columns": {"comet.csv": _rows("segment,x_seed1,x_seed2,y_seed1", "{i},0.{i},0.5,0.6")},
    "runs": {"runs.csv": _rows("run,MNLI,HANS", "seed{i},0.8{i},0.6")},
    "helm": {f"runs/gsm:a=b,model={m}/per_instance_stats.json": _INSTANCES for m in "xy"},
    "helm-totals": {f"gsm:model={m}/stats.json": json.dumps([_stat("exact_match", 0.5)]).encode() for m in "xy"},
    "lm-eval-totals": {f"m{k}/results_2024-01-01T10-00-00.1.json": _TOTALS for k in (1, 2)},
    "trainer": {f"m-seed{k}/{name}_results.json": _TRAINER for k in (1, 2) for name in ("eval", "all")},
    "optuna": {"t.csv": _rows(",number,value,params_lr,params_seed,state", "{i},{i},20.{i},0.1,{i},COMPLETE")},
    "texts-by-row": {"o.csv": _rows("id;system;seed;hypothesis;reference;comet", "{i};x;1;a b {i};a c {i};0,{i}")},
    "texts-by-column": {"o.csv": _rows("id,reference,base,new", '{i},a b {i},"a, b {i}",a c {i}')},
    "judgements": {"judgements/da.csv": _rows("system,segment,annotator,score", "x,{i},a,{i}"), "refs/r": _lines("r"),
                   "systems/x/1.txt": _lines("x")},
    "hydra": {f"multirun/lr=0.1,seed={k}/hyp.txt": _lines("x") for k in (1, 2)} | {"ref.txt": _lines("r")},
    "several": {f"{a}/{b}/{name}": _lines(name) for a, b in (("a", "one"), ("b", "two"))
                for name in ("x.seed1.txt", "x.seed2.txt", "ref.txt")},
}  # fmt: skip


# Damage

Damage = Callable[[random.Random, bytes], bytes]
_PIECES = (
    *(b"\r\n", b"\r", b"\n", b"\n\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\t", b" ||| ", b"-", b"0"),
    *(b"<", b">", b"&", b"&lt;", b'"', b"<!ENTITY a '&a;'>", b"<seg id='1'>", b"</doc>", b"<doc id='d'>", b"]]>"),
    *(b"\xe2\x80\xa8", b"\xc2\x85", b"\xed\xa0\x80", b"\xf0\x9f\x9a\xb2", b"\x1f\x8b", b"PK\x03\x04", b"PAR1"),
    *(b"D-99999999999\t1\tx\n", b"H-1\t-1\tx\n", b"nan", b"1e999", b"=1+1", b"{", b"[", b"},{"),
    *(b"\\ud800", b"null", b"\x1b[31m", b"version https://git-lfs.github.com/spec/v1\n", b"\x28\xb5\x2f\xfd", b'":'),
)


def _flip(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _insert(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(_PIECES) * rng.choice((1, 1, 1, 3, 200)) + data[at:]


def _delete(rng: random.Random, data: bytes) -> bytes:
    a, b = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
    return data[:a] + data[b:]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    a, b = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
    return data[:b] + data[a:b] * rng.choice((1, 2, 50)) + data[b:]


def _recode(rng: random.Random, data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(rng.choice(("utf-16", "utf-8-sig", "latin-1", "utf-32", "utf-16-le", "cp1252")), "replace")


def _shuffle(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def _noise(rng: random.Random, data: bytes) -> bytes:
    return rng.randbytes(rng.choice((0, 1, 7, 60, 600)))


DAMAGES: tuple[Damage, ...] = (_flip, _insert, _insert, _delete, _repeat, _recode, _shuffle, _noise)
_NAMES = (
    *("ref.txt", "systems", "src.en", "refs", "a.xml", "s.csv", "x.jsonl", "x.parquet", "x.sgm", "x.npz", "x.gz"),
    *("x.zst", "x.xlsx", "samples_t.jsonl"),
    *("experiment.toml", "test", "generate-test.txt", "docids.tsv", "scores", "x.json", "generated_predictions.txt"),
    *("..", "A", "\u00e9", "x" * 300, "", "CON", "~", ".x", "a\\b", "C:", "\ud800"),
)


def damaged_tree(rng: random.Random, files: Files) -> list[tuple[str, bytes]]:
    """Return the files after a few random changes of content, name and number."""
    tree = list(files.items())
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        i = rng.randrange(len(tree)) if tree else 0
        what = rng.random()
        if not tree or what < 0.05:
            tree.append((rng.choice(_NAMES), rng.choice(list(rng.choice(list(SEEDS.values())).values()))))
        elif what < 0.7:
            path, data = tree[i]
            tree[i] = (path, rng.choice(DAMAGES)(rng, data) if data else rng.choice(_PIECES))
        elif what < 0.85:
            parts = tree[i][0].split("/")
            parts[rng.randrange(len(parts))] = rng.choice(_NAMES)
            tree[i] = ("/".join(parts), tree[i][1])
        elif what < 0.92:
            del tree[i]
        else:
            tree += list(rng.choice(list(SEEDS.values())).items())
    return tree


def packed(rng: random.Random, tree: list[tuple[str, bytes]]) -> bytes:
    """Return an archive of the files, perhaps damaged."""
    stream = io.BytesIO()
    if rng.random() < 0.6:
        with zipfile.ZipFile(stream, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
            for path, data in dict(tree).items():
                archive.writestr(zipfile.ZipInfo(path.encode("utf-8", "replace").decode() or "x"), data)
    else:
        with tarfile.open(fileobj=stream, mode=rng.choice(("w", "w:gz", "w:xz", "w:bz2"))) as archive:
            for path, data in tree:
                info = tarfile.TarInfo(path.encode("utf-8", "replace").decode())
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    data = stream.getvalue()
    return rng.choice((_flip, _delete, _insert, _repeat))(rng, data) if rng.random() < 0.7 else data


# Judgement


def judge(source: Source, name: str, encoding: str | None) -> str:
    """Return what is wrong with how an input was treated; "" when nothing is."""
    start = time.process_time()
    try:
        experiment, report = load(source, name=name, encoding=encoding, limits=LIMITS)
        if not (isinstance(experiment, Experiment) and report.layout and len(experiment.digest) == 64):
            return "no valid experiment"
        overview(experiment)
        report.to_frame()
    except LoadError as error:
        if not error.file or not str(error) or error.report is None:
            return f"an error without file, words or report: {error!r}"
    except Exception:  # whatever it is, it is a find
        return traceback.format_exc(limit=-6)
    seconds = time.process_time() - start
    return f"took {seconds:.1f} s" if seconds > SLOW else ""


def undamaged(name: str, files: Files) -> str:
    """Return why an undamaged experiment does not load; "" where it does, or is to be chosen among several."""
    if name == "n-best":
        return ""
    try:
        load(list(files.items()), limits=LIMITS)
    except SeveralExperiments:
        return "" if name == "several" else "several experiments"
    except LoadError as error:
        return str(error)
    return ""


def one_case(seed: int, number: int) -> tuple[str, list[tuple[str, bytes]] | bytes, str]:
    """Return what is wrong, the input, and the seed experiment's name of one case."""
    rng = random.Random(f"{seed}/{number}")
    kind = rng.choice(list(SEEDS))
    tree = damaged_tree(rng, SEEDS[kind])
    encoding = rng.choice((None, None, None, "latin-1", "cp1252"))
    source = packed(rng, tree) if rng.random() < 0.3 else tree
    whole = source if rng.random() < 0.95 else Part(source, rng.choice(("one", "systems", "m-seed1", "..")))
    return judge(whole, rng.choice(("up.zip", "up", "x.tsv")), encoding), source, kind


def keep(source: list[tuple[str, bytes]] | bytes, number: int) -> Path:
    """Write an input into a new folder and return it."""
    folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{number}-"))
    if isinstance(source, bytes):
        (folder / "upload").write_bytes(source)
    else:
        (folder / "files.txt").write_text("\n".join(repr(pair) for pair in source), "utf-8", "backslashreplace")
    return folder


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzer; return 1 when anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="one case only")
    given = parser.parse_args(arguments)
    for name, files in SEEDS.items():
        wrong = judge(list(files.items()), "up", None) or undamaged(name, files)
        if wrong:
            print(f"The undamaged {name} experiment: {wrong}")
            return 1
    finds: dict[str, int] = {}
    end = time.monotonic() + 60 * given.minutes
    number = given.case or 0
    while time.monotonic() < end:
        wrong, source, kind = one_case(given.seed, number)
        # The same fault again is counted, not told.
        last = wrong.strip().rsplit("\n", 3)[-3:]
        if wrong:
            fault = " ".join(last)
            if fault not in finds:
                print(f"Case {number} ({kind}), kept in {keep(source, number)}:\n{wrong}", flush=True)
            finds[fault] = finds.get(fault, 0) + 1
        number += 1
        if given.case is not None:
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cases = number - (given.case or 0)
    print(f"{cases:,} cases of {len(SEEDS)} experiments, {len(LAYOUTS)} layouts; at most {peak:.0f} MiB.")
    for fault, times in finds.items():
        print(f"{times} times: {fault}")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
