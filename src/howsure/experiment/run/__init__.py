"""Running tasks: one task, its isolation, its resources, the workers, and the progress bar."""
