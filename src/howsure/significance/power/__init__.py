"""Power of tests, and sample sizes of comparisons and assessments."""
