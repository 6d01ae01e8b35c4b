"""Files of other layouts: MultEval's, a table as sacreBLEU takes it, and mt-metrics-eval's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mtsig_core.experiment import Experiment, ExperimentError, TestSet
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET
from mtsig_core.loading.recognition.names import split_marked
from mtsig_core.loading.writing import native_files
from mtsig_core.reports.converting.names import encoded, numbered, plain_names, renamed

Output = tuple[str, str, str]  # test set, system, replica


@dataclass
class Converted:
    """Files of a layout, what each output is called there, and what the layout cannot hold.

    Attributes
    ----------
    files : dict of path to bytes
    outputs : dict of (test set, system, replica) to the same there
    notes : list of str
    """

    files: dict[str, bytes] = field(default_factory=dict)
    outputs: dict[Output, Output] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def to_native(experiment: Experiment) -> Converted:
    """Return the files of the native layout, which holds everything."""
    outputs = {key: key for key in _outputs(experiment)}
    return Converted(dict(native_files(experiment)), outputs)


def _outputs(experiment: Experiment) -> list[Output]:
    return [
        (t.name, system.name, replica.name) for t in experiment.test_sets for system in experiment.systems_on(t.name)
        for replica in system.on(t.name)
    ]


@dataclass(frozen=True)
class _Names:
    """Names as another layout can hold them."""

    sets: dict[str, str]
    systems: dict[str, str]
    replicas: dict[str, dict[str, str]]

    def of(self, key: Output) -> Output:
        """Return what an output is called there."""
        return self.sets[key[0]], self.systems[key[1]], self.replicas[key[1]][key[2]]


def _begin(experiment: Experiment, word: str, lost: str, one_set: str = "") -> tuple[Converted, _Names]:
    """Return an empty result with names for everything, and notes on names that change and on what is lost.

    Parameters
    ----------
    experiment : Experiment
    word : str
        What replicas are called there, before their number.
    lost : str
        What the layout cannot hold.
    one_set : str
        What it calls the only test set, where it has no name for it.
    """
    if not _outputs(experiment):
        raise ExperimentError(
            "There are scores but no outputs, which only the native layout can hold. Convert to native."
        )
    sets = [t.name for t in experiment.test_sets]
    names = _Names(
        plain_names(sets) if len(sets) > 1 or not one_set else {sets[0]: one_set},
        plain_names(s.name for s in experiment.systems),
        {s.name: numbered([r.name for r in s.replicas], word) for s in experiment.systems},
    )
    result = Converted()
    result.notes += renamed(names.sets, "test sets") + renamed(names.systems, "systems")
    for system, own in names.replicas.items():
        result.notes += renamed(own, f"replicas of {system}")
    if experiment.outside_metrics:
        result.notes.append(f"Left out: the scores of {', '.join(experiment.outside_metrics)}.")
    result.notes.append(lost)
    return result, names


def _lines_of(experiment: Experiment, key: Output) -> tuple[str, ...]:
    test_set, system, replica = key
    return next(r.outputs[test_set] for r in experiment.system(system).on(test_set) if r.name == replica)


def to_multeval(experiment: Experiment) -> Converted:
    """Return ``hyps.SET.SYSTEM.optK`` and ``refs.SET.K``."""
    result, names = _begin(
        experiment, "opt", "Left out: roles of test sets, baseline, language, documents and what replicas are."
    )
    several = len(experiment.test_sets) > 1
    for test_set in experiment.test_sets:
        name = names.sets[test_set.name]
        for k, stream in enumerate(test_set.references):
            result.files[f"refs.{name}.{k}"] = encoded(stream, f"reference {k} of {test_set.name}")
        if test_set.source is not None and several:
            result.notes.append(f"Left out: the source of {test_set.name}; this layout takes one.")
        elif test_set.source is not None:
            result.files["source.txt"] = encoded(test_set.source, f"source of {test_set.name}")
    for key in _outputs(experiment):
        there = names.of(key)
        result.files[f"hyps.{'.'.join(there)}"] = encoded(_lines_of(experiment, key), "/".join(key))
        result.outputs[key] = there
    return result


def to_sacrebleu(experiment: Experiment) -> Converted:
    """Return one table per test set, with a heading: references first, then source, documents and outputs."""
    result, names = _begin(
        experiment, "seed", "Left out: roles of test sets, baseline, language and what replicas are. sacreBLEU's own "
        "command takes single columns: tail -n +2 TABLE | cut -f1 is the first reference.", DEFAULT_SET,
    )
    for test_set in experiment.test_sets:
        columns = _side_columns(test_set)
        for key in (key for key in _outputs(experiment) if key[0] == test_set.name):
            there = names.of(key)
            columns[".".join(there[1:])] = list(_lines_of(experiment, key))
            result.outputs[key] = there
        path = f"{names.sets[test_set.name]}.tsv"
        if any("\t" in cell for column in columns.values() for cell in column):
            raise ExperimentError(f"{test_set.name}: a segment holds a tab, which a table cannot hold.")
        rows = zip(*columns.values(), strict=True)
        result.files[path] = encoded(["\t".join(columns), *("\t".join(row) for row in rows)], path)
    return result


def _side_columns(test_set: TestSet) -> dict[str, list[str]]:
    streams = test_set.references
    heads = ["ref"] if len(streams) == 1 else [f"ref{k}" for k in range(len(streams))]
    columns = {head: [text or "" for text in stream] for head, stream in zip(heads, streams, strict=True)}
    if test_set.source is not None:
        columns["src"] = list(test_set.source)
    if test_set.documents is not None:
        columns["doc"] = list(test_set.documents)
    return columns


def to_mt_metrics_eval(experiment: Experiment) -> Converted:
    """Return ``sources``, ``references``, ``documents`` and ``system-outputs``, each test set as a language pair."""
    result, names = _begin(
        experiment, "seed", "Left out: roles of test sets, baseline and what replicas are. Each test set stands as a "
        "language pair."
    )
    for test_set in experiment.test_sets:
        pair = names.sets[test_set.name]
        for k, stream in enumerate(test_set.references):
            path = f"references/{pair}.ref{chr(ord('A') + k)}.txt"
            result.files[path] = encoded(stream, f"reference {k} of {test_set.name}")
        if test_set.source is not None:
            result.files[f"sources/{pair}.txt"] = encoded(test_set.source, f"source of {test_set.name}")
        if test_set.documents is not None:
            lines = [f"all\t{name}" for name in test_set.documents]
            result.files[f"documents/{pair}.docs"] = encoded(lines, f"documents of {test_set.name}")
    for key in _outputs(experiment):
        there = names.of(key)
        stem = f"{there[1]}.{there[2]}"
        if len(experiment.system(key[1]).replicas) == 1 and split_marked(there[1]) is None:
            stem, there = there[1], (*there[:2], "1")
        result.files[f"system-outputs/{there[0]}/{stem}.txt"] = encoded(_lines_of(experiment, key), "/".join(key))
        result.outputs[key] = there
    return result


#: What `mtsig convert --to` takes.
TARGETS: dict[str, Callable[[Experiment], Converted]] = {
    "native": to_native, "multeval": to_multeval, "sacrebleu-tsv": to_sacrebleu,
    "mt-metrics-eval": to_mt_metrics_eval,
}  # fmt: skip
