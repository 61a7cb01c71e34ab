"""Charts of results, drawn with Matplotlib. They compute nothing but their layout.

`declare` registers charts, `figure` creates the figures, and `axes`, `series` and `labels` have the parts that charts
share. Colours follow the settings of the user.
"""

IMAGES = ("png", "svg", "pdf")  # file endings of pictures
