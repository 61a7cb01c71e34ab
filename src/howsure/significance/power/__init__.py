"""Power of tests, and plans: how many cases, splits or data sets a comparison needs."""
