"""What holds for all tests."""

import sys


def pytest_runtest_teardown():
    """Close the figures that a test has opened, as a notebook does after each cell."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
