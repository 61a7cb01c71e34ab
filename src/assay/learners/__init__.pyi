# What this room has, for editors and type checkers; written by `make stubs`, do not edit.
from assay.learners.common.trace import Trace as Trace
from assay.learners.cost.cost_sensitive import CostSensitive as CostSensitive
from assay.learners.cost.cost_sensitive import cost_methods as cost_methods
from assay.learners.declare import declare_learner as declare_learner
from assay.learners.declare import registry as registry
from assay.learners.ensemble.bagging import Bagging as Bagging
from assay.learners.ensemble.boosting import AdaBoost as AdaBoost
from assay.learners.ensemble.forest import RandomForest as RandomForest
from assay.learners.ensemble.out_of_bag import OutOfBag as OutOfBag
from assay.learners.stacking.stacking import Stacking as Stacking
from assay.learners.tree.bounds import upper_error as upper_error
from assay.learners.tree.pessimistic import PessimisticTree as PessimisticTree
from assay.learners.tree.pessimistic import prune as prune
from assay.learners.tree.smoothing import smooth as smooth

def names() -> list[str]: ...
