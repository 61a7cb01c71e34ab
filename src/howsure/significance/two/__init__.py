"""Tests of two classifiers: on the same cases, on the same splits, over several data sets."""
