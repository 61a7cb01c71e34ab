"""Significance tests: numbers in, `TestResult` out."""

from assay.significance.auc import delong, placements

__all__ = ["delong", "placements"]
