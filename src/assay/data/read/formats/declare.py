"""Declare a format of files once: its names, its endings, and the scan that reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from assay.data.read.scan import Scan
from assay.registry import Registry


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    ``signature`` are the bytes at both ends of a binary format; a text format may say with which characters it
    ``begins``. A format that is rewritten first, as CSV, says how: ``rewrite(file, name, target)``.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    scan: Callable[..., Scan]
    signature: bytes = b""
    begins: str = ""
    rewrite: Callable[[TextIO, str, str], None] | None = None


formats: Registry[Format] = Registry("format", "`assay assess --help` lists them")


def declare_format(declared: Format) -> None:
    """Make a format known, by its name and by its endings."""
    formats.add(declared.name, declared, declared.endings)


def format_list(titles: bool = True) -> str:
    """Name all formats: "CSV, TSV or Parquet", or as `format=` takes them, "csv, tsv or parquet"."""
    *names, last = (declared.title if titles else declared.name for declared in formats.values())
    return f"{', '.join(names)} or {last}"
