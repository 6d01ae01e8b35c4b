"""What ids of segments are called, whether a file has columns or keys."""

from __future__ import annotations

#: Names in lower case with blanks between words, the surest first.
SEGMENT_IDS = (
    "segment id", "seg id", "segid", "sentence id", "sent id", "sentid", "line id", "item id", "example id",
    "instance id", "id", "index", "idx", "sample id", "question id", "query id", "prompt id", "problem id", "custom id",
    "record id", "row id", "row number", "entry id", "case id", "input id", "datapoint id", "data id", "pair id",
    "unit id", "tu id", "tuid", "utterance id", "utt id", "utt", "turn id", "clip id", "audio id", "image id",
    "img id", "article id", "passage id", "text id", "sent index", "sentence index", "example index", "sample index",
    "sent idx", "example idx", "sample idx", "qid", "sid", "uid", "guid", "uuid", "task id",
)  # fmt: skip
