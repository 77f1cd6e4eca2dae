# Everything a newcomer needs is `make demo` and `make test`; both set up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
QUICK := npm_config_fetch_retries=0 npm_config_fetch_timeout=20000
NPM := $(QUICK) npm
BIOME := $(QUICK) npx --yes --prefer-offline @biomejs/biome@2.6.6
OLDEST := $(CURDIR)/.venv-oldest
NEWEST := $(CURDIR)/.venv-newest

.PHONY: demo test oldest newest check browser peers bench bench-quick site faults bounds pinned clean

demo: $(VENV)/ready
	$(BIN)/rosenblatt train

# A file of tests stays in one process, so that what its tests share (a browser, a cluster) is started once.
# Files come in their own order: those with the most tests first would leave the few long ones, and one process, for the end.
# Tests start hundreds of commands: where Python keeps no bytecode of its own accord, each would compile our files anew.
test: check browser
	$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxlint src
	@if $(BIOME) --version >/dev/null 2>&1; then $(BIOME) format; \
	else echo "biome: left out, since npx is not there or cannot fetch it; the form of the JavaScript is not checked"; fi

# Some tests open pages in a browser. Without one, and without the right to install it, they say that they skip.
browser: $(VENV)/ready
	@{ command -v chromium-headless-shell && command -v firefox-esr; } >/dev/null || { apt-get update && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium-headless-shell firefox-esr; } >/dev/null 2>&1 || true
	@test -d $(VENV)/node/node_modules/puppeteer-core || $(NPM) install --prefix $(VENV)/node --no-audit --no-fund \
		--no-package-lock puppeteer-core@24.43.1 >/dev/null 2>&1 || true

peers: $(VENV)/ready
	$(PIP) --require-hashes --no-deps --requirement requirements/bench.txt

# One run, one page under its date, in about 40 minutes; the README shows a part. The other programs in benchmarks/ ask
# narrower questions, are run by hand, and say in their first lines what they measure.
bench: peers
	$(BIN)/python -m benchmarks.peers --out benchmarks/results
	$(BIN)/python -m benchmarks.readme_table

# Some tasks of each kind with few rows and repeats, under three minutes; nothing is written.
bench-quick: peers
	$(BIN)/python -m benchmarks.peers --quick

# Docs, reference, benchmark and the lab as a static site with search, in site/; a link that leads nowhere is an error.
site: $(VENV)/ready
	$(PIP) --require-hashes --no-deps --requirement requirements/site.txt
	$(BIN)/python -m sphinx -q -W --keep-going -c docs/site -d build/doctrees . site
	@echo "the site begins with site/index.html"

# The long versions of tests that draw their cases at random, and the full counts of docs/faults.md; ROW=5 for one row,
# PART=csv for one part of a row that is run in parts.
faults: $(VENV)/ready
ifndef ROW
	ROSENBLATT_FAULTS=1 $(BIN)/python -m pytest -n 2 tests/proofs/test_proofs_random.py tests/proofs/test_proofs_certificates.py
endif
	$(BIN)/python -m faults $(ROW) $(addprefix --part ,$(PART))

# The suite with loops that check every place they read or write, compiled into a folder of their own; TESTS= for some.
TESTS ?= tests
bounds: $(VENV)/ready
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/$(VENV)/bounds $(BIN)/python -m pytest -n 2 --dist loadfile $(TESTS)

# The results of 101 commands as they are noted in tests/pinned; a line that changes needs its reason in CHANGELOG.md.
pinned: $(VENV)/ready
	$(BIN)/python -m pytest -n 2 tests/pinned

# python -m pip, because a long path to this folder would break pip's own script
# What it needs comes first, each file checked by its hash; then the project, which may bring nothing more.
$(VENV)/ready: pyproject.toml requirements/dev.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "rosenblatt needs Python 3.11 or later; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --no-deps --requirement requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	$(BIN)/python -m pip check --disable-pip-version-check
	touch $@

# The suite with the oldest versions that pyproject.toml allows, and with the newest. Neither is part of `make test`: what
# they need is not locked. TESTS= for some.
oldest:
	$(PYTHON) -m venv $(OLDEST)
	$(PYTHON) requirements/oldest.py > $(OLDEST)/requirements.txt
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(OLDEST)/requirements.txt editables
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	NUMBA_CACHE_DIR=$(OLDEST)/numba $(OLDEST)/bin/python -m pytest -n 2 --dist loadfile $(TESTS)

newest:
	$(PYTHON) -m venv $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager --editable '.[dev]'
	NUMBA_CACHE_DIR=$(NEWEST)/numba $(NEWEST)/bin/python -m pytest -n 2 --dist loadfile $(TESTS)

clean:
	rm -rf $(VENV) $(OLDEST) $(NEWEST) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build site
