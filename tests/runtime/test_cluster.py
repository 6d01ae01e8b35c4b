"""A real scheduler with two workers gives the numbers of this machine, also when some of it is killed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from dataclasses import dataclass

import numpy as np
import pytest

from mtsig_core.cli.main import main
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.scoring import chunks
from mtsig_core.resampling import ExchangeDesign, Settings, bootstrap_scores, exchange, executor
from mtsig_core.resampling.pool_tests import Pools, pool_tests, sampled_comparisons
from mtsig_core.runtime import cluster, optional
from mtsig_core.runtime.jobs import Job
from mtsig_core.workbench import Workbench
from tests.conftest import small_experiment
from tests.runtime.clusters import ROOT, LocalCluster


@dataclass(frozen=True)
class Slowly:
    """Work that waits; it tells who did it."""

    seconds: float

    def __call__(self, part: int) -> tuple[int, int]:
        time.sleep(self.seconds)
        return part, os.getpid()


@pytest.fixture(scope="module")
def started():
    made: list[LocalCluster] = []
    yield made
    cluster.close()
    for one in made:
        one.stop()


@pytest.fixture
def running(started, tmp_path_factory):
    """One cluster for all tests, the last of which kill what is in it."""
    if not started or started[-1].scheduler.poll() is not None:
        started.append(LocalCluster(tmp_path_factory.mktemp("cluster")))
    return started[-1]


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    """Send everything that has enough parts, and end without a scheduler."""
    monkeypatch.delenv(cluster.SETTING, raising=False)
    monkeypatch.setattr(executor, "WORTH_SENDING", 0.0)
    monkeypatch.setattr(chunks, "WORTH_SENDING", 0.0)
    monkeypatch.setattr(chunks, "CHUNK_SECONDS", 1e-3)
    yield
    cluster.use(None)
    cluster.close()


@pytest.fixture
def sent(monkeypatch):
    """Return the list of what was sent to a cluster."""
    log = []
    over = cluster.Cluster.over

    def spy(self, work, parts, waiting=lambda: None):
        log.append(type(work).__name__)
        yield from over(self, work, parts, waiting)

    monkeypatch.setattr(cluster.Cluster, "over", spy)
    return log


def statistics(whole: bool = True) -> SegmentStatistics:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, (6, 150, 10)).astype(float)
    values[:, :, :2] += 10
    if not whole:
        values[:, :, 1] += 1 / 3
    return SegmentStatistics(get_metric("bleu"), "t", "", ("a", "b"), (("1", "2", "3"),) * 2, values)


def unused_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def everything(made: SegmentStatistics, tests: int = 9000) -> list[np.ndarray]:
    groups = [sampled_comparisons(3, 3, n, 20, 1) for n in (1, 2)]
    return [
        bootstrap_scores(made, 1500, 1),
        exchange(made, "a", "b", ExchangeDesign("segment", tests, 1)).values,
        exchange(made, "a", "b", ExchangeDesign("hypothesis", tests, 1)).values,
        exchange(made, "a", "b", ExchangeDesign("replica", tests, 1)).values,
        *(t.p for t in pool_tests(Pools(made.metric, made.of("a"), made.of("b")), groups, 1000, 1)),
        *(t.p for t in pool_tests(Pools(made.metric, made.of("a"), made.of("b")), groups, 1000, 1, unit="hypothesis")),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
def test_resampling_gives_the_same_numbers(whole, running, sent):
    here = everything(statistics(whole))
    assert not sent
    cluster.use(running.address)
    there = everything(statistics(whole))
    assert cluster.problem() == ""
    assert len(sent) >= 5
    for a, b in zip(here, there, strict=True):
        if whole:
            np.testing.assert_array_equal(b, a)
        else:
            np.testing.assert_allclose(b, a, rtol=1e-9)


@pytest.mark.slow
def test_cancel_stops_within_a_second_and_calls_off_what_waits(running):
    cluster.use(running.address)
    far, started = cluster.cluster(), threading.Event()

    def work(progress, publish):
        for part, _ in far.over(Slowly(0.3), range(1000), lambda: progress(0.1)):
            started.set()
            progress(part / 1000)

    job = Job(work).start()
    assert started.wait(30)
    job.cancel()
    assert job.wait(1.0)
    assert job.state == "cancelled"
    end = time.monotonic() + 20
    while far.client.processing() and any(far.client.processing().values()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(far.client.processing().values())


@pytest.mark.slow
def test_an_error_of_the_work_is_told_and_the_work_done_here(running):
    cluster.use(running.address)

    def work(part):
        if os.getpid() != here:
            raise ZeroDivisionError("only there")
        return part

    here = os.getpid()
    assert list(executor.spread(work, range(40))) == list(range(40))
    assert "ZeroDivisionError: only there. This machine computes what was left." in cluster.problem()
    assert cluster.cluster() is None  # for a while


@pytest.mark.slow
def test_from_the_command_line(folder, running, sent, capsys):
    asked = ["compare", str(folder), "--json", "--shuffles", "5000"]
    assert main(asked) == 0
    here = capsys.readouterr()
    assert not sent
    assert main([*asked, "--scheduler", running.address]) == 0
    there = capsys.readouterr()
    assert sent
    assert json.loads(there.out) == json.loads(here.out)
    assert there.err == here.err  # no word of a cluster that failed


@pytest.mark.slow
def test_from_the_environment_as_the_app_does(running, sent, monkeypatch, tmp_path):
    experiment, settings = small_experiment(60), Settings(n_permutations=5000)

    def ask(home: str):
        monkeypatch.setenv("MTSIG_HOME", str(tmp_path / home))
        pair = Workbench(experiment).pair("test", get_metric("bleu"), "plain", "better")
        job = Job(lambda progress, publish: pair.compare(settings=settings, progress=progress)).start()
        assert job.wait(60)
        assert job.state == "done", job.error
        return job.result.tests

    here = ask("here")
    assert not sent
    monkeypatch.setenv(cluster.SETTING, running.address)
    there = ask("there")
    assert {"_Scorer", "_Several"} <= set(sent)
    assert [(t.preset.name, t.p, t.difference) for t in there] == [(t.preset.name, t.p, t.difference) for t in here]


@pytest.mark.slow
def test_scoring_gives_the_same_numbers_though_a_worker_is_killed(running, sent):
    experiment, metric = small_experiment(150), get_metric("chrf")
    here = compute_statistics(experiment, "test", metric)
    victim, fractions = running.workers[1], []

    def progress(fraction, what=""):
        fractions.append(fraction)
        if len(sent) and fraction > 0.3 and victim.poll() is None:
            victim.send_signal(signal.SIGKILL)
            victim.wait(10)

    cluster.use(running.address)
    there = compute_statistics(experiment, "test", metric, progress=progress)
    assert victim.poll() == -signal.SIGKILL
    assert sent == ["_Scorer"]
    assert cluster.problem() == ""
    np.testing.assert_array_equal(there.values, here.values)
    assert fractions == sorted(fractions)


@pytest.mark.slow
def test_data_that_no_worker_has_any_more_are_sent_again(running, monkeypatch):
    cluster.use(running.address)
    far, found, sendings = cluster.cluster(), [], []

    def spy(*what, **how):
        sendings.append(scatter(*what, **how))
        return sendings[-1]

    scatter = far.client.scatter
    monkeypatch.setattr(far.client, "scatter", spy)
    for part, _ in far.over(Slowly(0.05), range(60)):
        found.append(part)
        if part == 0:
            far.client.cancel(sendings, force=True)
    assert found == list(range(60))
    assert len(sendings) == 2
    assert cluster.problem() == ""


@pytest.mark.slow
def test_a_cluster_that_loses_the_data_every_time_is_given_up(running, monkeypatch):
    cluster.use(running.address)
    far = cluster.cluster()

    def lost(*what, **how):
        raise CancelledError

    monkeypatch.setattr(far.client, "gather", lost)
    with pytest.raises(cluster.DataGone):
        list(far.over(Slowly(0.01), range(10)))
    assert "the workers that had the data are gone. This machine" in cluster.problem()


@pytest.mark.slow
def test_a_scheduler_killed_while_it_works(running):
    cluster.use(running.address)
    work, found = Slowly(0.05), []
    for part, worker in executor.spread(work, range(60)):
        found.append(part)
        if worker != os.getpid():
            running.scheduler.kill()
            running.scheduler.wait(10)
    assert found == list(range(60))
    assert f"The cluster of {running.address} failed" in cluster.problem()


@pytest.mark.slow
def test_without_a_scheduler_there_this_machine_answers_at_once(folder, capsys):
    asked = ["table", str(folder), "--json", "--resamples", "100"]
    assert main(asked) == 0
    here = capsys.readouterr()
    address = f"tcp://127.0.0.1:{unused_port()}"
    assert main([*asked, "--scheduler", address]) == 0
    told = capsys.readouterr()
    assert told.out == here.out
    assert told.err.replace(here.err, "") == (
        f"warning: no scheduler answers at {address} (Connection refused): start one with dask scheduler; "
        "everything is computed on this machine.\n"
    )


@pytest.mark.parametrize("told", ["host", "tcp://", "tcp://host:port", "tcp://:8786"])
def test_an_address_that_is_none(told):
    cluster.use(told)
    assert cluster.cluster() is None
    assert "must be an address such as tcp://host:8786" in cluster.problem()
    cluster.use("")
    assert cluster.problem() == ""


def test_without_the_package_it_is_named(monkeypatch):
    monkeypatch.setattr(optional, "is_installed", lambda package: False)
    cluster.use("tcp://127.0.0.1:1")
    assert cluster.cluster() is None
    assert 'pip install "mtsig[cluster]" lets the workers of a Dask scheduler compute; everything' in cluster.problem()


def test_a_worker_of_another_version_is_refused():
    assert cluster._task(abs, -1, cluster.versions()) == 1
    assert hashlib.sha256().hexdigest()[:8] not in cluster.versions()  # a digest of nothing
    with pytest.raises(cluster.OtherVersion, match=r"has mtsig .*, but here is mtsig 0"):
        cluster._task(abs, -1, "mtsig 0")


@pytest.mark.slow
def test_nothing_of_dask_is_imported_without_a_scheduler():
    code = "import sys, mtsig_core.resampling; sys.exit(bool({'dask', 'distributed'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
