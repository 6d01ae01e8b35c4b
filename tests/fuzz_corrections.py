"""Random corrections of what an upload was taken for: each must give an experiment, or a LoadError."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

from mtsig_core.experiment import Experiment
from mtsig_core.loading import LoadError, Source, load, read
from mtsig_core.loading import corrections as mapping
from mtsig_core.loading.corrections import Corrections
from mtsig_core.loading.layouts.common.several import SeveralExperiments
from mtsig_core.loading.recognition.settings import MANIFEST
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.sources.limits import Limits
from mtsig_core.loading.sources.source import Part
from mtsig_core.loading.stored_corrections import from_json, manifest_of, to_json
from mtsig_core.loading.table_columns import ROLE_WORDS, likely_tables, table_columns, with_columns
from mtsig_core.loading.text_columns import TEXT_WORDS, tables_of_texts, text_columns, with_text_columns
from mtsig_core.loading.unrecognised import unrecognised
from mtsig_core.workbench.corrected import correct

_WORDS = ("x", "test", "", "a/b", "  ", "é", "1", "system", "seed 2", "\u202e", "x" * 300, "[metrics]", '"', "nan")
#: Small enough to be met by small experiments.
TIGHT = Limits(members=4, unpacked_bytes=3000, ratio=20, ratio_floor=500, text_bytes=2000, file_bytes=400, file_lines=5)


def corrected(rng: random.Random, source: Source, name: str, limits: Limits) -> None:
    """Load an upload, correct it at random, keep that, export it, and read the export; LoadErrors are expected.

    Of several experiments one after the other; of an upload in which nothing is recognised by hand.
    """
    try:
        reading = read(source, name=name, limits=limits, cache=False)
        start = mapping.recognised(reading.recognition, reading.experiment)
        _apply(rng, reading.recognition, start, reading.experiment)
    except SeveralExperiments as error:
        for one in error.experiments[:3]:
            if not isinstance(source, Part):
                corrected(rng, Part(source, one.folder), name, limits)
    except LoadError:
        by_hand(rng, source, name)


def by_hand(rng: random.Random, source: Source, name: str) -> None:
    """Say at random what the files of an upload are."""
    try:
        recognition = unrecognised(source, name=name)
    except LoadError:
        return
    as_scores = {"kind": mapping.KIND_WORDS["scores"]}
    first = Corrections(recognition.plan.roles)
    _apply(rng, recognition, mapping.edited(first, dict.fromkeys(likely_tables(recognition), as_scores)), None)


def _apply(rng: random.Random, recognition: Recognition, start: Corrections, before: Experiment | None) -> None:
    wanted = start
    for _ in range(rng.choice((0, 1, 2, 5))):
        wanted = _changed(rng, recognition, wanted)
    again = from_json(to_json(wanted), recognition)
    if again != wanted:
        raise AssertionError(f"corrections that were kept are not the same: {again} and {wanted}")
    try:
        corrected = correct(recognition, wanted)
    except LoadError:
        return
    experiment = corrected.experiment
    corrected.report.to_frame()
    if wanted == start and before is not None and experiment.digest != before.digest:
        raise AssertionError("no correction changes the experiment")
    if corrected.recognition.digest != recognition.digest:
        raise AssertionError("the digest of the files is not the same after a correction")
    manifest = manifest_of(corrected.recognition, corrected.corrections, experiment)
    recognition = corrected.recognition
    with suppress(LoadError):
        files = [(path, recognition.files.original(path)) for path in recognition.files if path != MANIFEST]
        load([*files, (MANIFEST, manifest.encode("utf-8", "replace"))], cache=False)


def _changed(rng: random.Random, recognition: Recognition, corrections: Corrections) -> Corrections:
    what = rng.randrange(7)
    names = mapping.names_of_systems(corrections) or [""]
    sets = mapping.names_of_sets(corrections) or [""]
    try:
        if what == 0:
            return mapping.rename_systems(corrections, {rng.choice(names): rng.choice(_WORDS)})
        if what == 1:
            return mapping.change_sets(corrections, {rng.choice(sets): rng.choice(_WORDS)}, {})
        if what == 2:
            out = mapping.without_system if rng.random() < 0.5 else mapping.without_set
            return out(corrections, rng.choice(names + sets))
        if what == 3:
            return replace(corrections, directions={rng.choice((*_WORDS, "comet", "score")): rng.random() < 0.5})
        if what == 6:
            path = rng.choice(tables_of_texts(recognition.plan.roles, recognition))
            texts = text_columns(recognition, path)
            taken = {} if texts is None else {c: rng.choice(list(TEXT_WORDS.values())) for c in texts.index}
            return with_text_columns(corrections, path, taken)
        role = rng.choice(corrections.roles)
        frame = table_columns(recognition, role)
        if what == 4 and frame is not None:
            return with_columns(corrections, role.path, {c: rng.choice(list(ROLE_WORDS.values())) for c in frame.index})
        cells = {"kind": rng.choice(mapping.kinds()), "system": rng.choice(_WORDS), "test set": rng.choice(_WORDS)}
        return mapping.edited(corrections, {role.path: {key: cells[key] for key in cells if rng.random() < 0.6}})
    except (LoadError, IndexError):  # an upload without files
        return corrections
