"""The methods of an assessment for editors and type checkers; written by ``make stubs``, do not edit."""

# ruff: noqa: E501, PYI021 (a docstring is what editors show)
import inspect

from howsure.curves import Curve, DeclaredCurve
from howsure.data.encode import Label

def signature(declared: DeclaredCurve) -> inspect.Signature: ...

class CurveMethods:
    def roc(
        self,
        label: Label | None = None,
        *,
        band: str | None = None,
    ) -> Curve:
        """Recall against the false positive rate; cases with equal scores make one step, straight across."""

    def precision_recall(
        self,
        label: Label | None = None,
        *,
        band: str | None = None,
    ) -> Curve:
        """Precision against recall, a step function: between two thresholds nothing is interpolated.

        Its area is the average precision.
        """

    def lift(
        self,
        label: Label | None = None,
    ) -> Curve:
        """Positives found in the sample of highest scores against its size, in counts.

        The measure of this name, ``a["lift(depth=0.1)"]``, is a ratio: how many times more positives the first tenth has
        than a random tenth. `lift_ratio` is its curve.
        """

    def lift_ratio(
        self,
        label: Label | None = None,
    ) -> Curve:
        """How many times more positives the sample of highest scores has than a random one, against its share of all cases.

        The measure ``a["lift(depth=0.1)"]`` is its height at 0.1.
        """

    def gain(
        self,
        label: Label | None = None,
        *,
        band: str | None = None,
    ) -> Curve:
        """Share of all positives found against the share of cases looked at."""

    def det(
        self,
        label: Label | None = None,
    ) -> Curve:
        """False negative rate against the false positive rate."""

    def ks(
        self,
        label: Label | None = None,
    ) -> Curve:
        """Distance between the shares of positives and negatives at or above a threshold, against the threshold."""

    def densities(
        self,
        label: Label | None = None,
        *,
        bins: int = 40,
    ) -> Curve:
        """Densities of the scores of either class, over bins of equal width."""

    def calibration(
        self,
        label: Label | None = None,
        *,
        bins: int | None = None,
        strategy: str = "uniform",
        confidence: float = 0.95,
        simultaneous: bool = False,
    ) -> Curve:
        """Share of positives against the mean probability, by bins, with Wilson's interval of each.

        ``strategy`` is "uniform", bins of equal width, "quantile", bins of equally many cases, or "isotonic", no bins: the
        rising line that fits best, with the band in which such lines lie if the probabilities are right (Dimitriadis,
        Gneiting and Jordan 2021). Without ``bins`` there are ten, of which
        neighbours are joined until each holds 20 cases. ``simultaneous`` widens the intervals so that they hold for all
        bins at once (Bonferroni).
        """

    def cost_curve(
        self,
        label: Label | None = None,
        *,
        points: int = 201,
        at: float | None = None,
    ) -> Curve:
        """Normalised expected cost against the probability cost (Drummond and Holte 2006).

        The probability cost combines the share of positives with the costs: share x cost of a miss, over that plus
        (1 - share) x cost of a false alarm. Each threshold is a straight line; the curve is the lowest of them. ``at`` is
        the probability cost that one's own costs give.
        """

    def roc_hull(
        self,
        label: Label | None = None,
        *,
        slope: float | None = None,
    ) -> Curve:
        """Convex hull of the ROC curve: the only thresholds that are best for some costs and class shares.

        ``slope`` is that of the lines of equal cost, (cost of a false positive x share of negatives) / (cost of a false
        negative x share of positives); the line through the best point is then added.
        """

    def decision_curve(
        self,
        label: Label | None = None,
        *,
        band: str | None = None,
        points: int = 99,
        prior: float | None = None,
        at: float | None = None,
    ) -> Curve:
        """Net benefit of acting on the score against the threshold probability (Vickers and Elkin 2006).

        A threshold probability of p says that a false alarm weighs p / (1 - p) of a hit. ``prior`` is the share of
        positives where the classifier is to be used, ``at`` the threshold probability that one's own costs give. Its band
        has width also where no false alarm or no hit was seen, by Wilson's interval of 0 cases.
        """
