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
        """Recall against the false positive rate.

        Cases with tied scores make one diagonal step.
        """

    def precision_recall(
        self,
        label: Label | None = None,
        *,
        band: str | None = None,
    ) -> Curve:
        """Precision against recall, as a step function without interpolation.

        Its area is the average precision.
        """

    def lift(
        self,
        label: Label | None = None,
    ) -> Curve:
        """Number of positives among the highest scores, by sample size.

        The measure of this name, ``a["lift(depth=0.1)"]``, is a ratio: the share of positives in the first tenth over that
        in a random tenth. `lift_ratio` is its curve.
        """

    def lift_ratio(
        self,
        label: Label | None = None,
    ) -> Curve:
        """Share of positives among the highest scores, relative to all cases.

        It is plotted against the share of cases selected. The measure ``a["lift(depth=0.1)"]`` is its height at 0.1.
        """

    def gain(
        self,
        label: Label | None = None,
        *,
        band: str | None = None,
    ) -> Curve:
        """Share of all positives among the highest scores, by share of cases."""

    def det(
        self,
        label: Label | None = None,
    ) -> Curve:
        """False negative rate against the false positive rate.

        On axes of normal deviates, normally distributed scores give a straight line.
        """

    def ks(
        self,
        label: Label | None = None,
    ) -> Curve:
        """Difference between the true and the false positive rate, by threshold."""

    def densities(
        self,
        label: Label | None = None,
        *,
        bins: int = 40,
    ) -> Curve:
        """Densities of the scores of both classes, in bins of equal width."""

    def calibration(
        self,
        label: Label | None = None,
        *,
        bins: int | None = None,
        strategy: str = "uniform",
        confidence: float = 0.95,
        simultaneous: bool = False,
    ) -> Curve:
        """Share of positives against the mean predicted probability, by bins.

        ``strategy`` is "uniform" for bins of equal width, "quantile" for bins with equal numbers of cases, or "isotonic"
        for an isotonic regression without bins, with a band for such fits if probabilities are correct (Dimitriadis,
        Gneiting and Jordan 2021). By default there are ten bins, and neighbours are joined until each has 20 cases.
        ``simultaneous`` widens the intervals to hold for all bins at once (Bonferroni).
        """

    def cost_curve(
        self,
        label: Label | None = None,
        *,
        points: int = 201,
        at: float | None = None,
    ) -> Curve:
        """Normalised expected cost against the probability cost.

        The probability cost combines the prevalence p with the costs of errors: PC = p C(FN) / (p C(FN) + (1 - p) C(FP))
        (Drummond and Holte 2006). The expected cost at a threshold is FNR x PC + FPR x (1 - PC), a straight line; the curve
        is the lowest of these lines. ``at`` is the probability cost for your own costs.
        """

    def roc_hull(
        self,
        label: Label | None = None,
        *,
        slope: float | None = None,
    ) -> Curve:
        """Convex hull of the ROC curve: thresholds that are optimal for some costs.

        ``slope`` is the slope of the lines of equal cost, (cost of a false positive x share of negatives) / (cost of a
        false negative x share of positives). With it, the line through the best point is added.
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
        """Net benefit against the threshold probability (Vickers and Elkin 2006).

        At the threshold probability p, a false positive costs p / (1 - p) of the benefit of a true positive. ``prior`` is
        the prevalence where the classifier will be used, and ``at`` the threshold probability for your own costs. Where
        no false or no true positive was observed, the band uses Wilson's interval for 0 cases.
        """
