"""Saved experiments keep the judgements that came with them, beside outputs and alone."""

import pytest

from mtsig_core.loading import read
from mtsig_core.loading.judgements.find import judgements_of
from mtsig_core.workbench.saved_experiments import SavedExperiments

TABLE = b"system,segment,annotator,adequacy\nold,1,ann,3\nold,2,ann,2\nnew,1,ann,4\nnew,2,bob,5\n"
TEXT = [("refs/ref.txt", b"a b\nc d\n"), ("systems/old/1.txt", b"a c\nc d\n"), ("systems/new/1.txt", b"a b\nc d\n")]


@pytest.mark.parametrize("beside", [TEXT, []])
def test_judgements_come_back(tmp_path, beside):
    result = read([*beside, ("campaign.csv", TABLE)], cache=False)
    saved = SavedExperiments(tmp_path)
    entry = saved.save(result.experiment, result.report, recognition=result.recognition)
    _, back = saved.open(entry.id)
    assert back.experiment.digest == result.experiment.digest
    assert back.report.layout == result.report.layout
    assert dict(back.recognition.judgement_files) == {"judgements/campaign.csv": TABLE}
    found = judgements_of(back.recognition)
    assert found is not None
    assert found.tables[0].frame["score"].tolist() == [3, 2, 4, 5]


def test_the_same_text_with_judgements_replaces_the_one_without(tmp_path):
    saved = SavedExperiments(tmp_path)
    before, after = read(TEXT, cache=False), read([*TEXT, ("campaign.csv", TABLE)], cache=False)
    first = saved.save(before.experiment, before.report, recognition=before.recognition)
    second = saved.save(after.experiment, after.report, recognition=after.recognition)
    assert second.id == first.id
    assert judgements_of(saved.open(second.id)[1].recognition) is not None
