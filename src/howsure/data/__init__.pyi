from .predictions import Predictions as Predictions
from .read.logs import read_log as read_log
from .truths import SoftTruth as SoftTruth
