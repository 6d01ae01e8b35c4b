"""Tables as one JSON object: the orientations of pandas, and one list of rows among what holds for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mtsig_core.loading.report import some
from mtsig_core.loading.reshaping.shape import Row, Rows, is_scalar
from mtsig_core.loading.scores.columns import columns_of
from mtsig_core.loading.text.records import fields_of

#: Keys of the one list of rows of an object.
_LISTS = frozenset((
    "data", "rows", "records", "results", "samples", "examples", "items", "segments", "scores", "predictions",
    "outputs", "translations", "instances", "entries",
))  # fmt: skip

_SETTINGS = frozenset((
    "config", "configuration", "args", "arguments", "params", "parameters", "hparams", "hyperparameters", "settings",
    "options", "meta", "metadata", "info", "run", "model_args",
))  # fmt: skip


def rows_of(content: Mapping[str, object]) -> Rows | None:
    """Return the rows of a table in one of these shapes; None for another object."""
    for shape in (_split, _wrapped, _by_column, _by_system):
        rows = shape(content)
        if rows and all(rows):
            if shape is _by_system:
                return Rows(rows, f"its keys were read as systems ({some(list(content), 4)}), each with a list of runs")
            held = [repr(key) for key in _flat(content) if key in rows[0]] if shape is _wrapped else []
            verb = "were" if len(held) > 1 else "was"
            return Rows(rows, f"{some(held, 4)} {verb} read as holding for all of its rows" if held else "")
    return None


def _split(content: Mapping[str, object]) -> list[Row] | None:
    """Read ``{"columns": [...], "index": [...], "data": [[...], ...]}``."""
    columns, data = content.get("columns"), content.get("data")
    if not isinstance(columns, list) or not isinstance(data, list) or not all(isinstance(c, str) for c in columns):
        return None
    if not all(isinstance(row, list) and len(row) == len(columns) for row in data):
        return None
    return [dict(zip(columns, row, strict=True)) for row in data]


def _wrapped(content: Mapping[str, object]) -> list[Row] | None:
    """Read one list of objects; what else is there must hold for all of them, as ``"model": "base"`` does."""
    lists = [key for key, value in content.items() if key.casefold() in _LISTS and _are_objects(value)]
    rest = _flat({key: value for key, value in content.items() if key not in lists and key not in ("schema", "index")})
    if len(lists) != 1 or not all(map(is_scalar, rest.values())):
        return None
    rows = content[lists[0]]
    assert isinstance(rows, list)
    places = columns_of(list(rest)).places
    common = {name: value for i, (name, value) in enumerate(rest.items()) if i in places.values()}
    if places.keys() & columns_of(list(rows[0])).places.keys():
        common = {}
    return [{**common, **row} for row in rows]


def _flat(values: Row) -> Row:
    """Return values with those of settings among them: ``{"config": {"model": "base", "seed": 1}}``."""
    settings = {key: value for key, value in values.items() if isinstance(value, dict) and key.casefold() in _SETTINGS}
    inner = {name: cell for own in settings.values() for name, cell in own.items() if is_scalar(cell)}
    return inner | {key: value for key, value in values.items() if key not in settings}


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _by_column(content: Mapping[str, object]) -> list[Row] | None:
    """Read ``{COLUMN: {ROW: cell}}``, ``{COLUMN: [cell, ...]}`` and ``{ROW: {COLUMN: cell}}``."""
    values = list(content.values())
    if all(isinstance(value, list) for value in values):
        columns = {key: value for key, value in content.items() if isinstance(value, list)}
        if len({len(own) for own in columns.values()}) != 1 or not _are_cells(columns.values()):
            return None
        return _transposed(columns) if _n_known(list(columns)) > 1 else None
    own = {key: value for key, value in content.items() if isinstance(value, dict)}
    if len(own) < len(content) or len({tuple(value) for value in own.values()}) != 1:
        return None
    inner = list(next(iter(own.values())))
    if not inner or not _are_cells([list(value.values()) for value in own.values()]):
        return None
    if _n_known(list(own)) > max(1, _n_known(inner)):
        return _transposed({key: list(value.values()) for key, value in own.items()})
    return list(own.values()) if _n_known(inner) > 1 else None


def _by_system(content: Mapping[str, object]) -> list[Row] | None:
    """Read ``{SYSTEM: [{"seed": 1, "bleu": 27.1}, ...]}``: a list of runs for each system."""
    rows: list[Row] = []
    for system, own in content.items():
        if not isinstance(own, list) or not _are_objects(own):
            return None
        rows += [{"system": system, **row} for row in own]
    places = columns_of([key for key in rows[0] if key != "system"]).places if rows else {}
    is_of_runs = "replica" in places and not {"system", "segment"} & places.keys()
    return rows if is_of_runs and all(is_scalar(cell) for row in rows for cell in row.values()) else None


def _n_known(names: list[str]) -> int:
    """Return how many columns are known by their names, as those of scores or of texts."""
    return max(len(columns_of(names).places), len(fields_of([dict.fromkeys(names, "")]).keys))


def _are_cells(lists: object) -> bool:
    return isinstance(lists, Sequence | type({}.values())) and all(is_scalar(cell) for own in lists for cell in own)


def _transposed(columns: Mapping[str, Sequence[object]]) -> list[Row]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
