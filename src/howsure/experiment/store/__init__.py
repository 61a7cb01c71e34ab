"""The folder of an experiment: the columns of its files, writing, resuming and reading."""
