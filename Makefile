# Everything runs inside .venv, which the first target that needs it makes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
# This computer only; for others on the network: make app ADDRESS=0.0.0.0
ADDRESS ?= localhost

# Modules are compiled once, not anew in each of the processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: app setup setup-dev test test-fast test-others test-browser lint warm bench bench-growth bench-cluster \
	bench-start calibrate fuzz load demo docs docs-architecture docs-pictures docs-animations clean

app: setup  ## open the app on the demonstration
	$(BIN)/python -m streamlit run app.py --server.port=$(PORT) --server.address=$(ADDRESS)

setup: $(VENV)/.installed

setup-dev: $(VENV)/.installed-dev

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "mtsig needs Python 3.11 or later; try: make PYTHON=python3.11 app"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "Python's venv module is missing. On Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements-dev.txt
	-@$(BIN)/python -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib
	@touch $@ $(VENV)/.installed

test: setup-dev  ## all tests; browser tests are skipped, in one line, where no Chromium is found
	@echo "The browser's tests and all others run side by side; what they print follows when each is done."
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target test-browser test-others

test-others: setup-dev  ## all tests but the browser's, which go before: they wait most of the time
	nice -n 10 $(BIN)/python -m pytest -n 2 --dist worksteal -m "not browser"

test-fast: setup-dev  ## what answers within a minute
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow and not browser"

test-browser: setup-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/browser

lint: setup-dev  ## style, types, and the import contract
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

warm: setup-dev  ## compile the kernels and all tests, which each worker would do for itself
	$(BIN)/python -m mtsig_core.resampling.compiled
	$(BIN)/python -m pytest --collect-only -qq >/dev/null

bench: setup-dev  ## speed against the peers, as ratios in one go
	$(BIN)/python -m tests.benchmarks

bench-growth: setup-dev  ## time and memory over a decade of segments, replicas and draws; draws docs/growth.png
	$(BIN)/python -m tests.benchmarks.growth

bench-cluster: setup-dev  ## one against two workers on this machine, by a Dask scheduler
	$(BIN)/python -m tests.benchmarks.cluster

bench-start: setup-dev  ## what starting costs: the library, the command line, and Table 1 cold and warm
	$(BIN)/python -m tests.benchmarks.start

calibrate: setup-dev  ## measure every test's false alarms anew (three minutes); writes docs/false-alarms.md
	$(BIN)/python -m tests.false_alarms

fuzz: setup-dev  ## damage uploads at random for 20 minutes; each must load or name the damaged file
	$(BIN)/python -m tests.fuzz --minutes 20

load: setup-dev  ## 25 people at once on one server for ten minutes; then with troubles: a killed server, a full disk ...
	$(BIN)/python -m tests.load --people 20 --owners 5 --minutes 10
	$(BIN)/python -m tests.load --kill
	$(BIN)/python -m tests.load --people 4 --owners 2 --minutes 2 --trouble lost-worker
	$(BIN)/python -m tests.load --people 4 --owners 2 --minutes 2 --trouble full-disk

demo: setup-dev  ## build the demonstration data anew from its seed
	$(BIN)/python -m data.build

$(VENV)/.installed-docs: requirements-docs.txt requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@touch $@

docs: $(VENV)/.installed-docs  ## build the documentation into docs/_build/html; any warning fails
	PYTHONPATH="$(CURDIR):$(CURDIR)/docs/extensions" $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

docs-pictures: setup-dev docs  ## take the pictures of the documentation anew, with Chromium
	$(BIN)/python -m tests.browser.pictures

docs-animations: setup-dev  ## play three lessons in Chromium and keep them as docs/lesson-*.gif
	$(BIN)/python -m tests.browser.animations

docs-architecture: setup-dev  ## draw docs/architecture.svg anew from the import contract
	$(BIN)/python -m tests.architecture.drawing

clean:
	rm -rf $(VENV) docs/_build docs/api docs/gallery .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
