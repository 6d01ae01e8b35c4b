"""Answers of language models -> one row per text: those of batch requests, and several samples of one prompt.

::

    {"custom_id": "req-7", "response": {"body": {"choices": [{"message": {"content": "..."}}]}}}    OpenAI
    {"custom_id": "req-7", "result": {"message": {"content": [{"type": "text", "text": "..."}]}}}   Anthropic
    {"id": 7, "prompt": "...", "outputs": ["...", "..."], "reference": "..."}                         vLLM, own scripts
    [["...", "..."], ["...", "..."]]                                              lists of samples, or of references
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.recognition.names import special
from mtsig_core.loading.reshaping.shape import NotClear, Row, Rows, is_scalar
from mtsig_core.loading.text.records import fields_of

#: Keys of the samples of one prompt.
_SAMPLES = frozenset((
    "outputs", "responses", "generations", "samples", "completions", "candidates", "predictions", "hypotheses",
    "translations", "preds", "answers", "texts", "generatedtexts", "output", "response", "generation", "completion",
))  # fmt: skip
_ID = re.compile(r"(?P<word>.*?)(?P<number>\d+)")


def may_hold_answers(records: Sequence[Row]) -> bool:
    """Say whether the first records of a file hold answers, or samples and no output of their own."""
    return bool(records) and (all(map(_is_answer, records)) or _key_of_samples(records) != "")


def from_answers(records: Sequence[Row]) -> Rows | None:
    """Return one row per text, in which the place among the samples of a prompt is the replica; None for others.

    Raises
    ------
    NotClear
        When a request failed, or prompts have unequal numbers of samples.
    """
    if records and all(map(_is_answer, records)):
        texts = [_texts_of_answer(record) for record in records]
        return _sampled([_rest_of_answer(record) for record in records], texts, "the answers of requests")
    key = _key_of_samples(records) if records else ""
    if not key:
        return None
    rest = [{name: value for name, value in record.items() if name != key} for record in records]
    return _sampled(rest, [_texts(record[key]) for record in records], f"the lists in {key!r}")


def from_several_texts(lists: Sequence[object], path: str) -> Rows | None:
    """Return one row per text of a list of texts for each segment: references, or samples as replicas; None for others.

    Raises
    ------
    NotClear
        When the lists have unequal numbers of texts.
    """
    texts = [_texts(own) for own in lists]
    if not texts or not all(texts):
        return None
    ids: list[Row] = [{"segment_id": i} for i in range(1, len(texts) + 1)]
    if special(path) != "reference":
        return _sampled(ids, texts, "the lists of texts")
    rows = [{**row, "reference": own if len(own) > 1 else own[0]} for row, own in zip(ids, texts, strict=True)]
    return Rows(rows, "its lists were read as the references of the segments in order")


def _sampled(rest: Sequence[Row], texts: Sequence[Sequence[str]], what: str) -> Rows:
    """Return a row for each text, with what else its record holds."""
    n = len(texts[0])
    if any(len(own) != n for own in texts):
        fewest, most = min(map(len, texts)), max(map(len, texts))
        raise NotClear(f"{what} hold {fewest} to {most} texts a segment. Write equally many for each.")
    if n == 1:
        rows = [{**row, "hypothesis": own[0]} for row, own in zip(rest, texts, strict=True)]
        return Rows(rows, f"{what} were read as outputs")
    seed = fields_of(rest).keys.get("replica", "seed")
    rows = [
        {**row, seed: f"{row[seed]}-sample{k}" if seed in row else f"sample{k}", "hypothesis": own[k - 1]}
        for k in range(1, n + 1) for row, own in zip(rest, texts, strict=True)
    ]  # fmt: skip
    replicas = f"the {n} texts of each segment as {n} replicas, which differ by sampling alone"
    return Rows(rows, f"{what} were read as outputs, and {replicas}")


def _key_of_samples(records: Sequence[Row]) -> str:
    """Return the key of lists of texts, where no key is an output already; else ""."""
    if "output" in fields_of(records):
        return ""
    keys = [
        key for key in records[0]
        if re.sub(r"[\W_]", "", key).casefold() in _SAMPLES and all(map(_texts, (r.get(key) for r in records)))
    ]  # fmt: skip
    return keys[0] if len(keys) == 1 else ""


def _texts(value: object) -> list[str]:
    """Return a list of texts; an empty one for anything else."""
    return value if isinstance(value, list) and all(isinstance(text, str) for text in value) else []


def _is_answer(record: Row) -> bool:
    answer = record.get("response") or record.get("result")
    return "custom_id" in record and isinstance(answer, dict)


def _rest_of_answer(record: Row) -> Row:
    own = {key: value for key, value in record.items() if is_scalar(value) and key not in ("id", "custom_id", "error")}
    return {**own, "segment_id": _number_of(str(record["custom_id"]))}


def _number_of(name: str) -> str | int:
    match = _ID.fullmatch(name)
    return int(match["number"]) if match else name


def _texts_of_answer(record: Row) -> list[str]:
    texts = _choices(record)
    if not texts:
        name = str(record["custom_id"])
        raise NotClear(f"the request {name!r} has no answer. Send it again, or write its text by hand.")
    return texts


def _choices(record: Row) -> list[str]:
    """Return the texts of an answer, one for each choice; none of a failed request."""
    body = _inside(record, "response", "body")
    choices = body.get("choices")
    if isinstance(choices, list):
        texts = [_inside(choice, "message").get("content") for choice in choices if isinstance(choice, dict)]
        return [text for text in texts if isinstance(text, str)]
    parts = _inside(record, "result", "message").get("content")
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    whole = [text for text in texts if isinstance(text, str)]
    return ["".join(whole)] if whole else []


def _inside(record: Row, *keys: str) -> Row:
    for key in keys:
        inner = record.get(key)
        record = inner if isinstance(inner, dict) else {}
    return record
