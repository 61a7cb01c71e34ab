"""Collecting garbage waits while many objects are made, and goes on as it was."""

import gc

import pytest

from howsure.garbage import no_collection


@pytest.mark.parametrize("before", [True, False])
def test_collecting_goes_on_as_it_was(before):
    was = gc.isenabled()
    try:
        (gc.enable if before else gc.disable)()
        with no_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == before
        with pytest.raises(KeyError), no_collection():
            raise KeyError
        assert gc.isenabled() == before
    finally:
        (gc.enable if was else gc.disable)()
