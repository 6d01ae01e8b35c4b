"""Damages small valid experiments of every layout at random: an Experiment must come out, or a LoadError naming a file.

::

    python -m tests.fuzz --minutes 20 --seed 1

What fails is printed with its case number, which finds it again (``--case N`` with the same seed), and its
files are kept in a folder. Exit status 1 when anything failed.
"""

from __future__ import annotations

import argparse
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
from typing import Any

from mtsig_core.experiment import Experiment
from mtsig_core.loading import LAYOUTS, Limits, LoadError, Source, load, overview
from mtsig_core.loading.layouts.common.several import SeveralExperiments
from mtsig_core.loading.sources.source import Part
from tests.fuzz_corrections import TIGHT, corrected
from tests.fuzz_seeds import SEEDS, Files

#: Longest time that so small an input may take, in seconds of the processor.
SLOW = 5.0
LIMITS = Limits(unpacked_bytes=64 * 1024 * 1024, ratio_floor=4 * 1024 * 1024)


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


def _restructure(rng: random.Random, data: bytes) -> bytes:
    """Put lists and objects where JSON has others, or texts and numbers, in the whole file or in one of its lines."""
    try:
        return json.dumps(_other_shape(rng, json.loads(data))).encode()
    except ValueError:
        lines = data.split(b"\n")
    try:
        at = rng.randrange(len(lines))
        lines[at] = json.dumps(_other_shape(rng, json.loads(lines[at]))).encode()
    except ValueError:
        return _repeat(rng, data)  # no JSON
    return b"\n".join(lines)


def _other_shape(rng: random.Random, value: Any) -> Any:
    inside = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if inside and rng.random() < 0.7:
        changed = value.copy()
        at = rng.choice(inside)
        changed[at] = _other_shape(rng, changed[at])
        every = rng.random() < 0.4 and isinstance(changed, list)
        return [_other_shape(random.Random(1), item) for item in changed] if every else changed
    return rng.choice((
        [value], [[value], [value]], [value, value], {"outputs": value}, {"data": [value]}, {"0": value, "1": value},
        None, [], {}, 0, "x", [value, None], list(value.values()) if isinstance(value, dict) else {"a": value},
    ))  # fmt: skip


DAMAGES: tuple[Damage, ...] = (_flip, _insert, _insert, _delete, _repeat, _recode, _shuffle, _noise, _restructure)
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


def judge(source: Source, name: str, encoding: str | None, limits: Limits = LIMITS) -> str:
    """Return what is wrong with how an input was treated; "" when nothing is."""
    start = time.process_time()
    try:
        experiment, report = load(source, name=name, encoding=encoding, limits=limits)
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
    name = rng.choice(("up.zip", "up", "x.tsv"))
    limits = LIMITS if rng.random() < 0.9 else TIGHT
    wrong = judge(whole, name, encoding, limits)
    if not wrong and rng.random() < 0.3:
        wrong = judge_corrections(rng, whole, name, limits)
    return wrong, source, kind


def judge_corrections(rng: random.Random, source: Source, name: str, limits: Limits) -> str:
    """Return what is wrong with how random corrections of an input were treated; "" when nothing is."""
    start = time.process_time()
    try:
        corrected(rng, source, name, limits)
    except Exception:  # whatever it is, it is a find
        return traceback.format_exc(limit=-6)
    seconds = time.process_time() - start
    return f"corrections took {seconds:.1f} s" if seconds > 3 * SLOW else ""


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
