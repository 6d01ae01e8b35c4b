"""Benchmarks do not run with the tests, so a name that is gone would stay unseen."""

import importlib
import pkgutil

import pytest

import tests.benchmarks

NAMES = sorted(module.name for module in pkgutil.iter_modules(tests.benchmarks.__path__) if module.name != "__main__")

@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_imports_only_what_there_is(name):
    importlib.import_module(f"tests.benchmarks.{name}")
