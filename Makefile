# make run: set up and play.   make test: set up, check, and run the tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test test-full check format bench pictures setup lock clean

run: setup
	@$(BIN)/nestline

test: check
	$(BIN)/pytest --numprocesses auto --dist worksteal

test-full: check
	$(BIN)/pytest --numprocesses auto --dist worksteal -m "full or not full"

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/perft.py
	$(BIN)/python benchmarks/replies.py
	$(BIN)/python benchmarks/solve.py
	$(BIN)/python benchmarks/envs.py

pictures: setup
	$(BIN)/python docs/pictures.py

setup: $(READY)

$(READY): pyproject.toml constraints.txt Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "nestline needs Python 3.11 or newer; name one with: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) --no-print-directory venv-package
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

.PHONY: venv-package
venv-package:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	then apt-get update --quiet && apt-get install --yes --quiet python3-venv; \
	else echo "Python's venv module is missing; install the package python3-venv" >&2; exit 1; fi

# Write the versions that are installed now as the ones everybody gets.
lock: setup
	$(BIN)/pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
