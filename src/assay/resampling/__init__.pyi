# What this room has, for editors and type checkers; written by `make stubs`, do not edit.
from assay.resampling.bootstrap_error import bootstrap_error as bootstrap_error
from assay.resampling.declare import Scheme as Scheme
from assay.resampling.declare import registry as registry
from assay.resampling.foreign import as_scheme as as_scheme
from assay.resampling.index_sets import Split as Split
from assay.resampling.index_sets import Splits as Splits
from assay.resampling.schemes import Bootstrap as Bootstrap
from assay.resampling.schemes import FiveByTwo as FiveByTwo
from assay.resampling.schemes import Holdout as Holdout
from assay.resampling.schemes import KFold as KFold
from assay.resampling.schemes import LeaveOneOut as LeaveOneOut
from assay.resampling.schemes import RepeatedHoldout as RepeatedHoldout
from assay.resampling.schemes import Resubstitution as Resubstitution
from assay.resampling.schemes import TimeOrder as TimeOrder
from assay.resampling.schemes import TrainValidationTest as TrainValidationTest
from assay.tables import Design as Design
from assay.tables.folds import FoldTable as FoldTable
