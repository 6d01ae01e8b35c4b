"""Replicas: while another test set is computed, the former table is not taken for its table."""

from __future__ import annotations

from types import SimpleNamespace

from mtsig_core import Workbench, load_example
from pages.parts.replicas import scores


def test_a_former_table_of_another_test_set_is_not_drawn(monkeypatch):
    table = Workbench(load_example()).table(n_bootstrap=100)
    monkeypatch.setattr(scores, "answer", lambda question, key, work: table)
    assert scores.variance(SimpleNamespace(test_set=table.rows[0].test_set, key=())) is table
    assert scores.variance(SimpleNamespace(test_set="another", key=())) is None
