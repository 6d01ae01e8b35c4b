"""BLEU from the inside (lesson 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from mtsig_core.figures.learn import inside_bleu as pictures
from mtsig_core.teaching import Run
from mtsig_core.teaching.inside_bleu import MOST_TEXTS, SETTINGS, InsideBLEU, growing
from pages.parts.learn.controls import Control, Number, Pick, Switch, Text
from pages.parts.learn.lesson import Lesson, Opened, Part, Picture

_EXAMPLES = {
    "order": ("Another order", "On Monday the council will close the old bridge for repairs.",
              "The council will close the old bridge for repairs on Monday."),
    "clip": ("Seven times the", "the the the the the the the", "the cat is on the mat"),
    "short": ("Too short", "The council will close the old bridge",
              "The council will close the old bridge for repairs."),
    "words": ("Other words", "The town hall is going to shut the ancient bridge to mend it.",
              "The council will close the old bridge for repairs."),
}  # fmt: skip
_SPLIT = (
    Pick("tokenizer", "Tokenizer", options={name: name for name in SETTINGS}),
    Switch("nocase", "Ignore case"),
)


def _editable(example: str) -> tuple[Control, Control]:
    def chosen(now: Mapping[str, Any]) -> bool:
        return now["example"] == example

    _, output, reference = _EXAMPLES[example]
    return (Text(f"output_{example}", "Output, to edit", start=output, when=chosen),
            Text(f"reference_{example}", "Reference, to edit", start=reference, when=chosen))  # fmt: skip


def controls(opened: Opened | None) -> Sequence[Control]:
    """Return the controls: examples to edit, or a segment of the open data whose output can be replaced."""
    if opened is None:
        examples = Pick("example", "Sentence", options={key: label for key, (label, *_) in _EXAMPLES.items()})
        return (examples, *(field for example in _EXAMPLES for field in _editable(example)), *_SPLIT)
    return (
        Number("segment", "Segment", low=1, high=max(1, len(_texts(opened))), start=1),
        Text("instead", "Another output", help="Empty: the output of the system's first replica."),
        *_SPLIT,
    )


def _texts(opened: Opened) -> list[tuple[str, str]]:
    """Return output and first reference of the first segments, for the first replica of the system."""
    experiment, test_set = opened.pair.bench.experiment, opened.pair.test_set
    replicas = experiment.system(opened.b).on(test_set)
    streams = experiment.test_set(test_set).references
    if not replicas or not streams:
        return []
    rows = zip(replicas[0].outputs[test_set], zip(*streams, strict=True), strict=True)
    first = islice(rows, MOST_TEXTS)
    return [(output, next(text for text in row if text is not None)) for output, row in first]


def simulate(values: Mapping[str, Any], opened: Opened | None, seed: int) -> InsideBLEU:
    """Return the simulation that the controls describe."""
    how = {"tokenize": values["tokenizer"], "lowercase": values["nocase"], "seed": seed}
    if opened is None:
        example = values["example"]
        return InsideBLEU(values[f"output_{example}"], values[f"reference_{example}"], **how)
    texts = _texts(opened)
    if not texts:
        raise ValueError("This lesson looks at words: it needs outputs and references, and here are scores only.")
    output, reference = texts[int(values["segment"]) - 1]
    return InsideBLEU(values["instead"] or output, reference, texts, **how)


def says(run: Run[InsideBLEU]) -> str:
    """Say how the sentence scores by itself, and the test set that it begins."""
    of_sentence = ", ".join(f"{label} {score:.1f}" for label, score in run.simulation.measures.items())
    corpus, mean, smoothed = (float(scores[-1]) for scores in growing(run).values())
    return (
        f"Your sentence: {of_sentence}. A test set that begins with it: BLEU **{corpus:.1f}**; mean of its sentences: "
        f"BLEU **{mean:.1f}**, BLEU+1 **{smoothed:.1f}**."
    )


LESSON = Lesson(
    slug="bleu-from-the-inside", noun="sentence", controls=controls, simulate=simulate, says=says, answer_after=1,
    most_linked=5000,
    does="One sentence",
    pictures=(
        Picture("n-grams", pictures.matches, "The n-grams of the sentence: counted, clipped, or not in the reference"),
        Picture("growing", pictures.growing_test_set, "Corpus BLEU and means of sentences of a growing test set", 300),
    ),
    more=(
        Part("tokens", "Tokenization and length", (
            Picture("settings", pictures.settings, "BLEU by tokenizer and case, and of short and long sentences", 230),
        ), plays=False),
        Part("others", "Other metrics", (
            Picture("edits", pictures.edits, "How TER turns the output into the reference", 230),
            Picture("order", pictures.order_and_information, "The order that RIBES sees, and NIST's information", 330),
        ), plays=False),
    ),
)  # fmt: skip
