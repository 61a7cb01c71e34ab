"""scikit-learn's decision tree with the pessimistic pruning of C4.5 (Quinlan, 1993)."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import assert_all_finite, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from howsure.checks import check_flag
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.learners.common.checks import check_sample_weight
from howsure.learners.common.trace import Trace
from howsure.learners.declare import declare_learner
from howsure.learners.tree.bounds import bound_kernel
from howsure.learners.tree.pruning import NodeCounts, prune_nodes
from howsure.learners.tree.smoothing import check_smoothing, smooth
from howsure.learners.tree.view import TreeView, pruning_trace

OWN = ("confidence", "bound", "smoothing", "m")  # all other parameters are passed to DecisionTreeClassifier


@declare_learner
class PessimisticTree(ClassifierMixin, BaseEstimator):
    """Decision tree with the pessimistic pruning of C4.5.

    For a node with n cases, let e be the bound computed by `howsure.learners.upper_error`. From the bottom up, a
    subtree is replaced by a leaf if n e of that leaf is not larger than the sum of n e over the leaves of the subtree.

    Parameters
    ----------
    confidence
        Probability that the error rate exceeds its upper bound: smaller values prune more. None disables pruning.
    bound
        "c45" (as in the programs C4.5 and Weka), "exact" (binomial), or "wilson", which is lower for pure leaves.
    smoothing
        Smoothing of the probabilities in leaves: None, "laplace" or "m". It does not affect pruning.
    m
        With "m", the weight of the class proportions of the training set, as a number of cases.
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf
        As in ``sklearn.tree.DecisionTreeClassifier``.
    max_features, max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha, random_state
        As in ``sklearn.tree.DecisionTreeClassifier``.

    Attributes
    ----------
    grown_
        The tree before pruning, a ``DecisionTreeClassifier``.
    trace_
        One record per split of this tree: both sides of the comparison, and the decision.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from howsure.learners import PessimisticTree
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = PessimisticTree(confidence=0.1, min_samples_leaf=10, random_state=0).fit(X, y)
    >>> int(tree.grown_.get_n_leaves()), tree.get_n_leaves(), tree.get_depth()
    (11, 5, 3)
    >>> tree.predict(X[:2]).tolist(), tree.apply(X[:2]).tolist(), tree.predict_proba(X[:1]).round(2).tolist()
    ([1, 0], [17, 18], [[0.47, 0.53]])
    >>> print(tree.text())
    x[20] <= 16.795
    |   x[27] <= 0.1358: 1 (333/5)
    |   x[27] > 0.1358
    |   |   x[21] <= 25.67: 1 (19/4)
    |   |   x[21] > 25.67: 0 (27/3)
    x[20] > 16.795
    |   x[1] <= 16.11: 1 (17/8)
    |   x[1] > 16.11: 0 (173/2)
    """

    def __init__(
        self,
        confidence: float | None = 0.25,
        bound: str = "c45",
        smoothing: str | None = None,
        m: float = 2.0,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.confidence = confidence
        self.bound = bound
        self.smoothing = smoothing
        self.m = m
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state

    @shared_texts
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PessimisticTree:
        """Grow and prune the tree.

        Parameters
        ----------
        {X_y}
        sample_weight
            Case weights.
        """
        self._check()
        if y is not None:  # None is rejected by scikit-learn, but several outputs would be accepted
            y = column_or_1d(y, warn=True)
            assert_all_finite(y, input_name="y")
            check_classification_targets(y)
            sample_weight = check_sample_weight(sample_weight, len(y))
        return self._take(self._grower().fit(X, y, sample_weight))

    def _grower(self) -> Any:
        return DecisionTreeClassifier(**{k: v for k, v in self.get_params(deep=False).items() if k not in OWN})

    def _check(self) -> None:
        bound_kernel(0.25 if self.confidence is None else self.confidence, self.bound)  # checks `bound` even if unused
        check_smoothing(self.smoothing, self.m)

    def _take(self, grown: Any) -> PessimisticTree:
        """Prune a grown tree, and set the predictions of its nodes."""
        nodes = NodeCounts.of(grown)
        self.grown_, self.classes_, self.n_features_in_ = grown, grown.classes_, grown.n_features_in_
        if hasattr(grown, "feature_names_in_"):
            self.feature_names_in_ = grown.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # set by a previous fit
        self.nodes_, self.pruning_ = nodes, prune_nodes(nodes, self.confidence, self.bound)
        self._pruned_by = self.confidence, self.bound  # for the trace, even if parameters are changed later
        if self.smoothing is None:
            shares = grown.tree_.value[:, 0, :]  # exactly scikit-learn's numbers
        else:
            shares = smooth(nodes.counts, self.smoothing, self.m, nodes.counts[0] / nodes.counts[0].sum())
        self._grown_answers = shares.argmax(axis=1)
        self._probabilities = shares[self.pruning_.replaced_by]
        self._answers = self._grown_answers[self.pruning_.replaced_by]
        return self

    def _grown_leaf(self, X: Any) -> Any:
        """Return the leaf of each case before pruning."""
        check_is_fitted(self)
        may_miss = get_tags(self.grown_).input_tags.allow_nan and not issparse(X)  # as in scikit-learn
        finite = "allow-nan" if may_miss else True
        X = validate_data(self, X, reset=False, dtype=np.float32, accept_sparse="csr", ensure_all_finite=finite)
        return self.grown_.apply(X, check_input=False)

    def predict(self, X: Any) -> Any:
        """Predict classes.

        Parameters
        ----------
        X
            Features of the cases.
        """
        leaves = self._grown_leaf(X)  # raises NotFittedError if needed
        return self.classes_.take(self._answers.take(leaves))

    def predict_proba(self, X: Any) -> Any:
        """Predict class probabilities.

        Parameters
        ----------
        X
            Features of the cases.
        """
        leaves = self._grown_leaf(X)
        return self._probabilities.take(leaves, axis=0)

    def apply(self, X: Any) -> Any:
        """Return the leaf of each case, as a node number of the grown tree.

        Parameters
        ----------
        X
            Features of the cases.
        """
        leaves = self._grown_leaf(X)
        return self.pruning_.replaced_by[leaves]

    def get_n_leaves(self) -> int:
        """Return the number of leaves after pruning."""
        check_is_fitted(self)
        return len(np.unique(self.pruning_.replaced_by[self.nodes_.is_leaf]))

    def get_depth(self) -> int:
        """Return the depth after pruning; a single leaf has depth 0."""
        check_is_fitted(self)
        return int(self.nodes_.depth[self.pruning_.remaining()].max())

    @property
    def trace_(self) -> Trace:
        """Comparisons of splits with leaves, from the bottom up."""
        check_is_fitted(self)
        return pruning_trace(self)

    def text(self, pruned: bool = True) -> str:
        """Return the tree as rules; leaves show training cases / errors.

        Parameters
        ----------
        pruned
            False for the tree before pruning.
        """
        return self.view(pruned).text()

    def view(self, pruned: bool = True) -> TreeView:
        """Return the nodes of the tree for display.

        Parameters
        ----------
        pruned
            False for the tree before pruning.

        Examples
        --------
        >>> from howsure.learners import PessimisticTree
        >>> tree = PessimisticTree().fit([[0], [1], [2], [3]], ["n", "n", "y", "y"])
        >>> print(tree.view(pruned=False).text())
        x[0] <= 1.5: n (2)
        x[0] > 1.5: y (2)
        """
        check_is_fitted(self)
        return TreeView(self, check_flag("pruned", pruned))

    def plot(self, ax: Any = None, pruned: bool = True, both: bool = False) -> Any:
        """Plot the tree; subtrees that will be pruned are pale.

        Parameters
        ----------
        ax
            Matplotlib axes, two of them if ``both`` is True; by default new ones.
        pruned
            False for the tree before pruning.
        both
            Whether to plot the trees before and after pruning.

        Examples
        --------
        >>> from howsure.learners import PessimisticTree
        >>> from matplotlib.figure import Figure
        >>> tree = PessimisticTree().fit([[0], [1], [2], [3]], ["n", "n", "y", "y"])
        >>> ax = Figure().subplots()
        >>> tree.plot(ax) is ax
        True
        """
        from howsure.present.charts.figure import plot

        return plot(self, ax, pruned=check_flag("pruned", pruned), both=check_flag("both", both))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        grower = get_tags(self._grower())
        tags.input_tags.sparse, tags.input_tags.allow_nan = grower.input_tags.sparse, grower.input_tags.allow_nan
        return tags


def prune(tree: Any, confidence: float | None = 0.25, bound: str = "c45") -> PessimisticTree:
    """Return a pruned copy of a fitted tree.

    Parameters
    ----------
    tree
        A fitted ``DecisionTreeClassifier``, or a ``PessimisticTree``, whose grown tree is pruned again.
    confidence, bound
        As in `PessimisticTree`.

    Returns
    -------
    PessimisticTree
        The fitted tree; ``grown_`` is the tree before pruning.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from howsure.learners import prune
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> grown = DecisionTreeClassifier(min_samples_leaf=10, random_state=0).fit(X, y)
    >>> pruned = prune(grown, confidence=0.1)
    >>> int(grown.get_n_leaves()), pruned.get_n_leaves()
    (11, 5)
    """
    grown = getattr(tree, "grown_", None) if isinstance(tree, PessimisticTree) else tree
    if not isinstance(grown, DecisionTreeClassifier) or not hasattr(grown, "tree_"):
        must("tree", "a fitted DecisionTreeClassifier or PessimisticTree", given=tree)
    if grown.n_outputs_ != 1:
        raise HowsureError(f"`tree` must have one output, not {grown.n_outputs_}; grow one tree per output.")
    if grown.monotonic_cst is not None:
        raise HowsureError("`tree` must be grown without `monotonic_cst`, since its nodes must store class counts.")
    names = PessimisticTree().get_params()
    settings = {name: value for name, value in tree.get_params(deep=False).items() if name in names}
    pruned = PessimisticTree(**(settings | {"confidence": confidence, "bound": bound}))
    pruned._check()
    return pruned._take(copy(grown))  # refitting the original must not change the copy
