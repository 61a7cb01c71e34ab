"""Learning with costs of errors: the wrapper, its methods, and what costs mean for weights and decisions."""
