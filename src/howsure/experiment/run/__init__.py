"""Run tasks: a single task, its isolation and resources, the workers, and the progress bar."""
