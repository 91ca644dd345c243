# Every command does its own set-up. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH_VENV ?= .venv-torch

.PHONY: help demo test test-python test-client test-editors lint prove verify bench bench-short soak docs docs-check clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(VENV)/.user ## recognise, explain and repair a real torch failure (needs only Python)
	@$(BIN)/python scripts/demo.py

test: test-python test-client ## all tests but the real editors (Python >= 3.10, Node >= 20)

test-python: $(VENV)/.dev lint
# What failed is run once more, alone: on busy cores a timing may slip. What fails twice fails.
	$(BIN)/pytest -n 2 --dist worksteal || $(BIN)/pytest --last-failed --last-failed-no-failures none

test-client: $(VENV)/.dev
	@scripts/require.sh node 20
	cd client-vscode && npm ci --no-audit --no-fund --loglevel=error && npm run test:unit

test-editors: $(VENV)/.dev ## the real editors: VS Code and JupyterLab in Chromium, Neovim, Emacs, Helix, Vim (Debian or Ubuntu; installs them)
	@scripts/require.sh node 20
	scripts/test-editors.sh

lint: $(VENV)/.dev ## ruff, pyright and the import contracts
	$(BIN)/ruff check server tests bench scripts
	$(BIN)/ruff format --check server tests bench scripts
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/detour kb check
	$(BIN)/detour kb docs --check

prove: $(VENV)/.dev $(TORCH_VENV)/.ready ## run both seed programs under real torch 2.13.0, repair them, run them again
	$(BIN)/detour kb verify --prove --python $(TORCH_VENV)/bin/python pytorch/compile-recompilation-limit pytorch/torch-compile-graph-break-unsupported-op

verify: $(VENV)/.dev $(TORCH_VENV)/.ready ## prove every record against real torch (long)
	$(BIN)/detour kb verify --python $(TORCH_VENV)/bin/python

bench: $(VENV)/.dev ## all benchmarks against the real peers (long); writes docs/performance.md
	$(BIN)/python bench/run.py

bench-short: $(VENV)/.dev ## the benchmarks that CI runs
	$(BIN)/python bench/run.py --short

soak: $(VENV)/.dev ## a day of a growing log in a minute: the server's memory must stay flat
	$(BIN)/python bench/soak.py

docs: $(VENV)/.dev ## write the record pages
	$(BIN)/detour kb docs

clean: ## remove what the commands above made
	rm -rf $(VENV) $(TORCH_VENV) .venv-demo bench/.work client-vscode/node_modules client-vscode/.stack

# `make demo` needs the product alone; the tests need their tools as well.
$(VENV)/.user: pyproject.toml
	@scripts/require.sh python $(PYTHON)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing Detour into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@$(BIN)/python -m compileall -q server # as an installation from a wheel does; it starts in half the time
	@touch $@

$(VENV)/.dev: pyproject.toml
	@scripts/require.sh python $(PYTHON)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing Detour and its test tools into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m compileall -q server
	@touch $@ $(VENV)/.user

$(TORCH_VENV)/.ready:
	@scripts/require.sh python $(PYTHON)
	$(PYTHON) -m venv $(TORCH_VENV)
	@echo "installing torch 2.13.0 into $(TORCH_VENV) (a large download where it is not on disk) ..."
	$(TORCH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 numpy
	@touch $@
