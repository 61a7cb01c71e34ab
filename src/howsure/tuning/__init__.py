"""Learning, complexity and noise curves, and the choice of parameters with an unbiased estimate."""
