"""Read columns from arrays, data frames, mappings, files and streams.

`gather` returns predictions, and `features` data sets. Files are located (`paths`), opened (`database`) and scanned
according to their format (`formats`); `files` counts or reads their columns, and `join` joins several files.
"""
