"""The documents say what is."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import howsure
from docs.tools.make_stubs import stubs
from howsure.measures import registry

ROOT = Path(__file__).parents[2]


PAGES = sorted(path.stem for path in (ROOT / "docs/evidence").glob("*.md") if path.stem != "index")


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_what_was_measured(name):
    made = import_module(f"docs.tools.make_{name}").page()
    assert (ROOT / f"docs/evidence/{name}.md").read_text() == made, f"run `make docs/evidence/{name}.md`"


def test_stubs_are_what_the_registries_say():
    for path, text in stubs().items():
        assert path.read_text() == text, "run `make stubs`"


def test_example_of_contributing_is_the_real_one():
    example = re.search(r"```python\n(@measure.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL).group(1)
    assert example in (ROOT / "src/howsure/measures/rates.py").read_text()


def test_a_measure_is_named_in_one_source_file():
    """Declare once: no other module of the package names a measure, but for the few that need that very one."""
    allowed = {"accuracy", "precision", "recall", "f1", "specificity"}  # the table per class, and `repr`
    allowed |= {"gini", "auc", "prevalence"}  # what a tree may split by, and arguments, have the same names
    for name in set(registry) - allowed - set(howsure.curves.registry):  # a curve may be called like a measure
        holders = [path.name for path in (ROOT / "src").rglob("*.py") if f'"{name}"' in without_examples(path)]
        assert holders == [], f"{name} is named in {holders}"


def test_the_version_is_said_once_and_cited():
    cited = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {howsure.__version__}\n" in cited
    date = re.search(r"date-released: (\S+)", cited).group(1)
    assert f"\n## {howsure.__version__} ({date})\n" in (ROOT / "CHANGELOG.md").read_text()


def without_examples(path: Path) -> str:
    return "\n".join(line for line in path.read_text().splitlines() if ">>>" not in line)
