"""Peers side by side in one process: what is printed are ratios, not promises in seconds."""
