"""Registries of measures, tests, curves, charts, advice and file formats."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from typing import Any, TypeVar

from howsure.errors import HowsureError, suggestion

Item = TypeVar("Item")


def canonical(name: str) -> str:
    """Return a name in lower case, with its words joined by ``_``."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def import_modules(package: str, *, below: bool = True) -> None:
    """Import all modules of a package, and its subpackages if ``below``.

    Each module registers its items on import, so new files need not be listed anywhere.
    """
    find = walk_packages if below else iter_modules
    for module in find(import_module(package).__path__, f"{package}."):
        import_module(module.name)


class Registry(Mapping[str, Item]):
    """Named items in the order of declaration, with aliases."""

    def __init__(self, kind: str, listed_by: str) -> None:
        self.kind = kind
        self.listed_by = listed_by
        self._items: dict[str, Item] = {}
        self._aliases: dict[str, str] = {}

    def add(self, name: str, item: Item, aliases: tuple[str, ...] = ()) -> None:
        for key in map(canonical, (name, *aliases)):
            if key in self._aliases:
                raise RuntimeError(f"the {self.kind} name {key!r} is declared twice")
        self._items[name] = item
        self._aliases.update(dict.fromkeys(map(canonical, (name, *aliases)), name))

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Remove items that were declared in the ``with`` block (for tests)."""
        items, aliases = dict(self._items), dict(self._aliases)
        try:
            yield
        finally:
            self._items, self._aliases = items, aliases

    def __getitem__(self, name: str) -> Item:
        if isinstance(name, str) and name in self._items:
            return self._items[name]
        key = self._aliases.get(canonical(name)) if isinstance(name, str) else None
        if key is None:
            raise HowsureError(
                f"`{self.kind}` must be the name of a {self.kind}, not {name!r}"
                + suggestion(name, self._aliases, otherwise=self.listed_by)
            )
        return self._items[key]

    def items(self) -> ItemsView[str, Item]:
        return self._items.items()

    def values(self) -> ValuesView[Item]:
        return self._items.values()

    def get(self, name: str, default: Any = None) -> Any:
        """Return the item with this name or alias, or the default."""
        if name not in self:
            return default
        return self[name]

    def other_names(self, name: str) -> list[str]:
        """Return the aliases of a canonical name."""
        return [alias for alias, item in self._aliases.items() if item == name and alias != canonical(name)]

    def attribute(self, name: str, module: str) -> Item:
        """Return the item with this canonical name, as a module attribute."""
        if name not in self._items:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return self._items[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._items or canonical(name) in self._aliases)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
