"""The index of terms: every example runs, every link leads to something, and no name of a registry is missing."""

from __future__ import annotations

import re
import warnings
from functools import reduce
from pathlib import Path

import pytest

import howsure
from docs.tools import terms
from howsure.registry import canonical

DOCS = Path(__file__).parents[2] / "docs"
TERMS = terms.sorted_terms()


@pytest.fixture(scope="module")
def namespace():
    made = {}
    exec(terms.SETUP, made)
    return made


def test_every_example_runs(namespace):
    wrong = {}
    for example in sorted({term.example for term in TERMS} - {""}):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                eval(example, namespace)
        except Exception as error:
            wrong[example] = f"{type(error).__name__}: {error}"
    assert not wrong


def leads_somewhere(target):
    kind, _, name = target.partition(":")
    if kind == "page":
        return (DOCS / f"{name}.md").is_file()
    if kind == "python":
        package, *path = name.split(".")
        return package == "howsure" and reduce(getattr, path, howsure) is not None
    return name in list(terms.REGISTRIES[kind])


def test_every_link_leads_to_something():
    assert [target for target in sorted({term.target for term in TERMS}) if not leads_somewhere(target)] == []


@pytest.mark.parametrize("kind", terms.REGISTRIES)
def test_every_name_and_alias_of_a_registry_is_a_term(kind):
    registry = terms.REGISTRIES[kind]
    found = {canonical(term.name) for term in TERMS if term.target.startswith(f"{kind}:")}
    for name in registry:
        assert any(term.target == f"{kind}:{name}" for term in TERMS)
        assert set(map(canonical, terms.aliases(registry, name))) <= found
        assert all(registry[alias] is registry[name] for alias in terms.aliases(registry, name))


def test_the_table_adds_only_what_no_registry_has():
    names = [canonical(term.name) for term in terms.TERMS]
    assert len(names) == len(set(names))
    assert not set(names) & {canonical(term.name) for term in terms.declared()}
    every = [f"{kind}:{name}" for kind, registry in terms.REGISTRIES.items() for name in registry]
    assert set(terms.ELSEWHERE) | set(terms.PARAMETERS) | terms.ORDERED <= set(every)


def test_tables_of_examples_name_what_is_declared():
    assert set(terms.TEST_EXAMPLES) <= set(terms.REGISTRIES["test"])
    assert set(terms.INTERVAL_EXAMPLES) <= set(terms.REGISTRIES["interval"])
    assert set(terms.ARGUMENTS) <= set(terms.REGISTRIES["learner"])
    assert set(terms.ESTIMATES) <= {method.needs for method in terms.REGISTRIES["interval"].values()}


def test_the_page_is_in_order_with_a_heading_for_each_letter():
    lines = terms.page().splitlines()
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert headings[0] == terms.NUMBERS
    assert headings[1:] == sorted(set(headings[1:]))
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| term |")]
    assert len(rows) == len(TERMS) >= 200
    assert {line.replace("\\|", "").count("|") for line in rows} == {7}
    assert all(re.search(r"[.?)`]$", term.text) for term in TERMS)
