"""Tuning: how error depends on cases, parameters and label noise, and choosing parameters with an honest estimate."""
