"""The run folder: the columns of its files, writing, resuming and reading."""
