"""Leftovers of decoding, other scripts, other case, other order: each is named, and clean text is not."""

from __future__ import annotations

import random

import pytest

from mtsig_core.loading import load

WORDS = [
    "the",
    "old",
    "ferry",
    "leaves",
    "a",
    "quiet",
    "harbour",
    "near",
    "this",
    "green",
    "bridge",
    "before",
    "seven",
    "long",
    "winters",
    "ended",
]
RNG = random.Random(5)
REFERENCE = [f"{' '.join(RNG.choices(WORDS, k=9)).capitalize()} {i}." for i in range(60)]


def report_of(output: list[str], reference: list[str] = REFERENCE):
    files = {"ref.txt": reference, "good.seed1.txt": reference[:-1] + ["Another end."], "x.seed1.txt": output}
    return load([(name, "\n".join(text).encode() + b"\n") for name, text in files.items()], cache=False)[1]


def worse(line: str) -> str:
    words = line.split()
    return " ".join(words[:3] + words[4:])


@pytest.mark.parametrize(("change", "code", "example"), [
    (lambda x: x.replace(" ", "@@ ", 1), "bpe-marks", "@@"),
    (lambda x: "▁" + x.replace(" ", " ▁"), "bpe-marks", "U+2581"),
    (lambda x: x.replace(" ", " ##", 1), "bpe-marks", "WordPiece"),
    (lambda x: x.replace(" ", "Ġ"), "bpe-marks", "U+0120"),
    (lambda x: x.replace(".", "￭."), "bpe-marks", "U+FFED"),
    (lambda x: x + "<0xE2><0x82>", "byte-tokens", "<0xE2>"),
    (lambda x: x + " </s>", "special-tokens", "</s>"),
    (lambda x: x + "<|im_end|>", "special-tokens", "<|im_end|>"),
    (lambda x: x + " <pad> <pad>", "special-tokens", "<pad>"),
    (lambda x: x.replace("the", "<unk>") + "<unk>", "unk", "<unk>"),
    (lambda x: "__de__ " + x, "language-tokens", "__de__"),
    (lambda x: "<2de> " + x, "language-tokens", "<2de>"),
    (lambda x: "deu_Latn " + x, "language-tokens", "deu_Latn"),
    (lambda x: ">>deu<< " + x, "language-tokens", ">>deu<<"),
    (lambda x: "```" + x + "```", "code-fences", "```"),
    (lambda x: "Here is the translation: " + x, "chat-answers", "Here is"),
    (lambda x: "Sure! The translation is: " + x, "chat-answers", "Sure!"),
    (lambda x: "**German translation:** " + x, "chat-answers", "translation:"),
    (lambda x: "nan", "nan-lines", "nan"),
    (lambda x: "None", "nan-lines", "None"),
    (lambda x: "Traceback (most recent call last):", "tracebacks", "Traceback"),
    (lambda x: "RuntimeError: CUDA out of memory.", "tracebacks", "RuntimeError"),
    (lambda x: " 53%|█████▎    | 53/100 [00:01<00:01]", "progress-bars", "53%"),
    (lambda x: "<html><body>502</body></html>", "html", "<html>"),
    (lambda x: '{"text": "' + x + '"}', "json-objects", "text"),
    (lambda x: x.replace(" ", " \u200b", 1), "invisible-characters", "<U+200B>"),
    (lambda x: x.replace(" ", " \ufeff", 1), "invisible-characters", "<U+FEFF>"),
    (lambda x: x.replace(" ", " \x1b[0m", 1), "invisible-characters", "<U+001B>"),
    (lambda x: x + "\ufffd", "replacement-characters", "\ufffd"),
    (lambda x: x + "Ċ", "bpe-marks", "Ċ"),
    (lambda x: x.replace(" ", " @-@ ", 1), "bpe-marks", "@-@"),
    (lambda x: x.replace(" ", "</w> "), "bpe-marks", "</w>"),
    (lambda x: x + " <EOS>", "special-tokens", "<EOS>"),
    (lambda x: "xxunk " + x, "unk", "xxunk"),
    (lambda x: "I cannot help with that.", "chat-answers", "cannot"),
    (lambda x: "N/A", "nan-lines", "N/A"),
    (lambda x: '""', "nan-lines", '""'),
    (lambda x: "[ERROR: rate limit exceeded]", "nan-lines", "rate limit"),
    (lambda x: "slurmstepd: error: JOB 5 CANCELLED", "tracebacks", "slurmstepd"),
    (lambda x: "/lib/x.py:12: UserWarning: old", "tracebacks", "UserWarning"),
    (lambda x: "[2024-01-05 10:00:00] [info] " + x, "tracebacks", "[info]"),
    (lambda x: x.replace(" ", "\\n", 1), "escapes", "\\n"),
    (lambda x: x.replace("e", "\\u00e9", 1), "escapes", "u00e9"),
])  # fmt: skip
def test_leftovers_are_named_with_share_and_example(change, code, example):
    output = [change(worse(line)) if i % 3 == 1 else worse(line) for i, line in enumerate(REFERENCE)]
    (line,) = report_of(output).with_code(code)
    assert line.files == ("x.seed1.txt",)
    assert "x/seed1 (20 of 60 lines, 33%)" in line.message
    assert "line 2: " in line.message
    assert example in line.message


LEFTOVERS = {"bpe-marks", "byte-tokens", "special-tokens", "unk", "language-tokens", "code-fences", "chat-answers",
             "nan-lines", "tracebacks", "progress-bars", "html", "json-objects", "invisible-characters",
             "replacement-characters", "other-case", "other-script", "shuffled-lines"}  # fmt: skip


@pytest.mark.parametrize("line", [
    "Certainly, that is true.", "“Sure, OP.", "He said: “Here is your key”.", "Pay 100% | or leave.", "A ##comment",
    "See <b>here</b> and a > b.", "my_file_name and de_facto", "I'm sorry, but that is not mine.", "None of them came.",
    "Error: no. 5 is missing, said the clerk", "The translation of this book is good.",
])  # fmt: skip
def test_text_that_both_sides_hold_or_that_only_resembles_leftovers(line):
    reference = [line, *REFERENCE[1:]]
    codes = {each.code for each in report_of([line, *map(worse, reference[1:])], reference).lines}
    assert not codes & LEFTOVERS


def test_leftovers_of_references_are_named_too():
    reference = [f"{line} </s>" for line in REFERENCE]
    files = {"ref.txt": reference, "x.seed1.txt": REFERENCE}
    report = load([(name, "\n".join(text).encode()) for name, text in files.items()], cache=False)[1]
    assert "references of test (60 lines)" in report.with_code("special-tokens")[0].message


@pytest.mark.slow
def test_another_script_and_another_case():
    cyrillic = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абцдефгхижклмнопярстувшхыз")
    assert (
        "Cyrillic" in report_of([x.lower().translate(cyrillic) for x in REFERENCE]).with_code("other-script")[0].message
    )
    assert "lowercased" in report_of([worse(x).lower() for x in REFERENCE]).with_code("other-case")[0].message
    assert "in capitals" in report_of([worse(x).upper() for x in REFERENCE]).with_code("other-case")[0].message
    lower = [x.lower() for x in REFERENCE]
    assert "not lowercased" in report_of([worse(x) for x in REFERENCE], lower).with_code("other-case")[0].message


@pytest.mark.slow
@pytest.mark.parametrize("order", [sorted, lambda x: RNG.sample(x, len(x)), lambda x: sorted(x, key=len)])
def test_lines_in_another_order(order):
    distinct = [
        " ".join(RNG.choices("abcdefghijklmnopqrstuvwxyz", k=3)) + f" {x} n{i}" for i, x in enumerate(REFERENCE)
    ]
    (line,) = report_of(order([worse(x) for x in distinct]), distinct).with_code("shuffled-lines")
    assert "another order" in line.message
    assert not report_of([worse(x) for x in distinct], distinct).with_code("shuffled-lines")


def test_a_bad_system_is_not_called_shuffled():
    noise = [" ".join(RNG.choices(WORDS, k=9)) for _ in REFERENCE]
    assert not report_of(noise).with_code("shuffled-lines")


def test_bleu_of_segments_of_two_words_is_explained():
    reference = [f"word{i} two" for i in range(30)]
    assert (
        "BLEU counts" in report_of(reference[:-1] + ["other end"], reference).with_code("too-short-for-bleu")[0].message
    )
    assert not report_of([worse(x) for x in REFERENCE]).with_code("too-short-for-bleu")


@pytest.mark.parametrize(("change", "code", "example"), [
    (lambda x: "Hier ist die Übersetzung: " + x, "repeated-edges", "Hier ist"),
    (lambda x: "以下是翻译：" + x, "repeated-edges", "以下是翻译"),
    (lambda x: "[EN] " + x, "repeated-edges", "[EN]"),
    (lambda x: f"-0.{len(x)} {x}", "repeated-edges", "-0."),
    (lambda x: f"{x} ({len(x)}%)", "repeated-edges", "%)"),
    (lambda x: f"{x} Note: names were kept.", "repeated-edges", "Note:"),
    (lambda x: f"{x}\t-0.5", "columns", "-0.5"),
    (lambda x: f"{x} ||| -0.5", "columns", "|||"),
    (lambda x: f'["{x}"]', "quotes", '["'),
    (lambda x: f"„{x}“", "quotes", "„"),
    (lambda x: "The same in every line.", "few-distinct-lines", "1 different"),
    (lambda x: "Die Katze saß ganz ruhig hier " + str(len(x)), "unlike-references", "x/seed1"),
])  # fmt: skip
def test_what_most_lines_have_and_references_have_not(change, code, example):
    (line,) = report_of([change(worse(line)) for line in REFERENCE]).with_code(code)
    assert line.files == ("x.seed1.txt",)
    assert example in line.message


@pytest.mark.parametrize("change", [
    lambda x: "Answer: " + x, lambda x: x + " (5%)", lambda x: f'"{x}"', lambda x: x + "\tend", lambda x: "[EN] " + x,
])  # fmt: skip
def test_what_references_have_as_well(change):
    reference = list(map(change, REFERENCE))
    report = report_of([change(worse(line)) for line in REFERENCE], reference)
    assert not {"repeated-edges", "quotes", "columns"} & {line.code for line in report.lines}
