# `make demo` and `make test` do all set-up on a fresh machine with Python >= 3.11.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := out/demo

.PHONY: demo test peers paper paper-quick slow lint types docs bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint,docs,train,paper]'
	touch $@ $(VENV)/.run

demo: $(VENV)/.run
	mkdir -p $(DEMO)
	$(BIN)/tfrgnn generate workflow montage --tasks 312 --seed 1 -o $(DEMO)/montage.json
	$(BIN)/tfrgnn generate cluster --machines 48 --seed 0 -o $(DEMO)/cluster.yaml
	$(BIN)/tfrgnn plan $(DEMO)/montage.json --cluster $(DEMO)/cluster.yaml --method r-heft --scale 1 \
		-o $(DEMO)/plan.json --report $(DEMO)/plan.html
	$(BIN)/tfrgnn compare $(DEMO)/montage.json --cluster $(DEMO)/cluster.yaml --seed 7 --report $(DEMO)/compare.html
	@echo
	@echo "Look at $(CURDIR)/$(DEMO)/compare.html and $(CURDIR)/$(DEMO)/plan.html"

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m 'not slow'

# Tests against independent packages, which bring much with them.
peers: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[peers,wfcommons]'
	$(BIN)/python -m pytest tests/schedulers/test_peers.py tests/generate/test_wfcommons.py

# Every table and figure of the paper: in some two minutes, or quickly to see that all of it runs.
DATA ?= $(or $(TFRGNN_DATA),../shared/data)
paper: $(VENV)/.dev
	$(BIN)/tfrgnn paper all --data $(DATA) -o results/paper
	$(BIN)/python tools/render_tables.py

paper-quick: $(VENV)/.dev
	if [ -d $(DATA)/wfinstances ]; then $(BIN)/tfrgnn paper all --quick --data $(DATA) -o out/paper; \
	else echo "paper-quick: skipped, the real instances are not in $(DATA); set TFRGNN_DATA"; fi

# Long suites, some six minutes: full training, the paper's rows once more, a million tasks, nonsense of a gigabyte, a long fuzz.
slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow
	TFRGNN_EXAMPLES=10000 $(BIN)/python -m pytest -n 2 tests/formats/test_fuzz.py

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

bench: $(VENV)/.run
	PYTHONPATH=. $(BIN)/python benchmarks/planning.py
	PYTHONPATH=. $(BIN)/python benchmarks/policy.py

clean:
	rm -rf $(VENV) out docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
