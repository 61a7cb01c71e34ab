"""What all learners share: checks, folds, the order of cases, the base class around an estimator, and the trace."""
