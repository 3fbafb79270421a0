# `make run` and `make test` are the two commands of the README; everything else is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
SAMPLE := datasets/samples/three-golds.jpg
TRAINING := $(wildcard tests/test_*_training.py) vision/training
FACTS := --winner S --self-draw --dealer W --streak 0

.PHONY: run test train lint types imports format clean

run: $(VENV)/.run
	$(BIN)/jinque score $(SAMPLE) $(FACTS)
	$(BIN)/jinque serve --port $(PORT) --database jinque.sqlite3

# torch and OpenVINO crash now and then when both have worked in one process, so training is tested in one of its own;
# without the training stack nothing is collected there, which pytest calls 5.
test: lint types imports
	$(BIN)/python -m pytest $(TRAINING) || test $$? -eq 5
	$(BIN)/python -m pytest $(TRAINING:%=--ignore=%)

lint: $(VENV)/.test
	$(BIN)/ruff check .

types: $(VENV)/.test
	$(BIN)/mypy

imports: $(VENV)/.test
	$(BIN)/lint-imports

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(VENV)/.run: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Jinque needs Python 3.11 or newer; say which with PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.test: $(VENV)/.run
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	touch $@

# The training stack is several GB; the versions are those the bundled networks were trained with.
$(VENV)/.train: $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.14.1 torchvision==0.29.1
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train,peer]'
	touch $@

train: $(VENV)/.train

clean:
	rm -rf $(VENV)
