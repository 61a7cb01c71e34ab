"""The classes of an assessment: their order, the positive one, and the mistakes people make with labels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from howsure.arrays import IntArray
from howsure.checks import one_of
from howsure.data.encode import KINDS, Encoded, Label, not_labels, plain_label
from howsure.data.literals import read_text
from howsure.errors import HowsureError, listing, must, must_be_one_of

Columns = Mapping[str, Encoded]  # by their roles: two columns may have one name
Names = Mapping[str, str]  # what error sentences call a role, where not by its own name
OWN: Names = {}


def label_list(labels: Any) -> list[Label]:
    """Take the labels of all classes, in their order."""
    try:
        given = None if isinstance(labels, str) else list(labels)
    except TypeError:  # of an array without an axis too, which looks as if it had one
        given = None
    if given is None or not all(isinstance(label, Hashable) for label in given):  # a list or an array is no class
        must("labels", "a list of all classes", given=labels)
    return [plain_label(label) for label in given]


@dataclass(frozen=True, slots=True)
class Classes:
    """The labels in order, and which of them is positive (None where no class plays that part)."""

    labels: tuple[Label, ...]
    positive: Label | None
    chosen: bool = False  # the caller named the positive class

    @classmethod
    def of(
        cls, columns: Columns, labels: Sequence[Label] | None, positive: Label | None, names: Names = OWN
    ) -> Classes:
        """Read the classes off encoded columns, or check ``labels`` against them."""
        kinds = {role: _kind(encoded.values, names.get(role, role)) for role, encoded in columns.items()}
        _same_kind(kinds, columns, names)
        seen = {value for encoded in columns.values() for value in encoded.values}
        if labels is None:
            _some_in_common(columns, names)
            space = _in_order([encoded.values for encoded in columns.values() if encoded.ordered], seen)
        else:
            plain = label_list(labels)
            _kind(plain, "labels")
            space = [_as_seen(label, seen) for label in plain]
            if len(set(space)) != len(space):
                raise HowsureError("`labels` must name each class once; one of them is there twice.")
            for role, encoded in columns.items():
                for value in encoded.values:
                    if value not in space:
                        name = names.get(role, role)
                        raise HowsureError(f"`labels` must name every class, and {value!r} of `{name}` is missing.")
        return cls.of_labels(space, positive)

    @classmethod
    def of_labels(cls, labels: Sequence[Label], positive: Label | None) -> Classes:
        """Take the classes as they are; the second of two is positive unless another is named."""
        chosen = positive is not None
        if chosen:
            positive = plain_label(positive)
            if not isinstance(positive, str | int | float):
                must_be_one_of("positive", labels, given=positive)
            positive = _as_seen(positive, labels)
            one_of("positive", positive, labels)
            positive = labels[list(labels).index(positive)]  # 1 where 1.0 or True was given
        elif len(labels) == 2:
            positive = labels[1]
        return cls(tuple(labels), positive, chosen)

    def index(self, encoded: Encoded) -> IntArray:
        """Rewrite a column's own codes as positions in ``labels``."""
        return encoded.positions({label: index for index, label in enumerate(self.labels)})


def _in_order(categories: list[list[Any]], seen: set[Any]) -> list[Any]:
    """Put classes into the order of the categories that have them all, or of some where that order is their own."""
    if not categories:
        return _complete(sorted(seen))
    order = next((some for some in categories if seen <= set(some)), categories[0])
    if list(order) == sorted(order):
        return sorted({*order, *seen})
    return [*order, *sorted(seen - set(order))]


def _kind(values: Sequence[Any], name: str) -> type | None:
    """Give the one type of a column's labels; whole numbers and booleans mix, as they do in Python."""
    examples: dict[type, Any] = {}
    for value in values:
        kind = next((kind for kind in KINDS if isinstance(value, kind)), None)
        if kind is float:
            raise not_labels(name, value)
        if kind is None or kind is bytes:
            raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {value!r}.")
        examples.setdefault(kind, value)
    if str in examples and len(examples) > 1:
        other = next(kind for kind in examples if kind is not str)
        raise HowsureError(
            f"`{name}` mixes text such as {examples[str]!r} with {KINDS[other]} such as {examples[other]!r}; "
            "give all labels in one form."
        )
    return int if len(examples) == 2 else next(iter(examples), None)


def _same_kind(kinds: dict[str, type | None], columns: Columns, names: Names) -> None:
    filled = [(role, kind) for role, kind in kinds.items() if kind is not None]
    for (one, kind), (other, other_kind) in pairwise(filled):
        if (kind is str) != (other_kind is str):
            raise HowsureError(
                f"`{names.get(one, one)}` holds {KINDS[kind]} such as {columns[one].values[0]!r} and "
                f"`{names.get(other, other)}` {KINDS[other_kind]} such as {columns[other].values[0]!r}; "
                "give both in one form."
            )


def _some_in_common(columns: Columns, names: Names) -> None:
    """Refuse columns that write the classes differently: True and False here, "yes" and "no" there, are not four."""
    present = {role: encoded.present() for role, encoded in columns.items()}
    for (one, labels), (other, others) in pairwise(present.items()):
        if len(labels) > 1 and len(others) > 1 and set(labels).isdisjoint(others):
            here, there = (listing(list(map(repr, sorted(some)))) for some in (labels, others))
            held = f"`{names.get(one, one)}` holds {here} and `{names.get(other, other)}` {there}"
            raise HowsureError(
                f"{held}, and no label is in both; write each class in one way, or name all classes with `labels=` if "
                "these are different ones."
            )


def _complete(labels: list[Any]) -> list[Any]:
    """Booleans and 0/1 stand for two classes even when the data show only one of them."""
    if labels and set(labels) <= {0, 1} and len(labels) == 1:
        return [False, True] if isinstance(labels[0], bool) else [0, 1]
    return labels


def _as_seen(label: Any, seen: Any) -> Any:
    """Let the text "1", as a command line or a file gives it, name the class 1."""
    if label in seen or not isinstance(label, str):
        return label
    meaning = read_text(label)
    return next((value for value in seen if str(value) == label or value == meaning), label)
