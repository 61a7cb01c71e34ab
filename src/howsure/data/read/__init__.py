"""Read columns of arrays, data frames, mappings, files and streams.

`gather` returns predictions, and `features` data sets. Files are located (`paths`), opened (`database`) and scanned by
their format (`formats`, one module each); `files` counts or reads their columns, and `join` joins several files.
"""
