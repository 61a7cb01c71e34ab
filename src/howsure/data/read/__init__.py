"""Reading: what the user has (arrays, data frames, mappings, files, streams) becomes columns, then `Predictions`.

`gather` is the way in for predictions, `features` for data sets. Files are found (`paths`), opened (`database`) and
read by a scan of their format (`formats`, one module each); `files` counts or reads their columns, and `join` puts
several files together.
"""
