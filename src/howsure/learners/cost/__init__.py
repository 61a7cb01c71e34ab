"""Cost-sensitive learning: the wrapper, its methods, and the weights and decisions that follow from costs."""
