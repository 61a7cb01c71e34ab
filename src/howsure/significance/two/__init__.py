"""Tests of two classifiers: on the same cases, on the same splits, or on several data sets."""
