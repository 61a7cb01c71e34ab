"""Cross-validation by recursive halving, and the learners that allow it."""
