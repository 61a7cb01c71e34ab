"""Resampling: schemes that make splits with a fingerprint, and the error estimators built on them."""

from assay.resampling.bootstrap import bootstrap_error
from assay.resampling.foreign import as_scheme
from assay.resampling.scheme import Scheme, registry
from assay.resampling.schemes import (
    Bootstrap,
    FiveByTwo,
    Holdout,
    KFold,
    LeaveOneOut,
    RepeatedHoldout,
    Resubstitution,
    TimeOrder,
    TrainValidationTest,
)
from assay.resampling.splits import Split, Splits
from assay.tables import Design
from assay.tables.folds import FoldTable

__all__ = [
    "Bootstrap",
    "Design",
    "FiveByTwo",
    "FoldTable",
    "Holdout",
    "KFold",
    "LeaveOneOut",
    "RepeatedHoldout",
    "Resubstitution",
    "Scheme",
    "Split",
    "Splits",
    "TimeOrder",
    "TrainValidationTest",
    "as_scheme",
    "bootstrap_error",
    "registry",
]
