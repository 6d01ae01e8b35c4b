"""Write an experiment in a layout, and load it again before anybody relies on it."""

from __future__ import annotations

from mtsig_core.experiment import Experiment, ExperimentError
from mtsig_core.loading import load
from mtsig_core.loading.report import LoadError
from mtsig_core.reports.converting.layouts import TARGETS, Converted


def convert(experiment: Experiment, target: str) -> Converted:
    """Return the files of an experiment in another layout, which load again as the same outputs and references.

    Parameters
    ----------
    experiment : Experiment
    target : str
        A key of `mtsig_core.reports.converting.layouts.TARGETS`.

    Raises
    ------
    ExperimentError
        When the layout cannot hold the experiment; the message says what it is.
    ValueError
        For an unknown layout.

    Examples
    --------
    >>> from mtsig_core.loading.example import example_text
    >>> sorted(convert(example_text(), "multeval").files)
    ['hyps.news.new.opt1', 'hyps.news.old.opt1', 'refs.news.0']
    """
    if target not in TARGETS:
        raise ValueError(f"A layout to convert to is one of {', '.join(TARGETS)}; not {target!r}.")
    converted = TARGETS[target](experiment)
    try:
        again, _ = load(list(converted.files.items()), cache=False)
    except LoadError as error:
        raise ExperimentError(f"{target} cannot hold this experiment: {error} Convert to native.") from error
    if problem := _difference(experiment, again, converted):
        raise ExperimentError(f"{target} cannot hold this experiment: {problem} Convert to native.")
    return converted


def _difference(experiment: Experiment, again: Experiment, converted: Converted) -> str:
    """Return what does not load again as it was; nothing where all does."""
    texts = {
        (t.name, system.name, replica.name): replica.output_digests[t.name]
        for t in again.test_sets for system in again.systems_on(t.name) for replica in system.on(t.name)
    }
    references = {t.name: t.references_digest for t in again.test_sets}
    for key, there in converted.outputs.items():
        test_set, system, replica = key
        own = next(r for r in experiment.system(system).on(test_set) if r.name == replica)
        if texts.pop(there, None) != own.output_digests[test_set]:
            return f"the output {system}/{replica} of {test_set} does not load again as it was."
        if references.get(there[0]) != experiment.test_set(test_set).references_digest:
            return f"the references of {test_set} do not load again as they were."
    return f"something else loads as an output: {'/'.join(next(iter(texts)))}." if texts else ""
