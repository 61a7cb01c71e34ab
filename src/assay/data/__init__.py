"""What comes in: labels of any type, checked once, from arrays, data frames and files."""

from assay.data.predictions import Predictions
from assay.data.read.logs import read_log

__all__ = ["Predictions", "read_log"]
