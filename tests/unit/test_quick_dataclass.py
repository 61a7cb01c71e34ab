"""Classes made quickly behave as those that the standard library makes."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import pickle
import threading
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import howsure
from howsure.quick_dataclass import dataclass

SOURCES = sorted(Path(howsure.__file__).parent.rglob("*.py"))
MAKERS: dict[str, Callable[..., Any]] = {"quick": dataclass, "library": dataclasses.dataclass}


def family(make: Callable[..., Any], *, slots: bool) -> tuple[type[Any], ...]:
    """A class of every kind of field, one that inherits from it, and those with methods of their own."""

    @make(frozen=True, slots=slots)
    class Base:
        """Base."""

        a: int
        b: list[int] = field(default_factory=list, compare=False)
        c: str = field(default="x", repr=False)
        d: float = field(init=False, default=1.5)
        _: KW_ONLY
        e: tuple[int, ...] = ()

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")

    @make(frozen=True, slots=slots)
    class Derived(Base):
        """Derived."""

        f: int = 7

    @make(frozen=True, eq=False, repr=False, slots=slots)
    class Bare:
        """Bare."""

        x: int

    @make(frozen=True, kw_only=True, slots=slots)
    class Own:
        """Own."""

        x: int
        y: int = 0

        def __init__(self, x: int, y: int = 5) -> None:
            object.__setattr__(self, "x", x + 1)
            object.__setattr__(self, "y", y)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self)) and self.x == other.x

        def __hash__(self) -> int:
            return 12

        def __repr__(self) -> str:
            return "mine"

    @make(frozen=True, slots=slots)
    class Equal:
        """Equal."""

        x: int

        def __eq__(self, other: object) -> bool:
            return True

    @make(frozen=True, slots=slots)
    class Empty:
        """Empty."""

    return Base, Derived, Bare, Own, Equal, Empty


def objects(classes: tuple[type[Any], ...]) -> Iterator[Any]:
    base, derived, bare, own, equal, empty = classes
    yield from (base(1), base(1, [2]), base(1, c="y"), base(a=2, e=(3,)), derived(1), derived(1, [], "x", 8, e=(1,)))
    yield from (bare(1), bare(1), own(1), own(x=1, y=2), equal(1), equal(2), empty(), empty())


@pytest.mark.parametrize("slots", [False, True])
def test_what_is_made_is_told_compared_and_hashed_alike(slots: bool) -> None:
    quick, library = (list(objects(family(make, slots=slots))) for make in MAKERS.values())
    for ours, theirs in zip(quick, library, strict=True):
        if type(ours).__name__ != "Bare":
            assert repr(ours) == repr(theirs)
            assert hash(ours) == hash(theirs)
        assert asdict(ours) == asdict(theirs)
        assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
        assert type(ours).__match_args__ == type(theirs).__match_args__
        assert ours.__eq__(object()) == theirs.__eq__(object())
    of_each = ([[one == other for other in made] for one in made] for made in (quick, library))
    assert next(of_each) == next(of_each)


@pytest.mark.parametrize("slots", [False, True])
def test_arguments_are_the_same(slots: bool) -> None:
    for ours, theirs in zip(*(family(make, slots=slots) for make in MAKERS.values()), strict=True):
        assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
        assert ours.__init__.__qualname__ == theirs.__init__.__qualname__
        assert ours.__init__.__module__ == theirs.__init__.__module__
        assert is_dataclass(ours)


@pytest.mark.parametrize(("make", "slots"), [("quick", False), ("quick", True), ("library", False)])
def test_nothing_can_be_set_or_deleted(make: str, slots: bool) -> None:
    base, derived, *_ = family(MAKERS[make], slots=slots)
    for made in (base(1), derived(1)):
        for name in ("a", "e"):
            with pytest.raises(FrozenInstanceError, match=f"^cannot assign to field '{name}'$"):
                setattr(made, name, 2)
            with pytest.raises(FrozenInstanceError, match=f"^cannot delete field '{name}'$"):
                delattr(made, name)
        with pytest.raises(FrozenInstanceError):  # with slots the library's own raises a TypeError
            made.new = 2

    class Plain(base):  # type: ignore[valid-type, misc]
        """No data class, so that it may have attributes of its own."""

    plain = Plain(1)
    plain.new = 3
    assert plain.new == 3
    del plain.new
    with pytest.raises(FrozenInstanceError):
        plain.a = 2


@pytest.mark.parametrize("make", MAKERS)
def test_values_are_copied_replaced_and_made_anew_for_each(make: str) -> None:
    base, derived, *_ = family(MAKERS[make], slots=False)
    assert base(1).b is not base(1).b
    changed = replace(derived(1, [5]), f=9)
    assert (changed.f, changed.b, type(changed)) == (9, [5], derived)
    copied = copy.deepcopy(changed)
    assert copied == changed
    assert copied.b is not changed.b
    with pytest.raises(ValueError, match="negative"):
        replace(changed, a=-1)
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'a'"):
        base()


@dataclass(frozen=True, slots=True)
class Stored:
    """In slots."""

    a: int
    b: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Chain:
    """May hold itself."""

    links: list[Any]


def test_slots_are_pickled() -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(Stored(1, [2]), protocol)) == Stored(1, [2])
    assert copy.copy(Stored(1, [2])) == Stored(1, [2])
    assert not hasattr(Stored(1), "__dict__")


def test_what_holds_itself_can_be_told() -> None:
    links: list[Any] = []
    links.append(Chain(links))
    assert repr(links[0]) == "Chain(links=[...])"
    lock = threading.Lock()
    assert repr(Chain([lock])) == f"Chain(links=[{lock!r}])"


def test_frozen_classes_are_made_quickly_but_for_schemes_of_which_users_make_their_own() -> None:
    slow = set()
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        quick = any(isinstance(line, ast.ImportFrom) and line.module == "howsure.quick_dataclass" for line in tree.body)
        makers = [ast.unparse(one) for node in ast.walk(tree) for one in getattr(node, "decorator_list", [])]
        frozen = [maker for maker in makers if "dataclass(" in maker and "frozen=True" in maker]
        if any(not quick or "dataclasses." in maker for maker in frozen):
            slow.add(f"{path.parent.name}/{path.name}")
    assert len(SOURCES) > 400
    elsewhere = {"bias_variance/training_sets.py", "tuning/derived_schemes.py"}
    assert slow == {"resampling/declare.py", "resampling/foreign.py", "resampling/schemes.py", *elsewhere}
