"""What the lab measured, as it is shipped: how often intervals hold the truth, and tests find what is not there."""
