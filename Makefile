# Needs Python 3.11 or newer, pip and make.

VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?= $(firstword $(foreach name,python3 python3.11 python3.12 python3.13 python3.14,\
	$(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
PIP_INSTALL := install --disable-pip-version-check --no-input --quiet --no-deps
INSTALLATION := meddie/embedded/installation.py
WORKERS ?= 3
SLOW := browser or process or slow or fuzz
RUNTIME := $(VENV)/.runtime
DEVELOPMENT := $(VENV)/.development
BENCH := .venv-bench
BENCHED := $(BENCH)/.installed
LANGUAGES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))

.PHONY: run ready install test test-slow test-all test-kill coverage fuzz check judgement requirements docs browser format translations screenshots readme-pictures backup restore clean \
	pins bench bench-large

run: ready $(RUNTIME) $(LANGUAGES)  ## Start everything in one terminal; Ctrl-C ends it
	@exec $(PY) -m meddie.embedded.supervisor --end-with-parent

# Before anything is installed, with the environment's Python if there is one.
ready:
	@test -n "$(wildcard $(PY))$(PYTHON)" || { echo "Meddie needs Python 3.11 or newer." >&2; exit 1; }
	@$(or $(wildcard $(PY)),$(PYTHON)) -I $(INSTALLATION) check

install: $(RUNTIME) $(DEVELOPMENT) $(LANGUAGES)  ## Install the environment

# Three workers for two cores, because tests also wait. Byte code is always kept: the
# tests start Meddie sixty times.
test test-slow test-all coverage: export PYTHONDONTWRITEBYTECODE :=
test: install  ## Run the quick tests; ARGS=tests/people runs some
	$(PY) -m pytest -q -n $(WORKERS) -m "not ($(SLOW))" $(ARGS)

test-slow: install browser  ## Run the others: in a browser, of processes, slow, hostile requests
	$(PY) -m pytest -q -n $(WORKERS) -m "$(SLOW)" $(ARGS)

test-all: install browser  ## Run all tests
	$(PY) -m pytest -q -n $(WORKERS) $(ARGS)

coverage: install browser  ## Run all tests, with branch coverage
	@rm -f .coverage .coverage.*
	@status=0; \
	$(PY) -m coverage run -m pytest -q -n $(WORKERS) $(ARGS) || status=1; \
	$(PY) -m coverage combine --quiet && $(PY) -m coverage report || status=1; \
	exit $$status

test-kill: install  ## Kill servers and processes during their work
	$(PY) -m pytest -q tests/kill/killing.py

fuzz: install  ## Attack every address with hostile requests; ARGS=--seed=7 repeats a run
	$(PY) -m pytest -q -rR tests/fuzz/fuzzing.py $(ARGS)

check: install  ## Check format, types, contracts and style
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports --no-logo
	git ls-files -z '*.html' | xargs -0 -r $(VENV)/bin/djade --target-version 5.2 --check
	git ls-files -z '*.html' | xargs -0 -r $(VENV)/bin/djlint --lint --quiet
	$(VENV)/bin/mypy .
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) manage.py translations --check
	@$(PY) -m tests.pins
	@$(PY) -m tests.requirements >/dev/null
	@$(PY) -m tests.pages --check
	@$(PY) -m tests.prose words names docstrings

bench: $(BENCHED) $(LANGUAGES)  ## Measure and print JSON; DIALOGUES=FILE, ARGS=part
	@$(BENCH)/bin/python -m benchmarks $(ARGS)

bench-large: $(BENCHED) $(LANGUAGES)  ## The same with 200,000 rows
	@$(BENCH)/bin/python -m benchmarks large

judgement: $(DEVELOPMENT)  ## Fit the judgement to its examples, and print what cross-validation finds
	@$(PY) -m benchmarks judgement

requirements: | $(PY)  ## List the tests of each requirement
	@$(PY) -m tests.requirements

docs: $(DEVELOPMENT)  ## Write the tables of docs/ that follow from code
	@$(PY) -m tests.pages

browser: $(DEVELOPMENT)  ## Download a Chromium for the tests
	@$(PY) -m tests.chromium

format: $(DEVELOPMENT)
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .
	git ls-files -z '*.html' | xargs -0 -r $(VENV)/bin/djade --target-version 5.2

translations: $(RUNTIME)  ## Bring locale/ up to date with the source
	$(PY) manage.py translations

screenshots: $(LANGUAGES) browser  ## Take pictures of every page, into .data/screenshots/
	@$(PY) -m pytest -q tests/browser/screenshots.py

readme-pictures: $(LANGUAGES) browser  ## Take the pictures of the README again, into docs/screenshots/
	@$(PY) -m pytest -q tests/browser/readme_pictures.py

backup: $(RUNTIME)  ## Back up into .data/backups/, or FILE=…
	@$(PY) manage.py backup $(FILE)

restore: $(RUNTIME)  ## Replace the database by FILE=… from `make backup`
	@test -n "$(FILE)" || { echo "Name the file: make restore FILE=.data/backups/…" >&2; exit 1; }
	@$(PY) manage.py restore $(FILE)

clean: $(if $(DATA),$(RUNTIME))  ## Remove the environments and caches; DATA=1: the data folder too
	@test ! -e $(RUNTIME) || $(PY) -m meddie.embedded.removal $(if $(DATA),--data)
	@rm -rf $(VENV) $(BENCH) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.*
	@find . -name __pycache__ -prune -exec rm -rf {} +
	@rm -f $(LANGUAGES)

# The other environments get the versions that tests ran with.
COMPILE := $(VENV)/bin/uv pip compile --quiet --no-header --no-annotate --python-version 3.11 pyproject.toml
AS_TESTED := --constraint requirements-dev.txt

pins: $(DEVELOPMENT)  ## Compile pyproject.toml into the requirements files
	@$(PY) -m pip install --disable-pip-version-check --quiet uv
	$(COMPILE) --extra tracing --group dev -o requirements-dev.txt
	$(COMPILE) $(AS_TESTED) -o requirements.txt
	$(COMPILE) $(AS_TESTED) --extra tracing -o requirements-tracing.txt
	$(COMPILE) $(AS_TESTED) --group bench -o requirements-bench.txt
	@$(PY) -m tests.pins
	@$(PY) -m tests.bundled_servers

$(PY):
	@test -n "$(PYTHON)" || { echo "Meddie needs Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing (Debian: apt install python3-venv)." >&2; exit 1; }

$(RUNTIME): requirements.txt requirements-embedder.txt | $(PY)
	@$(PY) -I $(INSTALLATION)
	@touch $@

$(DEVELOPMENT): requirements-dev.txt requirements-llama.txt $(RUNTIME)
	@echo "Installing the development packages ..."
	@$(PY) -m pip $(PIP_INSTALL) -r requirements-dev.txt
	@$(PY) -m pip $(PIP_INSTALL) --require-hashes -r requirements-llama.txt
	@touch $@

$(BENCHED): requirements-bench.txt requirements-embedder.txt | $(PY)
	@echo "Installing the benchmark packages ..."
	@$(PY) -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip $(PIP_INSTALL) -r requirements-bench.txt
	@$(BENCH)/bin/python -m pip $(PIP_INSTALL) --require-hashes -r requirements-embedder.txt
	@$(BENCH)/bin/python -m pip check
	@touch $@

%.mo: %.po | $(RUNTIME)
	@$(PY) manage.py translations --compile
