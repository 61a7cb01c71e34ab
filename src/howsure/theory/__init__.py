"""Theory: bias and variance, information criteria and the VC bound, and how empty many dimensions are."""
