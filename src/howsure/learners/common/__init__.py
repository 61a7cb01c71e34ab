"""Code that several learners share: validation, folds, the order of cases, the base class, and the trace."""
