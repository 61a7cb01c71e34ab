"""The classes of an assessment, their order, and the positive class."""

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

Columns = Mapping[str, Encoded]  # columns by role, since two columns may have the same name
Names = Mapping[str, str]  # names of roles in error messages, where these differ from the role
OWN: Names = {}


def label_list(labels: Any) -> list[Label]:
    """Return the labels of all classes as a list."""
    try:
        listed = None if isinstance(labels, str) else list(labels)
    except TypeError:  # raised by zero-dimensional arrays, too
        listed = None
    if listed is None or not all(isinstance(label, Hashable) for label in listed):  # unhashable, such as a list
        must("labels", "a list of all classes", given=labels)
    return [plain_label(label) for label in listed]


@dataclass(frozen=True, slots=True)
class Classes:
    """The labels in order, and the positive one or None."""

    labels: tuple[Label, ...]
    positive: Label | None
    chosen: bool = False  # whether the caller named the positive class

    @classmethod
    def of(
        cls, columns: Columns, labels: Sequence[Label] | None, positive: Label | None, names: Names = OWN
    ) -> Classes:
        """Collect the classes in columns, or check ``labels`` against them."""
        kinds = {role: _kind(encoded.values, names.get(role, role)) for role, encoded in columns.items()}
        _check_kinds(kinds, columns, names)
        values = {value for encoded in columns.values() for value in encoded.values}
        if labels is None:
            _check_common_labels(columns, names)
            space = _in_order([encoded.values for encoded in columns.values() if encoded.ordered], values)
        else:
            plain = label_list(labels)
            _kind(plain, "labels")
            space = [_matching(label, values) for label in plain]
            if len(set(space)) != len(space):
                raise HowsureError("`labels` must name each class once, but it names one of them twice.")
            for role, encoded in columns.items():
                for value in encoded.values:
                    if value not in space:
                        name = names.get(role, role)
                        raise HowsureError(f"`labels` must name every class, but {value!r} of `{name}` is missing.")
        return cls.of_labels(space, positive)

    @classmethod
    def of_labels(cls, labels: Sequence[Label], positive: Label | None) -> Classes:
        """Return classes; by default, the second of two classes is positive."""
        chosen = positive is not None
        if chosen:
            positive = plain_label(positive)
            if not isinstance(positive, str | int | float):
                must_be_one_of("positive", labels, given=positive)
            positive = _matching(positive, labels)
            one_of("positive", positive, labels)
            positive = labels[list(labels).index(positive)]  # the label itself, such as 1 for 1.0 or True
        elif len(labels) == 2:
            positive = labels[1]
        return cls(tuple(labels), positive, chosen)

    def index(self, encoded: Encoded) -> IntArray:
        """Return the codes of a column as positions in ``labels``."""
        return encoded.positions({label: index for index, label in enumerate(self.labels)})


def _in_order(categories: list[list[Any]], values: set[Any]) -> list[Any]:
    """Sort classes, or put them in the order of categories."""
    if not categories:
        return _complete(sorted(values))
    order = next((column for column in categories if values <= set(column)), categories[0])
    if list(order) == sorted(order):
        return sorted({*order, *values})
    return [*order, *sorted(values - set(order))]


def _kind(values: Sequence[Any], name: str) -> type | None:
    """Return the type of a column's labels; int if mixed with booleans."""
    examples: dict[type, Any] = {}
    for value in values:
        kind = next((kind for kind in KINDS if isinstance(value, kind)), None)
        if kind is float:
            raise not_labels(name, value)
        if kind is None or kind is bytes:
            raise HowsureError(f"`{name}` must hold text, whole numbers or booleans, not {value!r}.")
        examples.setdefault(kind, value)
    if str in examples and len(examples) > 1:
        not_text = next(kind for kind in examples if kind is not str)
        raise HowsureError(
            f"`{name}` mixes text such as {examples[str]!r} with {KINDS[not_text]} such as {examples[not_text]!r}; "
            "give all labels in one form."
        )
    return int if len(examples) == 2 else next(iter(examples), None)


def _check_kinds(kinds: dict[str, type | None], columns: Columns, names: Names) -> None:
    """Reject text in one column and numbers in another."""
    filled = [(role, kind) for role, kind in kinds.items() if kind is not None]
    for (role, kind), (next_role, next_kind) in pairwise(filled):
        if (kind is str) != (next_kind is str):
            raise HowsureError(
                f"`{names.get(role, role)}` holds {KINDS[kind]} such as {columns[role].values[0]!r} and "
                f"`{names.get(next_role, next_role)}` {KINDS[next_kind]} such as {columns[next_role].values[0]!r}; "
                "give both in one form."
            )


def _check_common_labels(columns: Columns, names: Names) -> None:
    """Reject columns without a common label, such as "yes" and True."""
    present = {role: encoded.present() for role, encoded in columns.items()}
    for (role, labels), (next_role, next_labels) in pairwise(present.items()):
        if len(labels) > 1 and len(next_labels) > 1 and set(labels).isdisjoint(next_labels):
            shown, next_shown = (listing(list(map(repr, sorted(values)))) for values in (labels, next_labels))
            raise HowsureError(
                f"`{names.get(role, role)}` holds {shown} and `{names.get(next_role, next_role)}` {next_shown}, and "
                "no label is in both; write each class in one way, or name all classes with `labels=` if these are "
                "different classes."
            )


def _complete(labels: list[Any]) -> list[Any]:
    """Complete a single boolean, 0 or 1 to two classes."""
    if labels and set(labels) <= {0, 1} and len(labels) == 1:
        return [False, True] if isinstance(labels[0], bool) else [0, 1]
    return labels


def _matching(label: Any, values: Any) -> Any:
    """Return the class that a text means, such as 1 for "1"."""
    if label in values or not isinstance(label, str):
        return label
    meaning = read_text(label)
    return next((value for value in values if str(value) == label or value == meaning), label)
