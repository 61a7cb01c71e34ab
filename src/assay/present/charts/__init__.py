"""Charts, drawn with Matplotlib: no arithmetic here, and no global state. `declare` says what a module must provide."""

INK, MUTED, BAND = "#1f4e79", "#767676", "#9db8d2"
