"""Charts of results, drawn with Matplotlib. They compute only their layout.

`declare` registers charts, `figure` creates figures, and `axes`, `series` and `labels` contain code that charts share.
Colours follow the user's settings.
"""

IMAGES = ("png", "svg", "pdf")  # file name extensions of images
