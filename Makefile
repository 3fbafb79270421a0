# `make run` and `make test` are the two commands of the README; everything else is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000

.PHONY: run test check clean

$(VENV)/.run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.test: $(VENV)/.run
	$(BIN)/pip install --quiet --editable '.[test,dev]'
	touch $@

run: $(VENV)/.run
	$(BIN)/jinque score datasets/samples/hand-plain.jpg
	$(BIN)/jinque serve --port $(PORT)

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

check: test

clean:
	rm -rf $(VENV)
