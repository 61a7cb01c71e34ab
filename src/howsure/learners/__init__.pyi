# The public names of this package, for editors and type checkers; written by `make stubs`, do not edit.
from howsure.learners.common.trace import Trace as Trace
from howsure.learners.cost.cost_sensitive import CostSensitive as CostSensitive
from howsure.learners.cost.cost_sensitive import cost_methods as cost_methods
from howsure.learners.declare import declare_learner as declare_learner
from howsure.learners.declare import registry as registry
from howsure.learners.ensemble.bagging import Bagging as Bagging
from howsure.learners.ensemble.boosting import AdaBoost as AdaBoost
from howsure.learners.ensemble.forest import RandomForest as RandomForest
from howsure.learners.ensemble.out_of_bag import OutOfBag as OutOfBag
from howsure.learners.stacking.stacking import Stacking as Stacking
from howsure.learners.tree.bounds import upper_error as upper_error
from howsure.learners.tree.pessimistic import PessimisticTree as PessimisticTree
from howsure.learners.tree.pessimistic import prune as prune
from howsure.learners.tree.smoothing import smooth as smooth

def names() -> list[str]: ...
