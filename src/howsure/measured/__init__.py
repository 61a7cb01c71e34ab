"""Simulation results: coverage of intervals and errors of tests."""
