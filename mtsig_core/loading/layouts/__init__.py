"""The layouts that can be recognised. A new one is a module with `Layout`'s three names and a line in `LAYOUTS`."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.loading.layouts import (
    flat,
    judgements,
    mt_metrics_eval,
    multeval,
    native,
    nbest_lists,
    nist,
    plain,
    tsv,
    wmt_text,
    wmt_xml,
)
from mtsig_core.loading.layouts.common.layout import Layout
from mtsig_core.loading.layouts.common.nearest import no_layout
from mtsig_core.loading.layouts.common.several import NestedExperiment, SeveralExperiments, contents_of, experiments_in
from mtsig_core.loading.layouts.common.words import in_words
from mtsig_core.loading.layouts.records import (
    helm,
    inspect_logs,
    json_lines,
    lm_eval,
    run_reports,
    trainer_results,
    wmt_json,
)
from mtsig_core.loading.layouts.tables import (
    declared_files,
    numbers_of_runs,
    optuna_trials,
    promptfoo,
    run_table,
    score_table,
    scored_outputs,
)
from mtsig_core.loading.layouts.toolkits import fairseq_logs, hf_trainer, joeynmt, sockeye
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.tree import FileTree

LAYOUTS: tuple[Layout, ...] = (
    native,
    multeval,
    plain,
    flat,
    wmt_text,
    wmt_xml,
    wmt_json,
    mt_metrics_eval,
    fairseq_logs,
    hf_trainer,
    sockeye,
    joeynmt,
    json_lines,
    lm_eval,
    inspect_logs,
    helm,
    trainer_results,
    run_reports,
    tsv,
    nist,
    nbest_lists,
    score_table,
    run_table,
    optuna_trials,
    scored_outputs,
    promptfoo,
    numbers_of_runs,
    judgements,
    declared_files,
)


_WITHOUT_TEXT = (
    score_table, run_table, scored_outputs, run_reports, promptfoo, numbers_of_runs, judgements, nbest_lists,
)  # fmt: skip


def choose(files: FileTree, report: Reporter) -> tuple[Layout, FileTree]:
    """Return the layout that fits best and the tree it fits to.

    Where the whole tree fits none, but exactly one of its folders does, that folder is taken.

    Raises
    ------
    SeveralExperiments
        When several folders hold an experiment each.
    LoadError
        When nothing fits.
    """
    fitting = _fitting(files)
    if fitting and fitting[0] is score_table and not {native, declared_files} & set(fitting):
        # a table of scores beside folders of text never hides the text, unless a manifest says what files are
        with_text = experiments_in(files, _holds_text, _what_it_holds)
        if len(with_text) == 1:
            return _inner(with_text[0].folder, files, report)
        if with_text:
            raise SeveralExperiments(files.name, with_text)
    if fitting:
        best = fitting[0]
        weak = (declared_files, score_table, judgements)
        others = some([f"as {in_words(layout.NAME)}" for layout in fitting[1:] if layout not in weak])
        report.add(
            "recognised",
            "layout",
            f"Recognised as {in_words(best.NAME)}."
            + (f" It may also be read {others}; the most specific was taken." if others else ""),
        )
        return best, files
    usable = [name for name in files.folders() if _fitting(files.below(name).without_enclosing())]
    experiments = experiments_in(files, _holds_one, _what_it_holds)
    if len(usable) == 1 or len(experiments) == 1:
        chosen = usable[0] if usable else experiments[0].folder
        _name([one for one in experiments if not f"{one.folder}/".startswith(f"{chosen}/")], report)
        return _inner(chosen, files, report)
    raise SeveralExperiments(files.name, experiments) if experiments else no_layout(files)


def _inner(name: str, files: FileTree, report: Reporter) -> tuple[Layout, FileTree]:
    message = f"Only the folder {name}/ holds an experiment; the rest is not used."
    report.assume("inner-folder", message, "To use the rest, load it by itself.")
    return choose(files.below(name).without_enclosing(), report)


def warn_of_other_experiments(files: FileTree, plan: Plan, report: Reporter) -> None:
    """Warn of folders that are wholly left out and would each be an experiment by themselves."""
    used = {role.path.split("#")[0].partition("/")[0] for role in plan.roles if role.kind != "ignored"}
    rest = files.only(path for path in files if path.partition("/")[0] not in used)
    _name(experiments_in(rest, _holds_text, _what_it_holds), report)


def _name(experiments: Sequence[NestedExperiment], report: Reporter) -> None:
    for one in experiments:
        message = (
            f"{one.folder}/ is not used, and holds an experiment of its own: {one.what}. Choose it on the Data page, "
            f"or with --experiment {one.folder!r}."
        )
        report.add("warning", "other-experiment", message, [one.folder])


def _holds_one(files: FileTree) -> bool:
    return bool(_fitting(files))


def _holds_text(files: FileTree) -> bool:
    fitting = _fitting(files)
    return bool(fitting) and fitting[0] not in _WITHOUT_TEXT


def _what_it_holds(files: FileTree) -> str:
    best = _fitting(files)[0]
    try:
        contents = contents_of(best.read(files, Reporter()))
    except LoadError:
        contents = "damaged"
    return f"{in_words(best.NAME)}; {contents}" if contents else in_words(best.NAME)


def _fitting(files: FileTree) -> list[Layout]:
    scores = [(layout.recognise(files), layout) for layout in LAYOUTS]
    return [layout for score, layout in sorted(scores, key=lambda item: -item[0]) if score > 0]
