"""The standing net: seeded cases without end, thrown at everything that takes input. Run by ``python -m fuzz``."""
