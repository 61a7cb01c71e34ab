"""Decision trees with pessimistic pruning."""
