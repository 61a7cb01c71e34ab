"""Omnibus tests of many classifiers."""
