# Two commands do everything on a fresh clone: `make demo` and `make test`. Both make .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ONLY ?=

.PHONY: demo test test-long engines lint docs bench calibration fuzz lab stubs dist test-lowest coverage clean

# One stamp per set of extras: an environment is made once, and again when pyproject.toml changes.
$(VENV)/core.stamp: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/test.stamp: pyproject.toml $(VENV)/core.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[fast,test]"
	touch $@

$(VENV)/docs.stamp: pyproject.toml $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[fast,test,docs]"
	touch $@

$(VENV)/lint.stamp: pyproject.toml $(VENV)/docs.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[fast,test,docs,lint]"
	touch $@

demo: $(VENV)/core.stamp
	$(BIN)/howsure demo --folder demo

# Pages are looked at in a Chromium where there is one; what was skipped, and why, is said at the end.
# Two processes of one thread each: threads that wait for each other take most of the time on a busy machine.
test: $(VENV)/test.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -rs -n 2 --dist worksteal -m "not slow and not long"

# What takes long for each test: processes that are killed, clusters, Spark, and a slice of each net.
test-long: $(VENV)/test.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -rs -n 2 --dist worksteal -m long

# Spark and Ibis are large: without them the tests of these engines are skipped, and said to be.
engines: $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[fast,test,ibis,spark]"

calibration: $(VENV)/test.stamp
	$(BIN)/python -m pytest -q -n 2 -m slow

lint: $(VENV)/lint.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini tests
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -p no:randomly --doctest-modules src

bench: $(VENV)/test.stamp
	$(BIN)/python -m benchmarks $(ONLY)

# The standing net: seeded cases, thrown at everything that takes input. All of it, or what ARGS says.
ARGS ?= full
fuzz: $(VENV)/test.stamp
	$(BIN)/python -m fuzz $(ARGS)

# How sure 95 % is: the grid, or what is missing of it, what the package ships of it, and the page that shows it.
lab: $(VENV)/test.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m lab
	$(BIN)/python -m lab --write
	$(MAKE) docs/evidence/coverage.md

# What is declared, for editors and type checkers.
stubs: $(VENV)/core.stamp
	$(BIN)/python docs/tools/make_stubs.py

docs/evidence/%.md: docs/tools/make_%.py $(VENV)/core.stamp FORCE
	PYTHONPATH=. $(BIN)/python $<
FORCE:

# The site, in docs/_build/html: the code of every page is run, the reference read off the registries, then Sphinx.
# What did not change is not done again.
docs: $(VENV)/docs.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m docs.tools.run_pages
	$(BIN)/python -m docs.tools.reference
	$(BIN)/sphinx-build -W --keep-going -q -j 2 -d docs/_build/doctrees docs docs/_build/html
	$(BIN)/python -m docs.tools.check_site
	$(BIN)/python -m pytest -q -rs -p no:randomly tests/browser/test_site.py

# The source archive and the wheel, which is then tried in an empty environment.
dist: $(VENV)/lint.stamp
	rm -rf dist
	$(BIN)/python -m build --quiet
	$(BIN)/python -m release.check_wheel

# The tests with the lowest versions that pyproject.toml allows, in an environment of their own. Pages, which are drawn
# and written by other programs, are left to the newest.
test-lowest:
	test -x .venv-lowest/bin/python || $(PYTHON) -m venv .venv-lowest
	$(PYTHON) -m release.lowest > .venv-lowest/constraints.txt
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check \
	    --constraint .venv-lowest/constraints.txt --editable ".[fast,test]"
	OPENBLAS_NUM_THREADS=1 .venv-lowest/bin/python -m pytest -q -rs -n 2 --dist worksteal \
	    -m "not slow and not long" --ignore tests/browser --ignore tests/lab

# Which lines and branches of the package the tests run, for docs/evidence/tests.md.
coverage: $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pytest-cov>=5"
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow" \
	    --cov howsure --cov-branch --cov-report=json:.coverage.json --cov-report=term:skip-covered
	PYTHONPATH=. $(BIN)/python docs/tools/make_tests.py .coverage.json

clean:
	rm -rf $(VENV) .venv-lowest demo docs/_build docs/made docs/gallery dist
