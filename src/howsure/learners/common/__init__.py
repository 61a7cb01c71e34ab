"""Code shared by several learners: validation, folds, the order of cases, a base class, and the trace."""
