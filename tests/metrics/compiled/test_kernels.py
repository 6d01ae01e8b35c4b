"""Kernels become ready in the background, or say why not; nobody waits and nothing fails."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mtsig_core.metrics import compiled, compute_statistics, get_metric
from mtsig_core.metrics.compiled import __main__ as command
from mtsig_core.metrics.compiled import kernels as kernels_module
from mtsig_core.metrics.compiled.kernels import Kernels
from mtsig_core.metrics.scoring import chunks
from mtsig_core.metrics.ter import TER
from mtsig_core.resampling.compiled import ALL_KERNELS
from mtsig_core.runtime import optional

ROOT = Path(__file__).resolve().parents[3]
SOURCE = """
import os, time
from pathlib import Path
log = Path(__file__).parent / "log"
log.write_text((log.read_text() if log.exists() else "") + f"{os.getpid()} ")
time.sleep(0.3)
ready = True
"""


@pytest.fixture
def made_kernels(tmp_path, monkeypatch):
    """Return make(source) -> kernels of a made module, cached in a folder of their own, and the log of imports."""
    pytest.importorskip("numba")
    from numba import config

    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)

    def make(name, source=SOURCE):
        (tmp_path / f"{name}.py").write_text(source)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return Kernels(name)

    return make


class Elsewhere:
    """Stands in for the process that compiles: compiles in this one, and remembers."""

    def __init__(self, kernels):
        self.kernels, self.asked = kernels, 0

    def __call__(self):
        self.asked += 1
        other = Kernels(self.kernels.module)
        other.compile_here()
        if other.problem:
            raise OSError(other.problem)


def test_nobody_waits_and_the_state_is_told(made_kernels, monkeypatch):
    kernels = made_kernels("made_a")
    elsewhere = Elsewhere(kernels)
    monkeypatch.setattr(kernels, "_compile_elsewhere", elsewhere)
    assert (kernels.state, kernels.loaded) == ("idle", None)
    start = time.monotonic()
    assert kernels.start() == "coming"
    assert time.monotonic() - start < 0.25
    assert kernels.loaded is None
    assert kernels.wait(60).ready
    assert (kernels.state, kernels.problem, elsewhere.asked) == ("ready", "", 1)
    assert kernels.start() == "ready"


@pytest.mark.slow
def test_work_waits_for_kernels_on_disk_but_never_for_a_compiler(made_kernels, monkeypatch):
    compiled_now, gate = made_kernels("made_g"), threading.Event()
    monkeypatch.setattr(compiled_now, "_compile_elsewhere", lambda: gate.wait(60))
    assert compiled_now.wait_while_loading(60) == "coming"
    assert compiled_now.compiling
    gate.set()
    assert compiled_now.wait(60).ready
    on_disk = made_kernels("made_h")
    Elsewhere(on_disk)()
    monkeypatch.setattr(on_disk, "_compile_elsewhere", lambda: pytest.fail("it is compiled already"))
    monkeypatch.delitem(sys.modules, "made_h")
    assert on_disk.wait_while_loading(60) == "ready"


def test_what_was_compiled_is_loaded_until_its_source_changes(made_kernels, monkeypatch, tmp_path):
    asked = []
    for source in (SOURCE, SOURCE, SOURCE + "# changed\n"):
        kernels = made_kernels("made_b", source) if not asked or source != SOURCE else Kernels("made_b")
        elsewhere = Elsewhere(kernels)
        monkeypatch.setattr(kernels, "_compile_elsewhere", elsewhere)
        assert kernels.wait(60) is not None, kernels.problem
        asked.append(elsewhere.asked)
    assert asked == [1, 0, 1]


@pytest.mark.slow
def test_another_process_compiles(made_kernels, tmp_path, monkeypatch):
    program = "import sys; from mtsig_core.metrics.compiled.kernels import Kernels; k = Kernels(sys.argv[1]); "
    monkeypatch.setattr(kernels_module, "COMMAND", ("-c", program + "k.compile_here(); sys.exit(k.problem or 0)"))
    kernels = made_kernels("made_c")
    assert kernels.wait(60) is not None, kernels.problem
    first, second = (tmp_path / "log").read_text().split()
    assert int(first) != os.getpid() == int(second)
    broken = made_kernels("made_d", "raise ValueError('no such processor')")
    assert broken.wait(60) is None
    assert "no such processor" in broken.problem


def test_a_failure_is_told_and_sacrebleu_answers(made_kernels, monkeypatch, made_text):
    kernels = made_kernels("made_e", "raise ValueError('no such processor')")
    monkeypatch.setattr(kernels, "_compile_elsewhere", lambda: None)
    monkeypatch.setitem(compiled.KERNELS_OF, "TER", kernels)
    assert kernels.wait(60) is None
    assert kernels.state == "failed"
    assert "no such processor" in kernels.problem
    metric = get_metric("ter")
    assert metric.make_faster() == "never"
    assert metric.statistics(*made_text(1, 3)).shape == (3, 2)


def test_without_numba_everything_works(monkeypatch, make_experiment):
    monkeypatch.setattr(optional, "is_installed", lambda package: package != "numba")
    monkeypatch.setattr(chunks, "SHORT_SECONDS", 0.0)
    for kind in ("BLEU", "CHRF", "TER"):
        monkeypatch.setitem(compiled.KERNELS_OF, kind, Kernels("mtsig_core.metrics.compiled.ngrams"))
    for name in ("bleu", "chrf", "ter"):
        metric = get_metric(name)
        assert metric.make_faster() == "never"
        assert compute_statistics(make_experiment(), "t", metric, n_jobs=1).values.size
    assert 'pip install "mtsig[fast]"' in compiled.KERNELS_OF["TER"].problem


def test_a_folder_that_cannot_be_written_to_is_a_failure(made_kernels, tmp_path, monkeypatch):
    from numba import config

    kernels = made_kernels("made_f")
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert kernels.wait(60) is None
    assert "cannot be written to" in kernels.problem


def test_kernels_are_kept_in_the_folder_of_all_caches_when_the_package_is_read_only(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    from numba import config

    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("MTSIG_HOME", str(tmp_path))
    monkeypatch.setattr(kernels_module, "_writable", lambda folder: folder.name != "__pycache__")
    assert kernels_module._prepare_cache() == tmp_path / "compiled"
    assert str(tmp_path / "compiled") == config.CACHE_DIR


def test_a_long_job_asks_for_kernels_and_a_short_one_does_not(monkeypatch, make_experiment):
    asked = []
    monkeypatch.setattr(TER, "make_faster", lambda self: asked.append(1) or "soon")
    experiment = make_experiment(2, segments=8)
    compute_statistics(experiment, "t", get_metric("ter"))
    monkeypatch.setattr(chunks, "SHORT_SECONDS", -1.0)
    monkeypatch.setattr(chunks, "CHUNK_SECONDS", 0.0)
    first = len(asked)
    compute_statistics(experiment, "t", get_metric("ter"))
    assert len(asked) > first == 0


def test_the_command_compiles_all_or_some(monkeypatch, capsys):
    done = []
    monkeypatch.setattr(os, "nice", lambda by: None)
    monkeypatch.setattr(Kernels, "compile_here", lambda self: done.append(self.module.rsplit(".")[-1]))
    assert command.main([]) == 0
    assert command.main(["mtsig_core.metrics.compiled.edits"]) == 0
    assert command.main(["mtsig_core.resampling.compiled.signed_sums"]) == 0
    assert command.compile_all(ALL_KERNELS) == 0
    assert done == ["ngrams", "edits", "edits", "signed_sums", "ngrams", "edits", "signed_sums"]


@pytest.mark.slow
def test_a_process_that_ends_while_kernels_are_loading_ends_well(kernels):
    code = (
        "from mtsig_core.resampling.compiled import warm; warm(); import sys, time; time.sleep(float(sys.argv[1])); "
        "print('fine')"
    )
    for seconds in ("0", "0.4"):
        done = subprocess.run(
            [sys.executable, "-c", code, seconds], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
        )
        assert (done.stdout.strip(), done.stderr) == ("fine", "")
