"""What holds for all tests."""

import gc
import sys

gc.set_threshold(20_000, 20, 20)  # what was collected stays: to look through it again and again takes time


def pytest_runtest_teardown():
    """Close the figures that a test has opened, as a notebook does after each cell."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
