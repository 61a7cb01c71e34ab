"""Fuzz tests with seeded cases for everything that takes input, run by ``python -m fuzz``."""
