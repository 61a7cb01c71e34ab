"""Findings on how models were trained, tested and chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.advice.declare import advice
from howsure.errors import listing
from howsure.kernels.shell import shell_share

if TYPE_CHECKING:
    from howsure.resampling.index_sets import Splits
    from howsure.tables import Confusion

IN_SAMPLE = "in-sample"
ENOUGH = 10  # cases for each attribute: the lenient reading of an old rule (Jain, Duin and Mao, 2000)
EPSILON = 0.05


@advice("A010", "Leave-one-out against the class sizes")
def leave_one_out(table: Confusion, splits: Splits) -> str | None:
    """Leave-one-out, where the class of the case left out is one short in training.

    Leave-one-out cannot be stratified: the class of the case left out is one short in training. A learner that follows
    class sizes is misled by that. The majority vote of 10 cases against 10 errs on every single one, an error of 100 %
    where half would be right. Take stratified folds, `KFold(10)`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> import howsure
    >>> X, y = load_iris(return_X_y=True)
    >>> e = howsure.Experiment({"majority": DummyClassifier()}, {"iris": (X[:100], y[:100])}, howsure.LeaveOneOut(),
    seed=0) >>> for finding in e.run().findings:
    ...     print(finding)
    A010: leave-one-out cannot be stratified: in training, the class of the case left out is one short, so a
    learner that follows class sizes looks worse than it is (a majority vote of two equal classes errs on every
    case); stratified folds do not have this
    """
    if not splits.is_leave_one_out:
        return None
    sizes = np.sort(table.sums.truth)
    tied = len(sizes) > 1 and sizes[-1] - sizes[-2] <= 1
    below = float(table.sums.hits.sum()) < float(sizes[-1])
    if not tied and not below:
        return None
    return (
        "leave-one-out cannot be stratified: in training, the class of the case left out is one short, so a learner "
        "that follows class sizes looks worse than it is (a majority vote of two equal classes errs on every case); "
        "stratified folds do not have this"
    )


@advice("A011", "Test cases used more than once")
def touched_again(touches: tuple[str, ...]) -> str | None:
    """Test cases that were looked at before.

    The test cases were looked at more than once, by this call of `tune` or by earlier ones in the same folder. As long
    as it was always the same model, no harm is done. Where several were tried, to report the best of them is to choose
    on the test cases: take new cases for the last word.

    Examples
    --------
    >>> from howsure.advice import Evidence, findings
    >>> looks = ("tree(depth=1)", "tree(depth=2)", "tree(depth=1)")
    >>> for finding in findings(Evidence(touches=looks)):
    ...     print(finding)
    A011: the test cases were looked at 3 times, with 2 models (tree(depth=1), tree(depth=2)); to report the
    best of them is to choose on the test cases, and its value is too good: take new cases for the last word
    """
    if len(touches) < 2:
        return None
    models = list(dict.fromkeys(touches))
    times = f"the test cases were looked at {len(touches)} times"
    if len(models) == 1:
        return f"{times}, always with {models[0]}: no harm is done as long as nothing is changed after it"
    return (
        f"{times}, with {len(models)} models ({listing(models)}); to report the best of them is to choose on the "
        "test cases, and its value is too good: take new cases for the last word"
    )


@advice("A012", "Combiner trained on what its parts were trained on")
def combined_in_sample(stacking: str) -> str | None:
    """Stacking whose combiner saw predictions of the base learners on their own training cases.

    The combiner of a stacking learner was trained on predictions that the base learners make for their own training
    cases. On those a learner that has learnt the cases by heart is never wrong, so the combiner trusts it most, and
    most wrongly. Train the combiner on out-of-fold predictions: each case is then predicted by base learners that did
    not see it. That is the default.

    Examples
    --------
    >>> import warnings
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from howsure.learners import Stacking
    >>> X, y = load_iris(return_X_y=True)
    >>> stack = Stacking({"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}, out_of_fold=False)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     _ = stack.fit(X, y)
    >>> for finding in stack.findings_:
    ...     print(finding)
    A012: the combiner was trained on what its base learners predict for their own training cases; that looks
    better than it is, so the combiner trusts most whichever of them overfits most; train it on out-of-fold
    predictions, as is the default
    """
    if stacking != IN_SAMPLE:
        return None
    return (
        "the combiner was trained on what its base learners predict for their own training cases; that looks better "
        "than it is, so the combiner trusts most whichever of them overfits most; train it on out-of-fold "
        "predictions, as is the default"
    )


@advice("A013", "Many attributes for few cases")
def many_attributes(shape: tuple[int, int]) -> str | None:
    """Fewer than ten cases for each attribute.

    There are fewer than ten cases for each attribute, all attributes being numbers. In many dimensions nearly all of a
    ball's volume lies near its surface (`howsure.selection.shell_volume`: within 5 % of the radius 9.8 % of it in 2
    dimensions, 64.2 % in 20, 99.4 % in 100), so cases are far apart, neighbours are not near, and with so much freedom
    some attributes fit by chance. Select or combine attributes, inside each training set and not before; take a simpler
    or more strongly regularised learner; or get more cases.

    Ten is a rule of thumb, no law: Jain, Duin and Mao (2000) ask for it in each class, which is stricter, and linear
    learners with a good penalty (text, genes) do well with far fewer.

    Examples
    --------
    >>> from howsure.advice import Evidence, findings
    >>> for finding in findings(Evidence(shape=(299, 30))):  # cases and attributes
    ...     print(finding)
    A013: 299 cases with 30 attributes are fewer than 10 for each: space is nearly empty (78.5% of a ball of 30
    dimensions lies within 5% of its surface), and what fits by chance is easily found; select or combine
    attributes inside each training set, take a simpler or more strongly regularised learner, or get more cases
    """
    cases, attributes = shape
    if attributes < 1 or cases >= ENOUGH * attributes:
        return None
    return (
        f"{cases} cases with {attributes} attributes are fewer than {ENOUGH} for each: space is nearly empty "
        f"({float(shell_share(attributes, EPSILON)):.1%} of a ball of {attributes} dimensions lies within "
        f"{EPSILON:.0%} of its surface), and what fits by chance is easily found; select or combine attributes inside "
        "each training set, take a simpler or more strongly regularised learner, or get more cases"
    )
