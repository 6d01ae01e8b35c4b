"""Small valid experiments of every layout, for the fuzzer to damage."""

from __future__ import annotations

import gzip
import io
import json

import openpyxl
import pyarrow
import pyarrow.parquet

Files = dict[str, bytes]


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
    "named-sets": {f"refs/{t}.txt": _lines(t, n) for t, n in (("dev", 4), ("test", 6))} | {
        f"preds/{s}/seed1/{t}.txt": _lines(s, n) for t, n in (("dev", 4), ("test", 6)) for s in "xy"
    },
    "deep": {f"out/{s}/beam5/s{k}.txt": _lines(f"{s}{k}") for s in "xy" for k in (1, 2)} | {"gold.txt": _lines("r")},
    "pair": {"data/test.de-en.de": _lines("s"), "data/test.de-en.en": _lines("r"), "x_s1.en": _lines("x"),
             "x_s2.en": _lines("xx"), "y_s1.en": _lines("y"), "y_s2.en": _lines("yy")},
    "flores": {"eng_Latn.devtest": _lines("s"), "fra_Latn.devtest": _lines("r"), "x/eng-fra.hyp": _lines("x"),
               "y/eng-fra.hyp": _lines("y")},
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
    "samples": {"x.jsonl": _records(outputs=["h {i}", "g {i}"], reference="r {i}")},
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
_BY_ROW = [["id", "system", "seed", "hypothesis", "reference", "comet"],
           *([i, s, 1, f"a b {i}", f"a c {i}", i / 10] for i in range(6) for s in "xy")]  # fmt: skip


def _book(rows: list[list[object]]) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def _parquet_of(rows: list[list[object]]) -> bytes:
    stream = io.BytesIO()
    columns = dict(zip(map(str, rows[0]), map(list, zip(*rows[1:], strict=True)), strict=True))
    pyarrow.parquet.write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


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
    "texts-in-a-workbook": {"o.xlsx": _book(_BY_ROW)},
    "texts-in-parquet": {"o.parquet": _parquet_of(_BY_ROW)},
    "unknown-metrics": {"t.csv": _rows("system,seed,segment,aa,bb,cc,dd,ee", "x,{i},1,{i},1,2,3,4")},
    "judgements": {"judgements/da.csv": _rows("system,segment,annotator,score", "x,{i},a,{i}"), "refs/r": _lines("r"),
                   "systems/x/1.txt": _lines("x")},
    "hydra": {f"multirun/lr=0.1,seed={k}/hyp.txt": _lines("x") for k in (1, 2)} | {"ref.txt": _lines("r")},
    "several": {f"{a}/{b}/{name}": _lines(name) for a, b in (("a", "one"), ("b", "two"))
                for name in ("x.seed1.txt", "x.seed2.txt", "ref.txt")},
}  # fmt: skip


def _packed_with_zstd(data: bytes) -> bytes:
    return pyarrow.compress(data, "zstd", asbytes=True)


_RUNS = [["system", "seed", "MNLI", "TER"], *([s, k, 0.8 + k / 100, 40.5] for s in "xy" for k in (1, 2, 3))]
_REPORT = b'[{"name": "BLEU", "score": 27.1, "signature": "x"}, {"name": "TER", "score": 50.2, "signature": "x"}]'
_MQM = _rows("system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity",
             "x\td\t1\t{i}\tr1\ts\tt <v>e</v>\tAccuracy/Omission\tmajor")  # fmt: skip
SEEDS |= {
    "numbered-sweep": {
        f"multirun/{k}/{name}": data for k in (0, 1)
        for name, data in {"hyp.txt": _lines("x"), ".hydra/overrides.yaml": f"- lr=0.1\n- seed={k}\n".encode(),
                           ".hydra/config.yaml": b"lr: 0.1\n"}.items()
    } | {"ref.txt": _lines("r")},
    "checkpoints": {f"x/seed{k}/step_{n}.txt": _lines(f"x{n}") for k in (1, 2) for n in (100, 200)}
    | {"ref.txt": _lines("r")},
    "wandb": {f"wandb/run-20240101_10000{k}-ab{k}/files/hyp.txt": _lines("x") for k in (1, 2)}
    | {"ref.txt": _lines("r")},
    "systems-in-runs": {f"seed{k}/{s}.txt": _lines(s) for k in (1, 2) for s in "xy"} | {"ref.txt": _lines("r")},
    "one-output-per-table": {f"x-seed{k}/preds.csv": _rows("id,label,pred,correct", "{i},1,0,True") for k in (1, 2)},
    "scores-by-file": {f"x_seed{k}.csv": _rows("segment;COMET", "{i};0,5{i}") for k in (1, 2)},
    "numbers-of-rows": {"o.jsonl": b"".join(
        json.dumps({"id": k * 3 + i, "model": "x", "seed": k, "prediction": f"h {i}", "reference": f"r {i}"}).encode()
        + b"\n" for k in (0, 1) for i in range(3))},
    "list-of-records": {"o.json": json.dumps([
        dict(zip(_BY_ROW[0], row, strict=True)) for row in _BY_ROW[1:]]).encode()},
    "list-of-scores": {"s.json": json.dumps([{"system": s, "segment": i, "chrF": i / 9} for s in "xy"
                                             for i in range(3)]).encode()},
    "sacrebleu-reports": {f"x.seed{k}.json": _REPORT for k in (1, 2)},
    "runs-in-a-workbook": {"r.xlsx": _book([["Results"], *_RUNS])},
    "runs-in-parquet": {"r.parquet.gz": gzip.compress(_parquet_of(_RUNS))},
    "runs-as-json": {"r.jsonl.zst": _packed_with_zstd("\n".join(
        json.dumps(dict(zip(_RUNS[0], row, strict=True))) for row in _RUNS[1:]).encode())},
    "packed-tables": {"s.csv.gz": gzip.compress(_scores(",")), "t.xlsx.gz": gzip.compress(_book(_BY_ROW))},
    "tracker": {"runs.csv": _rows("Run ID,params.model,params.seed,metrics.acc,params.lr", "a{i},x,{i},0.{i},0.1")},
    "german": {"w.csv": _rows("Modell;Lauf;Satz;Fehlerrate", "x;1;{i};0,{i}").replace(b"\n", b"\r\n")},
    "mqm": {"mqm.tsv": _MQM, "x.seed1.txt": _lines("x"), "ref.txt": _lines("r")},
    "judgements-alone": {"da.csv": _rows("SID,SYS,RATER,RAW.SCR,Z.SCR", "{i},x,r1,5{i},0.{i}")},
    "comet-of-texts": {"c.json": json.dumps({
        "x.txt": [{"src": "s", "mt": "t", "ref": "r", "COMET": 0.5}] * 6}).encode()},
}  # fmt: skip
