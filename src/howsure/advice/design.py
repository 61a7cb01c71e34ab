"""Findings about how models were trained, tested and chosen."""

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
ENOUGH = 10  # number of cases per attribute, a lenient reading of a rule of thumb (Jain, Duin and Mao 2000)
SHELL = 0.05  # depth below the surface of a ball, relative to its radius


@advice("A010", "Leave-one-out and the class sizes")
def leave_one_out(table: Confusion, splits: Splits) -> str | None:
    """Leave-one-out with a learner that depends on the class sizes.

    Leave-one-out cannot be stratified: in training, the class of the left-out case has one case fewer. This misleads a
    learner that depends on class sizes. With 10 cases in each of two classes, a majority vote is wrong on every case:
    an error rate of 100 % instead of 50 %. Use stratified folds, `KFold(10)`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> import howsure
    >>> X, y = load_iris(return_X_y=True)
    >>> data = {"iris": (X[:100], y[:100])}
    >>> e = howsure.Experiment({"majority": DummyClassifier()}, data, howsure.LeaveOneOut(), seed=0)
    >>> for finding in e.run().findings:
    ...     print(finding)
    A010: leave-one-out cannot be stratified: in training, the class of the left-out case has one case fewer, so
    a learner that depends on class sizes looks worse than it is (a majority vote between two classes of equal
    size is wrong on every case); use stratified folds
    """
    if not splits.is_leave_one_out:
        return None
    sizes = np.sort(table.sums.truth)
    tied = len(sizes) > 1 and sizes[-1] - sizes[-2] <= 1
    below = float(table.sums.hits.sum()) < float(sizes[-1])
    if not tied and not below:
        return None
    return (
        "leave-one-out cannot be stratified: in training, the class of the left-out case has one case fewer, so a "
        "learner that depends on class sizes looks worse than it is (a majority vote between two classes of equal size "
        "is wrong on every case); use stratified folds"
    )


@advice("A011", "Test cases used more than once")
def touched_again(touches: tuple[str, ...]) -> str | None:
    """Test cases that were used before.

    The test cases were used more than once, in this call of `tune` or in earlier ones in the same folder. This is
    harmless if it was always the same model. If several models were tried, reporting the best of them selects on the
    test cases, so its value is optimistic: use new cases for the final estimate.

    Examples
    --------
    >>> from howsure.advice import Evidence, findings
    >>> looks = ("tree(depth=1)", "tree(depth=2)", "tree(depth=1)")
    >>> for finding in findings(Evidence(touches=looks)):
    ...     print(finding)
    A011: the test cases were used 3 times, with 2 models (tree(depth=1), tree(depth=2)); reporting the best of
    them selects on the test cases, so its value is optimistic: use new cases for the final estimate
    """
    if len(touches) < 2:
        return None
    models = list(dict.fromkeys(touches))
    times = f"the test cases were used {len(touches)} times"
    if len(models) == 1:
        return f"{times}, always with {models[0]}: this is harmless if nothing is changed afterwards"
    return (
        f"{times}, with {len(models)} models ({listing(models)}); reporting the best of them selects on the test "
        "cases, so its value is optimistic: use new cases for the final estimate"
    )


@advice("A012", "Combiner trained on in-sample predictions")
def combined_in_sample(stacking: str) -> str | None:
    """Stacking with a combiner trained on in-sample predictions.

    The combiner of a stacking learner was trained on the predictions of the base learners for their own training cases.
    On these, a base learner that memorises the cases is never wrong, so the combiner puts the most trust in the learner
    that overfits most. Train the combiner on out-of-fold predictions, which come from base learners that did not see
    the case. This is the default.

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
    A012: the combiner was trained on the predictions of the base learners for their own training cases; these
    look better than they are, so the combiner gives the most weight to the learner that overfits most; train it on
    out-of-fold predictions, the default
    """
    if stacking != IN_SAMPLE:
        return None
    return (
        "the combiner was trained on the predictions of the base learners for their own training cases; these look "
        "better than they are, so the combiner gives the most weight to the learner that overfits most; train it on "
        "out-of-fold predictions, the default"
    )


@advice("A013", "Many attributes for few cases")
def many_attributes(shape: tuple[int, int]) -> str | None:
    """Fewer than ten cases per attribute.

    All attributes are numbers, and there are fewer than ten cases per attribute. In many dimensions, nearly all of a
    ball's volume lies near its surface (`howsure.selection.shell_volume`: 9.8 % of it within 5 % of the radius in 2
    dimensions, 64.2 % in 20, 99.4 % in 100), so cases are far apart, nearest neighbours are not near, and some
    attributes fit by chance. Select or combine attributes inside each training set, not before; use a simpler or more
    strongly regularised learner; or get more cases.

    Ten is a rule of thumb: Jain, Duin and Mao (2000) recommend ten cases per attribute in each class, which is
    stricter, while regularised linear learners (for text or gene data) do well with far fewer.

    Examples
    --------
    >>> from howsure.advice import Evidence, findings
    >>> for finding in findings(Evidence(shape=(299, 30))):  # cases and attributes
    ...     print(finding)
    A013: 299 cases with 30 attributes are fewer than 10 cases per attribute: the space is nearly empty (78.5 %
    of a ball of 30 dimensions lies within 5 % of its surface), and attributes that fit by chance are easily
    found; select or combine attributes inside each training set, use a simpler or more strongly regularised
    learner, or get more cases
    """
    cases, attributes = shape
    if attributes < 1 or cases >= ENOUGH * attributes:
        return None
    return (
        f"{cases} cases with {attributes} attributes are fewer than {ENOUGH} cases per attribute: the space is nearly "
        f"empty ({100 * float(shell_share(attributes, SHELL)):.1f} % of a ball of {attributes} dimensions lies within "
        f"{100 * SHELL:.0f} % of its surface), and attributes that fit by chance are easily found; select or combine "
        "attributes inside each training set, use a simpler or more strongly regularised learner, or get more cases"
    )
