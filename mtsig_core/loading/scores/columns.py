"""A table of scores, and what its columns mean by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from mtsig_core.loading.recognition.names import base_name, without_ending
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.scores.directions import direction
from mtsig_core.loading.text.ids import SEGMENT_IDS

Row = tuple[int, Sequence[object]]
Cells = TypeVar("Cells", bound=Sequence[object])
#: Names of each role, the surest first; blanks, dots, hyphens and underscores are one.
NAMES: dict[str, tuple[str, ...]] = {
    "system": (
        "system", "sys", "system name", "system id", "sysid", "mt system", "model", "model name", "model id", "method",
        "approach", "mt engine", "modell", "verfahren", "système", "sistema", "modèle", "modelo", "система", "модель",
        "系统", "模型", "システム", "システム名", "モデル", "モデル名", "시스템", "모델", "systemname", "modellname",
        "translator", "submission", "team", "classifier", "estimator", "learner", "algorithm", "algo", "architecture",
        "arch", "backbone", "parser", "tagger", "decoder", "agent", "variant", "condition", "configuration", "setting",
        "setup", "config", "group", "name",
    ),
    "replica": (
        "replica", "replicate", "replica id", "seed", "random seed", "run", "run id", "run name", "rep", "repeat",
        "trial", "opt", "optimizer run", "init", "fold", "replication", "repetition", "run number", "run nr", "run no",
        "seed number", "run index", "run idx", "attempt", "lauf", "versuch", "durchlauf", "wiederholung", "répétition",
        "graine", "semilla", "repetición", "essai", "esecuzione", "запуск", "прогон", "сид", "种子", "種子",
        "随机种子", "シード", "시드",
    ),
    "segment": (
        "segment", "seg", "segment id", "seg id", "segid", "segment number", "segment index", "sentence",
        "sentence id", "sent", "sent id", "sentid", "line", "line number", "item", "item id", "example", "example id",
        "instance",
        *SEGMENT_IDS, "satz", "satznummer", "satz nr", "satz id", "segmentnummer", "segment nr", "segment no", "zeile",
        "phrase", "frase", "oración", "línea", "ligne", "segmento", "сегмент", "предложение", "句子", "句子编号",
        "片段", "文", "文番号", "セグメント", "문장", "seg no", "seg num", "seg index", "seg idx", "segment num",
        "segment idx", "sentence no", "sentence nr", "sentence number", "sent no", "sent number", "satznr",
    ),
    "score": (
        "score", "value", "segment score", "seg score", "metric score", "metric value", "scores", "wert", "punktzahl",
        "punkte", "valeur", "valor", "valore", "puntuación", "puntaje", "punteggio", "pontuação", "wynik", "wartość",
        "значение", "оценка", "балл", "分数", "得分", "スコア", "점수",
    ),
    "metric": ("metric", "metric name", "measure", "score name", "score type", "metrik", "métrique", "métrica", "maß",
               "metrica", "metryka", "метрика", "指标", "指標"),
    "test_set": (
        "test set", "testset", "dataset", "data set", "set", "corpus", "split", "benchmark", "task", "task name",
        "subset", "language pair", "lang pair", "langpair", "lp", "testmenge",
    ),
    "document": (
        "document", "doc", "document id", "doc id", "docid", "doc name", "document name", "docname",
        "global document id", "global doc id", "doc index", "dokument", "documento",
    ),
    "type": ("type", "item type", "itemtype", "row type"),
    "higher_is_better": ("higher is better", "higher better", "higher"),
}  # fmt: skip
#: What a person may say that a column is: a role of a table, scores of the metric or of the system that it is named
#: by, or nothing.
SCORES, OF_SYSTEM, UNUSED = "scores", "system_scores", "unused"
DECLARABLE = (*NAMES, SCORES, OF_SYSTEM, UNUSED)
_OF_MANY = (SCORES, OF_SYSTEM, UNUSED)
#: Columns of numbers that are no scores: how many ratings a mean is of, and an index without a name.
COUNTS = frozenset(("n", "count", "n ratings", "n raters", "n annotators", "unnamed: 0", ""))


#: Between the two names of a column that stands below a heading of several.
BELOW = " / "


@dataclass(frozen=True)
class Table:
    """A header and its rows, each with the line that it stands in; `name` is that of the sheet of several."""

    header: tuple[str, ...]
    rows: Iterator[Row]
    name: str = ""


def checked_rows(header: Sequence[str], rows: Iterable[tuple[int, Cells]], file: str) -> Iterator[tuple[int, Cells]]:
    """Yield rows with their lines; a LoadError names the first one that is not as long as the header."""
    for line, cells in rows:
        if len(cells) != len(header):
            message = f"{file}, line {line}: {len(cells)} cells, but the heading has {len(header)}. Correct the line."
            raise LoadError(message, file)
        yield line, cells


def over_two_rows(above: Sequence[str], below: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns under headings of several columns each; () where these are no such rows."""
    names: list[str] = []
    over = ""
    for i in range(max(len(above), len(below))):
        own_above = above[i].strip() if i < len(above) else ""
        own_below = below[i].strip() if i < len(below) else ""
        over = own_above or (over if own_below else "")
        names.append(f"{over}{BELOW}{own_below}" if over and own_below else over or own_below)
    while names and not names[-1]:
        names.pop()
    return tuple(names) if sum(BELOW in name for name in names) > 1 else ()


def with_index(header: tuple[str, ...], row: Sequence[str]) -> tuple[str, ...]:
    """Return a heading with the names of the index that pandas writes in a row of its own, else empty, below it."""
    named = [i for i, cell in enumerate(row) if cell.strip()]
    is_index = len(row) >= len(header) and named == list(range(len(named))) and 0 < len(named) < len(header)
    is_index = is_index and not any(BELOW in header[i] or is_number(row[i]) for i in named)
    return (*(row[i].strip() for i in named), *header[len(named) :]) if is_index else header


def is_number(cell: str) -> bool:
    """Say whether a cell of a text is a plain number."""
    return re.fullmatch(r"\s*[-+]?\d*[.,]?\d+(?:[eE][-+]?\d+)?\s*", cell) is not None


@dataclass(frozen=True)
class Columns:
    """Where each role stands in a header.

    Parameters
    ----------
    header : tuple of str
    places : mapping of role to column number
    metrics : tuple of int
        Columns of a wide table, one per metric; empty in a long one.
    unused : frozenset of int
        Columns that a person takes for nothing.
    """

    header: tuple[str, ...]
    places: dict[str, int]
    metrics: tuple[int, ...] = field(default=())
    unused: frozenset[int] = frozenset()

    @property
    def is_table_of_scores(self) -> bool:
        """Whether systems, segments and something that may be scores are there."""
        if not {"system", "segment"} <= self.places.keys():
            return False
        return "score" in self.places or len(self.metrics) > 0 or len(self.free()) > 0

    def free(self) -> list[int]:
        """Return the columns that have no role and may be metrics: not counts, and not the index that pandas writes."""
        used = self.unused.union(self.places.values())
        return [i for i, name in enumerate(self.header) if i not in used and plain_name(name) not in COUNTS]


def columns_of(header: Sequence[str], names_of_roles: Mapping[str, Sequence[str]] = NAMES) -> Columns:
    """Return the roles of the columns of a header, each role taken by its surest name among `names_of_roles`."""
    return Columns(tuple(header), _places(header, names_of_roles))


#: Roles that trackers of experiments write behind a group: ``params.model``, ``config/seed``.
_IN_GROUPS = frozenset(("system", "replica"))
_OF_SETTING = re.compile(r"(?:params?|hparams?|config|cfg|args|hyperparameters?)_(?=\w)", re.IGNORECASE)
#: Columns of who judged.
PEOPLE = frozenset(("annotator", "annotator id", "rater", "rater id", "judge", "judge id", "worker", "evaluator"))
#: What trackers call every run by, and what tells runs apart better: a seed among the settings.
_OF_TRACKERS = frozenset(("run id", "run name", "run"))
_SEEDS = ("seed", "random seed", "training seed", "train seed", "global seed")
#: Several answers to one task, where another column has the id of the task.
_SAMPLES = frozenset(("sample", "sample no", "sample nr", "sample number", "sample idx", "completion id", "repeat id"))
#: Names that count where nothing else is known for their role.
_WEAK = ("name",)


def _places(header: Sequence[str], names_of_roles: Mapping[str, Sequence[str]]) -> dict[str, int]:
    plain = [plain_name(name) for name in header]
    ends = [plain_name(_OF_SETTING.sub("", re.split(r"(?<=\S)[./:](?=\S)", name)[-1])) for name in header]
    places = {}
    for role, names in names_of_roles.items():
        place = next((plain.index(name) for name in names if name in plain and name not in _WEAK), None)
        if role == "replica" and place is not None and plain[place] in _OF_TRACKERS:
            place = next((ends.index(name) for name in _SEEDS if name in ends), place)
        if place is None and role in _IN_GROUPS:
            place = next((ends.index(name) for name in names if name in ends and name not in _WEAK), None)
        if place is None:
            place = next((plain.index(name) for name in _WEAK if name in names and name in plain), None)
        if place is not None:
            places[role] = place
    samples = [i for i, name in enumerate(plain) if name in _SAMPLES and i not in places.values()]
    if "replica" not in places and {"replica", "segment"} <= names_of_roles.keys() and "segment" in places and samples:
        places["replica"] = samples[0]
    return places


def declared_columns(header: Sequence[str], declared: Mapping[str, str], file: str) -> Columns:
    """Return the roles of the columns where a person says some of them; names decide about the others.

    Parameters
    ----------
    header : sequence of str
    declared : mapping of column to one of `DECLARABLE`
    file : str
        For messages.

    Raises
    ------
    LoadError
        For a column that there is not, and a role that two columns are given.
    """
    for name in declared:
        if name not in header:
            there = ", ".join(map(repr, header[:12]))
            raise LoadError(f"{file}: there is no column {name!r}; there are {there}. Correct its name.", file)
    roles = {header.index(name): role for name, role in declared.items()}
    given = [role for role in roles.values() if role not in _OF_MANY]
    twice = next((role for role in given if given.count(role) > 1), None)
    if twice is not None:
        raise LoadError(f"{file}: two columns are chosen as {twice!r}. Choose one.", file)
    rest = ["" if i in roles else name for i, name in enumerate(header)]
    places = _places(rest, {role: names for role, names in NAMES.items() if role not in given})
    metrics = tuple(i for i in sorted(roles) if roles[i] == SCORES)
    if metrics and "score" not in given:
        places.pop("score", None)
    places |= {role: i for i, role in roles.items() if role not in _OF_MANY}
    return Columns(tuple(header), places, metrics, frozenset(i for i, role in roles.items() if role == UNUSED))


#: Names of files that say nothing about a metric.
_GENERAL = frozenset((
    "score", "scores", "segment", "segments", "result", "results", "table", "data", "all", "long", "values", "metrics",
    "test", "output", "outputs", "eval", "evaluation",
))  # fmt: skip
#: Folders whose files are called by their metric.
_METRIC_FOLDERS = frozenset(("scores", "metric-scores", "metric_scores", "metrics"))
#: How a metric writes itself, by its name in lower case.
_SPELLINGS = {"comet": "COMET", "bleurt": "BLEURT", "xcomet": "xCOMET", "cometkiwi": "COMETKiwi", "metricx": "MetricX"}


#: What spreadsheets call a sheet that nobody named.
_UNNAMED_SHEET = re.compile(
    r"(?i)(?:(?:work)?sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|folha|blad|ark(?:usz)?|taulukko|list|лист|"
    r"シート|工作表|시트)[ _-]*\d*"
)


def metric_of_file(file: str, columns: Columns, sheet: str = "") -> str:
    """Return the metric of a column that is only called score: by its sheet or file, where that is a metric's name.

    ``comet.csv`` holds COMET; a name that is known for no metric counts in a folder of metrics, and of a sheet.
    """
    if "metric" in columns.places or "score" not in columns.places:
        return "score"
    name = columns.header[columns.places["score"]]
    if plain_name(name) not in NAMES["score"] or plain_name(name).startswith("metric"):
        return "score"
    stem = without_ending(base_name(file))
    own_folder = file.rpartition("/")[0].rpartition("/")[2].casefold()
    has_name = bool(sheet) and not _UNNAMED_SHEET.fullmatch(sheet)
    for candidate, counts in ((sheet, has_name), (stem, own_folder in _METRIC_FOLDERS)):
        is_name = len(candidate) > 1 and plain_name(candidate) not in _GENERAL and not candidate.isdecimal()
        if name := metric_by_name(candidate) or (candidate if is_name and counts else ""):
            return name
    return "score"


def metric_by_name(name: str) -> str:
    """Return the metric that the name of a file or sheet says; "" where it is known for none."""
    name = re.sub(r"(?i)(?<=\w)[-_ .]+(?:seg(?:ment)?s?[-_ ]?)?scores?$", "", name)
    if len(name) < 2 or plain_name(name) in _GENERAL or name.isdecimal() or "not known" in direction(name, ())[1]:
        return ""
    return _SPELLINGS.get(name.casefold(), name)


@lru_cache(maxsize=1024)  # a heading is looked at for many kinds of tables
def plain_name(name: str) -> str:
    """Return a column's name as the lists here have it: in lower case, with one blank between words."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip().strip("\ufeff\"'"))
    return " ".join(re.split(r"[\s_.\-]+", spaced.casefold())).strip()
