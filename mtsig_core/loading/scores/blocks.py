"""What a score file says: blocks of scores, to be attached to the outputs of a test set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mtsig_core.experiment import Scores

if TYPE_CHECKING:
    from mtsig_core.loading.report import Reporter


@dataclass(frozen=True)
class ScoreBlock:
    """The scores of one output under one metric, as one file gives them.

    Parameters
    ----------
    file : str
    metric : str
    system, replica : str
        ``""`` where the file does not say.
    test_set : str
        ``""`` where the file does not say.
    in_order : tuple of float or None, optional
        Scores in the order of the test set, or
    by_id : mapping of segment id to float or None, optional
    output_path : str
        File of the output that was scored, as the score file names it.
    higher_is_better : bool or None
        None where the file does not say.
    documents : mapping of segment id to document id
    exact : bool
        The names are those of the output and the test set, letter for letter: nothing is matched or guessed.
    whole_run : bool
        The one score is that of the whole run: there are no segments.
    """

    file: str
    metric: str
    system: str = ""
    replica: str = ""
    test_set: str = ""
    in_order: Scores | None = None
    by_id: Mapping[str, float | None] | None = None
    output_path: str = ""
    higher_is_better: bool | None = None
    documents: Mapping[str, str] = field(default_factory=dict)
    exact: bool = False
    whole_run: bool = False

    @property
    def label(self) -> str:
        """``file (system/replica, metric)`` for messages."""
        output = "/".join(part for part in (self.system, self.replica) if part) or self.output_path
        return f"{self.file} ({output}, {self.metric})"


@dataclass(frozen=True)
class TextSet:
    """The segments of a test set with text.

    Parameters
    ----------
    length : int
        Segments of its files.
    used : tuple of int, or None
        Indices of the segments that have a reference; None for all.
    """

    length: int
    used: tuple[int, ...] | None = None


# Numbers of rows in place of ids of segments: no two outputs share one, so nothing could be compared by them


ROW_IDS = "The ids number the rows, none is in two outputs: the rows of each output were taken in their order"
ROW_IDS_REMEDY = "If not, give a segment one id in all outputs."
_IDS_OF_RUNS = "Each output has one row, with an id of its own: read as scores of whole runs, not of segments"
_OF_RUNS = "The ids number the rows, one for each run: read as scores of whole runs, without segments"


def are_numbers_of_rows(ids_of_outputs: Sequence[Sequence[str]]) -> bool:
    """Say whether ids count the rows of a file through, over outputs with equal numbers of rows.

    Parameters
    ----------
    ids_of_outputs : sequence of sequences of str
        The ids of each output, in the order of its rows.
    """
    if len(ids_of_outputs) < 2 or len({len(ids) for ids in ids_of_outputs}) > 1:
        return False
    if not all(one.isascii() and one.isdecimal() and len(one) < 10 for ids in ids_of_outputs for one in ids):
        return False
    numbers = [[int(one) for one in ids] for ids in ids_of_outputs]
    union = sorted(number for own in numbers for number in own)
    counts_through = union[0] in (0, 1) and union == list(range(union[0], union[0] + len(union)))
    return counts_through and all(own == sorted(own) for own in numbers)


def without_row_ids(blocks: Sequence[ScoreBlock], report: Reporter) -> list[ScoreBlock]:
    """Return the blocks of one table with places for ids where these number the rows; of one row each, whole runs.

    Parameters
    ----------
    blocks : sequence of ScoreBlock
    report : Reporter
        Gets the guess.
    """
    groups: dict[tuple[str, str], list[ScoreBlock]] = {}
    for block in blocks:
        groups.setdefault((block.test_set, block.metric), []).append(block)
    ids = [[list(block.by_id or ()) for block in own] for own in groups.values()]
    if _are_of_runs(blocks, ids):
        report.gather_guess("row-ids", _IDS_OF_RUNS, ROW_IDS_REMEDY, blocks[0].file)
        return list(map(_of_run, blocks))
    if not ids or not all(map(are_numbers_of_rows, ids)):
        return list(blocks)
    is_of_runs = all(len(block.by_id or ()) == 1 for block in blocks)
    report.gather_guess("row-ids", _OF_RUNS if is_of_runs else ROW_IDS, ROW_IDS_REMEDY, blocks[0].file)
    return [_of_run(block) if is_of_runs else _by_place(block) for block in blocks]


def _are_of_runs(blocks: Sequence[ScoreBlock], ids: Sequence[Sequence[Sequence[str]]]) -> bool:
    """Say whether every output, of which several are replicas of one system, has one id that no other has."""
    has_replicas = len({block.system for block in blocks}) < len({(block.system, block.replica) for block in blocks})
    return has_replicas and all(
        len(own) > 1 and all(len(of_output) == 1 for of_output in own) and len({each[0] for each in own}) == len(own)
        for own in ids
    )


def _of_run(block: ScoreBlock) -> ScoreBlock:
    return replace(
        block, in_order=tuple((block.by_id or {}).values()), by_id=None, documents={}, whole_run=True, exact=True,
        test_set=block.test_set or "test", replica=block.replica or "1",
    )  # fmt: skip


def _by_place(block: ScoreBlock) -> ScoreBlock:
    by_id = {str(place): score for place, score in enumerate((block.by_id or {}).values(), 1)}
    documents = {str(place): block.documents[key] for place, key in enumerate(block.by_id or {}, 1)
                 if key in block.documents}  # fmt: skip
    return replace(block, by_id=by_id, documents=documents)
