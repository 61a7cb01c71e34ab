"""Tests of two classifiers on the same cases, splits or data sets."""
