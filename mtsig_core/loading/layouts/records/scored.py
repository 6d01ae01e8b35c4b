"""Scores that stand beside outputs in one record: kept by segment until the order of the segments is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mtsig_core.loading.layouts.common.keyed import Collection, Key, orders
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import columns_of, metric_of_file
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.text.records import OF_METRICX


@dataclass
class Scored:
    """The scores of all files, by output and metric.

    Attributes
    ----------
    metrics : mapping of file to the metric of each key of its records that holds scores
    values : mapping of (file, path of an output, metric) to scores by segment
    """

    metrics: dict[str, dict[str, str]] = field(default_factory=dict)
    values: dict[tuple[str, str, str], dict[Key, float | None]] = field(default_factory=dict)
    _numbers: dict[str, NumberReader] = field(default_factory=dict)

    def begin(self, file: str, metrics: Sequence[str]) -> None:
        """Take up a file with the keys of its scores; one that is only called score is named by the file."""
        by_file = metric_of_file(file, columns_of(metrics))
        self.metrics[file] = {key: by_file if len(metrics) == 1 and by_file != "score" else key for key in metrics}
        if OF_METRICX in self.metrics[file]:
            self.metrics[file][OF_METRICX] = by_file if "metricx" in by_file.casefold() else "MetricX"
        self._numbers[file] = NumberReader(file)

    def add(self, file: str, output: str, key: Key, line: int, record: Mapping[str, object]) -> None:
        """Take the scores of one record.

        Raises
        ------
        LoadError
            For a score that is no number, and a second score of a segment.
        """
        for name, metric in self.metrics[file].items():
            score = self._numbers[file].read(record.get(name), line, name)
            if self.values.setdefault((file, output, metric), {}).setdefault(key, score) != score:
                raise LoadError(f"{file}, line {line}: a second {metric} of segment {key[1]}. Keep one.", file)

    def renumber(self, file: str, places: Mapping[Key, Key]) -> None:
        """Give the segments of a file other keys."""
        for (own_file, _, _), scores in self.values.items():
            if own_file == file:
                moved = {places[key]: score for key, score in scores.items()}
                scores.clear()
                scores.update(moved)

    def joined(self, plan: Plan, collection: Collection, report: Reporter) -> Plan:
        """Return a plan with the scores, in the order of its segments."""
        blocks: dict[str, list[ScoreBlock]] = {}
        order_of = orders(collection)
        for role in (role for role in plan.roles if role.kind == "output"):
            for (file, output, metric), own in self.values.items():
                if role.path.partition("@")[0] == output:
                    in_order = tuple(own.get(key) for key in order_of[role.test_set])
                    blocks.setdefault(file, []).append(ScoreBlock(
                        file, metric, role.system, role.replica, role.test_set, in_order=in_order, exact=True,
                    ))  # fmt: skip
        for reader in self._numbers.values():
            reader.finish(report)
        roles = (*plan.roles, *(FileRole(file, "scores") for file in blocks))
        return replace(plan, roles=roles, blocks={**plan.blocks, **blocks})
