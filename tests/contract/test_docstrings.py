"""What every public name says of itself, in the form of numpydoc; the names are found, not listed (docs/tools/api.py).

A function or class has a summary of one line, names its parameters, says what it gives, and shows an example that is
run with the doctests of the package. Of a class that is a record, the attributes are the parameters.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import howsure
from docs.tools.api import is_described, methods, surface
from howsure.docstrings import TEXTS, shared_texts
from howsure.present.result import Result

LONGEST = 120
UNDERLINE = re.compile(r"^-{3,}$")
SECTIONS = (
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Other Parameters",
    "See Also",
    "Notes",
    "References",
    "Examples",
)


def sections(text):
    """Take a docstring apart: what is above the first section is at the key ""."""
    found, heading = {"": []}, ""
    for line, below in pairwise([*text.splitlines(), ""]):
        if UNDERLINE.match(below) and line.strip():
            heading = line.strip()
            assert heading in SECTIONS, f"{heading!r} is no section of numpydoc"
            assert heading not in found, f"there are two sections {heading!r}"
            assert len(below) == len(heading), f"the line below {heading!r} is not as long as it"
            found[heading] = []
        elif not (UNDERLINE.match(line) and heading and not found[heading]):
            found[heading].append(line)
    assert list(found) == sorted(found, key=("", *SECTIONS).index), "the sections are not in the order of numpydoc"
    return {name: "\n".join(body).strip("\n") for name, body in found.items()}


def described(section):
    """Give the names that a section describes; each must have a text below it."""
    names = []
    for line, below in pairwise([*section.splitlines(), ""]):
        if line and not line.startswith(" "):
            assert below.startswith("    "), f"nothing is said of {line!r}"
            names += [name.strip().lstrip("*") for name in line.partition(" : ")[0].split(",")]
    return names


def docstring(thing):
    return sections(inspect.getdoc(thing) or "")


def parameters(thing):
    """Name what is given to a function, or to make a thing of a class."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return []
    return [name for name in inspect.signature(thing).parameters if not name.startswith("_")]


def of_bases(cls):
    """Name the fields that a record has from others, which describe them."""
    return {
        field.name for base in cls.__mro__[1:] if dataclasses.is_dataclass(base) for field in dataclasses.fields(base)
    }


def is_left_to_others(function):
    """Whether a method only says what subclasses have to do; there is nothing to show then."""
    return "raise NotImplementedError" in inspect.getsource(function)


def gives_something(function):
    return inspect.signature(function).return_annotation not in (None, "None", "NoReturn")


def summary_of(found):
    head = found[""].split("\n\n")[0]
    assert head.strip(), "there is no summary"
    assert "\n" not in head, f"the summary has more than one line: {head!r}"
    return head


def own(cls, name):
    """Give a method as a function, and whether it takes the place of one that all results have."""
    member = vars(cls)[name]
    function = getattr(member, "__func__", member)
    return function, cls is not Result and issubclass(cls, Result) and name in vars(Result)


def things():
    """Every public function and class once, by the first name it has."""
    known = {}
    for room in surface().values():
        for name, thing in room.items():
            if is_described(thing):
                known.setdefault(id(thing), (name, thing))
    return dict(known.values())


THINGS = things()
FUNCTIONS = sorted(name for name, thing in THINGS.items() if inspect.isfunction(thing))
CLASSES = sorted(name for name, thing in THINGS.items() if inspect.isclass(thing))
METHODS = [(name, method) for name in CLASSES for method in methods(THINGS[name])]
SHARED = set(described(docstring(Result)["Notes"].partition("\n\n")[2]))  # options that many methods of results have


def test_the_surface_is_found():
    assert len(FUNCTIONS) > 100
    assert len(CLASSES) > 100
    assert len(METHODS) > 300
    assert {"howsure.assess", "howsure.plan.mcnemar", "howsure.significance.wilcoxon"} <= set(FUNCTIONS)
    assert {"howsure.Estimate", "howsure.curves.CurveSet", "howsure.resampling.Scheme"} <= set(CLASSES)
    assert {"confidence", "width", "like"} <= SHARED


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function = THINGS[name]
    found = docstring(function)
    summary_of(found)
    assert sorted(described(found.get("Parameters", ""))) == sorted(parameters(function))
    assert bool(found.get("Returns") or found.get("Yields")) == gives_something(function), "what it gives is not said"
    assert ">>> " in found.get("Examples", ""), "there is no example"


@pytest.mark.parametrize("name", CLASSES)
def test_classes(name):
    cls = THINGS[name]
    found = docstring(cls)
    assert cls.__doc__, "there is no docstring of its own"
    summary_of(found)
    given, kept = described(found.get("Parameters", "")), described(found.get("Attributes", ""))
    if dataclasses.is_dataclass(cls) and not given:
        fields = [name for name in parameters(cls) if name not in of_bases(cls)]
        assert sorted(one for one in kept if one in fields) == sorted(fields), (
            "its attributes are not those that it is made of"
        )
    else:
        assert sorted(given) == sorted(parameters(cls))
    assert ">>> " in found.get("Examples", ""), "there is no example"


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_methods(name, method):
    cls = THINGS[name]
    function, is_shared = own(cls, method)
    if not inspect.isfunction(function):
        bases = [docstring(base) for base in cls.__mro__ if base.__module__.startswith("howsure")]
        named = [one for found in bases for one in described(found.get("Attributes", ""))]
        assert method in named or summary_of(docstring(vars(cls)[method]))
        return
    found = docstring(getattr(cls, method))
    summary_of(found)
    named, has = described(found.get("Parameters", "")), parameters(function)
    has = has if isinstance(vars(cls)[method], staticmethod) else has[1:]
    if is_shared:  # what all results have says the rest
        named, has = ([one for one in names if one not in SHARED] for names in (named, has))
        named = [one for one in named if one in has]
    assert sorted(named) == sorted(has)
    shown = rf"\.{method}\("
    if not (is_shared or is_left_to_others(function) or ">>> " in found.get("Examples", "")):
        assert re.search(shown, docstring(cls).get("Examples", "")), "neither it nor its class shows an example"


def test_lines_are_short():
    long = [
        (name, line)
        for name, thing in THINGS.items()
        for line in (inspect.getdoc(thing) or "").splitlines()
        if len(line) > LONGEST
    ]
    assert long == []


WRITTEN = re.compile(r"^( *)(\S.*)\n\1    (\S.*)$", re.MULTILINE)
SOURCES = [path.read_text(encoding="utf-8") for path in Path(howsure.__file__).parent.rglob("*.py")]


def parameters_written(source):
    """Every name with its text, as the docstrings of a file have them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node)):
            given = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
            yield from ((name, said) for _, name, said in WRITTEN.findall(given))


def test_texts_of_many_parameters_are_written_once():
    count = Counter(entry for source in SOURCES for entry in parameters_written(source))
    assert sum(count.values()) > 500
    often = {entry: times for entry, times in count.items() if times > 4 and len(entry[1].split()) > 6}
    own_options = {entry for entry in often if entry[0] == "*args, **options"}  # of the one class of all results
    assert often.keys() - own_options == set()


@pytest.mark.parametrize("key", TEXTS)
def test_shared_texts_are_used(key):
    assert sum(source.count(f"    {{{key}}}\n") for source in SOURCES) > 4


def test_no_place_of_a_shared_text_is_left_empty():
    told = [inspect.getdoc(thing) or "" for thing in THINGS.values()]
    told += [inspect.getdoc(getattr(THINGS[name], method)) or "" for name, method in METHODS]
    places = [f"{{{key}}}" for key in TEXTS]
    assert [text for text in told if any(place in text for place in places)] == []


def test_a_shared_text_is_put_in_with_the_indent_of_its_place():
    @shared_texts
    def function(confidence):
        """Do something.

        Parameters
        ----------
        {confidence}

        Examples
        --------
        >>> {"side": 1}["side"]
        1
        """

    found = docstring(function)
    assert found["Parameters"] == "confidence\n    The nominal coverage, above 0 and below 1."
    assert found["Examples"] == '>>> {"side": 1}["side"]\n1'


def test_without_docstrings_there_is_nothing_to_put_in():
    def function():
        pass

    assert shared_texts(function) is function
    assert function.__doc__ is None
