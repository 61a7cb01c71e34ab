"""Stacking."""
