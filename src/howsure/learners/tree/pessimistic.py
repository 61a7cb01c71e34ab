"""A decision tree with the pessimistic pruning of C4.5, on scikit-learn's own tree."""

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

from howsure.checks import flag
from howsure.docstrings import shared_texts
from howsure.errors import HowsureError, must
from howsure.learners.common.checks import check_sample_weight
from howsure.learners.common.trace import Trace
from howsure.learners.declare import declare_learner
from howsure.learners.tree.bounds import bound_kernel
from howsure.learners.tree.pruning import NodeCounts, prune_nodes
from howsure.learners.tree.smoothing import check_smoothing, smooth
from howsure.learners.tree.view import TreeView, pruning_trace

OWN = ("confidence", "bound", "smoothing", "m")  # the other parameters are those of the tree that is grown


@declare_learner
class PessimisticTree(ClassifierMixin, BaseEstimator):
    """Grow a tree, then replace each subtree by a leaf that is no worse by an upper bound of the error.

    A node with n cases has the upper error rate e (``howsure.learners.upper_error``). From the bottom up, a subtree
    becomes a leaf where n e is not larger than the sum of n e over its leaves.

    Parameters
    ----------
    confidence
        Probability left above the bound: smaller prunes more. ``None`` grows without pruning.
    bound
        ``"c45"`` (as the programs C4.5 and Weka), ``"exact"`` (binomial) or ``"wilson"``, which forgives pure leaves.
    smoothing
        Of the probabilities in the leaves: ``None``, ``"laplace"`` or ``"m"``. It changes no pruning.
    m
        Cases that the training shares of the classes are worth, for ``smoothing="m"``.
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf
        Of ``sklearn.tree.DecisionTreeClassifier``, which grows the tree.
    max_features, max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha, random_state
        The same.

    Attributes
    ----------
    grown_
        The tree before pruning, as scikit-learn grew it.
    trace_
        A record for each split of the grown tree: what it was compared with, and the decision.

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
        """Grow a tree, and prune it.

        Parameters
        ----------
        {X_y}
        sample_weight
            How often a case counts.
        """
        self._check()
        if y is not None:  # scikit-learn's tree refuses None in its own words, and would take several outputs
            y = column_or_1d(y, warn=True)
            assert_all_finite(y, input_name="y")
            check_classification_targets(y)
            sample_weight = check_sample_weight(sample_weight, len(y))
        return self._take(self._grower().fit(X, y, sample_weight))

    def _grower(self) -> Any:
        return DecisionTreeClassifier(**{k: v for k, v in self.get_params(deep=False).items() if k not in OWN})

    def _check(self) -> None:
        # A wrong bound is refused also where nothing is pruned by it.
        bound_kernel(0.25 if self.confidence is None else self.confidence, self.bound)
        check_smoothing(self.smoothing, self.m)

    def _take(self, grown: Any) -> PessimisticTree:
        """Prune a grown tree, and set what each node predicts."""
        nodes = NodeCounts.of(grown)
        self.grown_, self.classes_, self.n_features_in_ = grown, grown.classes_, grown.n_features_in_
        if hasattr(grown, "feature_names_in_"):
            self.feature_names_in_ = grown.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of an earlier fit
        self.nodes_, self.pruning_ = nodes, prune_nodes(nodes, self.confidence, self.bound)
        self._pruned_by = self.confidence, self.bound  # for the trace, whatever is set later
        if self.smoothing is None:
            shares = grown.tree_.value[:, 0, :]  # scikit-learn's own numbers to the last bit
        else:
            shares = smooth(nodes.counts, self.smoothing, self.m, nodes.counts[0] / nodes.counts[0].sum())
        self._grown_answers = shares.argmax(axis=1)
        self._probabilities = shares[self.pruning_.replaced_by]
        self._answers = self._grown_answers[self.pruning_.replaced_by]
        return self

    def _grown_leaf(self, X: Any) -> Any:
        """Give the leaf of the grown tree that each case falls to, before pruning."""
        check_is_fitted(self)
        may_miss = get_tags(self.grown_).input_tags.allow_nan and not issparse(X)  # as scikit-learn's tree has it
        finite = "allow-nan" if may_miss else True
        X = validate_data(self, X, reset=False, dtype=np.float32, accept_sparse="csr", ensure_all_finite=finite)
        return self.grown_.apply(X, check_input=False)

    def predict(self, X: Any) -> Any:
        """Give the class of each case.

        Parameters
        ----------
        X
            The features of each case.
        """
        leaves = self._grown_leaf(X)  # first: an unfitted tree has no classes
        return self.classes_.take(self._answers.take(leaves))

    def predict_proba(self, X: Any) -> Any:
        """Give the probabilities of the classes, smoothed as asked for.

        Parameters
        ----------
        X
            The features of each case.
        """
        leaves = self._grown_leaf(X)
        return self._probabilities.take(leaves, axis=0)

    def apply(self, X: Any) -> Any:
        """Give the leaf each case falls to, by its number in the grown tree.

        Parameters
        ----------
        X
            The features of each case.
        """
        leaves = self._grown_leaf(X)
        return self.pruning_.replaced_by[leaves]

    def get_n_leaves(self) -> int:
        """Count the leaves that are left."""
        check_is_fitted(self)
        return len(np.unique(self.pruning_.replaced_by[self.nodes_.is_leaf]))

    def get_depth(self) -> int:
        """Give the depth that is left; a single leaf has depth 0."""
        check_is_fitted(self)
        return int(self.nodes_.depth[self.pruning_.remaining()].max())

    @property
    def trace_(self) -> Trace:
        """Every comparison, bottom-up: both sides, and the decision."""
        check_is_fitted(self)
        return pruning_trace(self)

    def text(self, pruned: bool = True) -> str:
        """Write the tree as rules; in brackets the training cases of a leaf and, after a stroke, its errors.

        Parameters
        ----------
        pruned
            False for the tree before pruning.
        """
        return self.view(pruned).text()

    def view(self, pruned: bool = True) -> TreeView:
        """Give the tree after pruning, or before it, as it is written and drawn.

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
        return TreeView(self, flag("pruned", pruned))

    def plot(self, ax: Any = None, pruned: bool = True, both: bool = False) -> Any:
        """Draw the tree after pruning, or before it with what pruning removed in pale; give the axes.

        With ``both``, draw both trees, side by side or one above the other; ``ax`` and the result are then two axes.

        Parameters
        ----------
        ax
            Matplotlib axes to draw in, two with ``both``; default: new ones.
        pruned
            False for the tree before pruning.
        both
            Draw both trees.

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

        return plot(self, ax, pruned=flag("pruned", pruned), both=flag("both", both))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        grower = get_tags(self._grower())
        tags.input_tags.sparse, tags.input_tags.allow_nan = grower.input_tags.sparse, grower.input_tags.allow_nan
        return tags


def prune(tree: Any, confidence: float | None = 0.25, bound: str = "c45") -> PessimisticTree:
    """Give a pruned copy of a fitted tree, which stays as it is.

    Parameters
    ----------
    tree
        A fitted ``DecisionTreeClassifier``, or a ``PessimisticTree``, of which the grown tree is pruned anew.
    confidence, bound
        As for ``PessimisticTree``.

    Returns
    -------
    PessimisticTree
        Fitted, with the tree as it was in ``grown_``.

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
        raise HowsureError(f"`tree` must have one output, not {grown.n_outputs_}; grow a tree for each.")
    if grown.monotonic_cst is not None:
        raise HowsureError("`tree` must be grown without `monotonic_cst`, which keeps other numbers than counts in it.")
    names = PessimisticTree().get_params()
    settings = {name: value for name, value in tree.get_params(deep=False).items() if name in names}
    pruned = PessimisticTree(**(settings | {"confidence": confidence, "bound": bound}))
    pruned._check()
    return pruned._take(copy(grown))  # a copy, so that fitting the first tree again does not reach this one
