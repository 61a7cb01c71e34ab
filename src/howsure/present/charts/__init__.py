"""Charts, drawn with Matplotlib: no arithmetic here but that of the layout.

`declare` says what a module must provide, `figure` makes the figures, `axes`, `series` and `labels` hold what charts
have in common. Colours come from the user's settings.
"""

IMAGES = ("png", "svg", "pdf")  # the endings of pictures
