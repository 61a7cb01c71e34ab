"""Showing results: one contract, tables in every form, charts, and the terminal."""

from assay.present.result import Result
from assay.present.sheet import Record, Sheet

__all__ = ["Record", "Result", "Sheet"]
