"""What comes in: labels of any type, checked once, from arrays, data frames and files."""

from assay.data.predictions import Predictions

__all__ = ["Predictions"]
