"""Charts, drawn with Matplotlib: no arithmetic here, and no global state. One file for each kind of chart."""

INK, MUTED, BAND = "#1f4e79", "#767676", "#9db8d2"
