"""Write docs/reference/terms.md: the terms of books and other programs, what each is here, and a call that gives it.

What is declared in the registries is read off them: names, aliases, summaries, formulas. What they cannot know, the
words of textbooks and the names in other programs, stands in the tables below, once. A target is a kind and a name,
"measure:recall" or "test:mcnemar"; "python:" is a public name of the package, "page:" a page of the site. Every example
is run by tests/surfaces/test_terms.py, after `SETUP`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from assay import advice, curves, intervals, learners, measures, resampling, significance
from assay.advice.declare import Advice
from assay.intervals.declare import registry as interval_registry
from assay.measures.outcomes import registry as outcomes
from assay.raters.coefficients import registry as coefficients
from assay.registry import Registry, canonical

HEAD = """# Terms

The words of textbooks and of other programs, what each is here, and a call that gives it. Names in brackets work with
spaces, hyphens or underscores: `a["hit rate"]` is `a["hit_rate"]`. The examples use what this makes:

```python
{setup}```

SciPy and statsmodels are named where scikit-learn has no such thing. More on their calls:
[scikit-learn](../coming-from/scikit-learn.md), [Weka](../coming-from/weka.md), [R](../coming-from/proc.md).

"""
COLUMNS = "| term | here | example | scikit-learn | Weka | R |\n|---|---|---|---|---|---|\n"
SETUP = """\
import numpy as np
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import assay

truth = ["ill", "ill", "well", "ill", "well", "ill", "well", "well", "ill", "well"] * 6
scores = np.array([0.95, 0.9, 0.8, 0.75, 0.6, 0.55, 0.4, 0.3, 0.2, 0.1] * 6)
predicted, other = np.where(scores >= 0.5, "ill", "well"), np.where(scores >= 0.7, "ill", "well")
patient = np.repeat(range(20), 3)
costs = assay.Costs(false_negative=5, false_positive=1)
a = assay.assess(truth, scores=scores, positive="ill", costs=costs)
c = assay.compare(truth, {"one": predicted, "other": other})

X, y = load_iris(return_X_y=True)
X, y = X[::2], y[::2]
bayes, tree = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
many = assay.assess(bayes.fit(X[::2], y[::2]), X[1::2], y[1::2])  # three classes
data = {"iris": (X, y), "noisy": (X + np.random.default_rng(0).normal(size=X.shape), y)}
r = assay.Experiment({"tree": tree, "bayes": bayes}, data, assay.KFold(3, repeats=2), seed=0).run()

A, B = [0.90, 0.88, 0.93, 0.91, 0.89, 0.92], [0.87, 0.88, 0.91, 0.90, 0.86, 0.90]  # accuracies in six folds
halves = [(0.02, 0.01), (-0.01, 0.03), (0.0, 0.02), (0.03, 0.01), (0.01, -0.02)]  # differences in 5 x 2 folds
table = {"tree": A, "bayes": B, "nearest": [0.85, 0.86, 0.90, 0.88, 0.85, 0.89]}
right = {"tree": [1, 1, 0, 1, 1, 0, 1, 1], "bayes": [1, 0, 0, 1, 0, 0, 1, 1], "nearest": [1, 0, 0, 1, 0, 0, 0, 1]}
answers = assay.assess(correct=[1, 0, 1, 1, 0, 0, 1, 1], case=[1, 1, 2, 2, 3, 3, 4, 4])
ratings = [[1, 1], [2, 2], [1, 2], [3, 3], [2, 2], [1, 1], [3, 2], [3, 3]] * 4
g, ordered = assay.agreement(ratings), assay.agreement(ratings, level="ordinal")
judged = assay.assess(truth[:40] + [None] * 20, judge=predicted)
"""

REGISTRIES: dict[str, Registry[Any]] = {
    "measure": measures.registry,
    "outcome": outcomes,
    "curve": curves.registry,
    "test": significance.registry,
    "interval": interval_registry,
    "scheme": resampling.registry,
    "learner": learners.registry,
    "coefficient": coefficients,
    "advice": advice.registry,
}
FOLDERS = {"measure": "measures", "curve": "curves", "test": "tests", "interval": "intervals", "advice": "advice"}


class Elsewhere(NamedTuple):
    """What other programs call it; nothing where they have no such thing or no name for it."""

    sklearn: str = ""
    weka: str = ""
    r: str = ""


@dataclass(frozen=True)
class Term:
    """A term, what it is here, and what leads there: of a term that is an alias, the text says of what."""

    name: str
    target: str
    text: str
    example: str = ""
    elsewhere: Elsewhere = Elsewhere()


def term(name: str, target: str, text: str, example: str = "", sklearn: str = "", weka: str = "", r: str = "") -> Term:
    return Term(name, target, text, example, Elsewhere(sklearn, weka, r))


# What other programs call that which a registry declares.
ELSEWHERE: dict[str, Elsewhere] = {
    "measure:accuracy": Elsewhere("accuracy_score", "Correctly Classified Instances", "caret Accuracy"),
    "measure:error_rate": Elsewhere("zero_one_loss", "Incorrectly Classified Instances"),
    "measure:balanced_accuracy": Elsewhere(
        "balanced_accuracy_score", "", "caret Balanced Accuracy, yardstick bal_accuracy (the same for two classes only)"
    ),
    "measure:kappa": Elsewhere("cohen_kappa_score", "Kappa statistic", "caret Kappa, yardstick kap"),
    "measure:weighted_kappa": Elsewhere("cohen_kappa_score(weights=)", "", "vcd Kappa, yardstick kap(weighting =)"),
    "measure:mcc": Elsewhere("matthews_corrcoef", "MCC (of each class)", "yardstick mcc"),
    "measure:majority_baseline": Elsewhere("DummyClassifier", "ZeroR", "caret No Information Rate"),
    "measure:precision": Elsewhere("precision_score", "Precision", "caret Pos Pred Value, yardstick ppv"),
    "measure:recall": Elsewhere("recall_score", "TP Rate, Recall", "caret Sensitivity, yardstick sens"),
    "measure:specificity": Elsewhere(
        "recall_score of the other class", "TP Rate of the other class", "caret Specificity, yardstick spec"
    ),
    "measure:negative_predictive_value": Elsewhere("", "", "caret Neg Pred Value, yardstick npv"),
    "measure:false_positive_rate": Elsewhere("fpr of roc_curve", "FP Rate", "pROC coords(ret = 'fpr')"),
    "measure:false_negative_rate": Elsewhere("fnr of det_curve", "", "pROC coords(ret = 'fnr')"),
    "measure:false_discovery_rate": Elsewhere("", "Fallout (of a threshold curve)", "pROC coords(ret = 'fdr')"),
    "measure:f1": Elsewhere("f1_score", "F-Measure", "caret F1, yardstick f_meas"),
    "measure:f_beta": Elsewhere("fbeta_score", "", "yardstick f_meas(beta =)"),
    "measure:jaccard": Elsewhere("jaccard_score"),
    "measure:prevalence": Elsewhere("", "", "caret Prevalence"),
    "measure:predicted_prevalence": Elsewhere("", "", "caret Detection Prevalence, yardstick detection_prevalence"),
    "measure:informedness": Elsewhere("", "", "yardstick j_index, pROC youden (which leaves out the - 1)"),
    "measure:positive_likelihood_ratio": Elsewhere("class_likelihood_ratios"),
    "measure:negative_likelihood_ratio": Elsewhere("class_likelihood_ratios"),
    "measure:mean_cost": Elsewhere("", "Average Cost", "yardstick classification_cost"),
    "measure:total_cost": Elsewhere("", "Total Cost"),
    "measure:auc": Elsewhere("roc_auc_score", "ROC Area", "pROC auc, yardstick roc_auc"),
    "measure:average_precision": Elsewhere("average_precision_score", "PRC Area", "yardstick average_precision"),
    "measure:partial_auc": Elsewhere("roc_auc_score(max_fpr=)", "", "pROC auc(partial.auc =)"),
    "measure:auc_hand_till": Elsewhere(
        "roc_auc_score(multi_class='ovo')", "", "pROC multiclass.roc, yardstick roc_auc(estimator = 'hand_till')"
    ),
    "measure:brier": Elsewhere("brier_score_loss", "", "yardstick brier_class"),
    "measure:log_loss": Elsewhere("log_loss", "", "yardstick mn_log_loss"),
    "measure:mean_absolute_error": Elsewhere("", "Mean absolute error"),
    "measure:root_mean_squared_error": Elsewhere("", "Root mean squared error"),
    "measure:relative_absolute_error": Elsewhere("", "Relative absolute error"),
    "measure:root_relative_squared_error": Elsewhere("", "Root relative squared error"),
    "measure:top_k_accuracy": Elsewhere("top_k_accuracy_score"),
    "curve:roc": Elsewhere("roc_curve, RocCurveDisplay", "Visualize threshold curve", "pROC roc, yardstick roc_curve"),
    "curve:precision_recall": Elsewhere("precision_recall_curve", "Visualize threshold curve", "yardstick pr_curve"),
    "curve:gain": Elsewhere("", "", "caret lift, yardstick gain_curve"),
    "curve:lift_ratio": Elsewhere("", "", "yardstick lift_curve"),
    "curve:det": Elsewhere("det_curve, DetCurveDisplay"),
    "curve:calibration": Elsewhere("calibration_curve, CalibrationDisplay", "", "caret calibration"),
    "curve:cost_curve": Elsewhere("", "Visualize cost curve"),
    "curve:decision_curve": Elsewhere("", "", "dcurves dca"),
    "test:mcnemar": Elsewhere("statsmodels mcnemar", "", "mcnemar.test"),
    "test:binomial_test": Elsewhere("SciPy binomtest", "", "binom.test"),
    "test:t_test": Elsewhere("SciPy ttest_1samp", "", "t.test"),
    "test:paired_t": Elsewhere("SciPy ttest_rel", "Paired T-Tester", "t.test(paired = TRUE)"),
    "test:corrected_paired_t": Elsewhere("", "Paired T-Tester (corrected)"),
    "test:sign_test": Elsewhere("statsmodels sign_test", "", "DescTools SignTest"),
    "test:wilcoxon": Elsewhere("SciPy wilcoxon", "", "wilcox.test(paired = TRUE)"),
    "test:permutation": Elsewhere("SciPy permutation_test"),
    "test:delong": Elsewhere("", "", "pROC roc.test"),
    "test:delong_unpaired": Elsewhere("", "", "pROC roc.test(paired = FALSE)"),
    "test:anova": Elsewhere("SciPy f_oneway", "", "aov"),
    "test:repeated_anova": Elsewhere("statsmodels AnovaRM", "", "aov(... + Error(...))"),
    "test:cochran_q": Elsewhere("statsmodels cochrans_q", "", "DescTools CochranQTest"),
    "test:kruskal_wallis": Elsewhere("SciPy kruskal", "", "kruskal.test"),
    "test:friedman": Elsewhere("SciPy friedmanchisquare", "", "friedman.test"),
    "test:iman_davenport": Elsewhere("", "", "scmamp imanDavenportTest"),
    "test:quade": Elsewhere("", "", "quade.test"),
    "test:tukey": Elsewhere("SciPy tukey_hsd", "", "TukeyHSD"),
    "test:newman_keuls": Elsewhere("", "", "agricolae SNK.test"),
    "test:dunnett": Elsewhere("SciPy dunnett", "", "DescTools DunnettTest"),
    "test:nemenyi": Elsewhere("", "", "PMCMRplus frdAllPairsNemenyiTest"),
    "interval:wilson": Elsewhere("statsmodels proportion_confint('wilson')", "", "prop.test(correct = FALSE)"),
    "interval:clopper-pearson": Elsewhere("statsmodels proportion_confint('beta')", "", "binom.test, caret"),
    "interval:wald": Elsewhere("statsmodels proportion_confint('normal')", "", "binom binom.asymp"),
    "interval:agresti-coull": Elsewhere("statsmodels proportion_confint('agresti_coull')", "", "binom binom.agresti.coull"),
    "interval:jeffreys": Elsewhere("statsmodels proportion_confint('jeffreys')", "", "DescTools BinomCI"),
    "interval:delong": Elsewhere("", "", "pROC ci.auc"),
    "interval:bootstrap": Elsewhere("SciPy bootstrap(method='percentile')", "", "boot boot.ci(type = 'perc')"),
    "interval:basic": Elsewhere("SciPy bootstrap(method='basic')", "", "boot boot.ci(type = 'basic')"),
    "interval:bca": Elsewhere("SciPy bootstrap", "", "boot boot.ci(type = 'bca')"),
    "scheme:KFold": Elsewhere(
        "StratifiedKFold, RepeatedStratifiedKFold", "Cross-validation", "caret createFolds, createMultiFolds"
    ),
    "scheme:Holdout": Elsewhere("train_test_split", "Percentage split", "caret createDataPartition"),
    "scheme:RepeatedHoldout": Elsewhere("StratifiedShuffleSplit", "", "caret method = 'LGOCV'"),
    "scheme:LeaveOneOut": Elsewhere("LeaveOneOut, LeaveOneGroupOut", "Cross-validation, folds = instances", "caret 'LOOCV'"),
    "scheme:Bootstrap": Elsewhere("", "", "caret createResample"),
    "scheme:Resubstitution": Elsewhere("", "Use training set"),
    "scheme:TimeOrder": Elsewhere("TimeSeriesSplit", "", "caret createTimeSlices"),
    "scheme:FiveByTwo": Elsewhere("RepeatedStratifiedKFold(n_splits=2, n_repeats=5)"),
    "learner:Bagging": Elsewhere("BaggingClassifier", "Bagging", "ipred bagging"),
    "learner:RandomForest": Elsewhere("RandomForestClassifier", "RandomForest", "randomForest"),
    "learner:AdaBoost": Elsewhere("AdaBoostClassifier", "AdaBoostM1", "adabag boosting"),
    "learner:Stacking": Elsewhere("StackingClassifier", "Stacking", "caretEnsemble caretStack"),
    "learner:PessimisticTree": Elsewhere("", "J48", "RWeka J48"),
    "learner:CostSensitive": Elsewhere("class_weight, TunedThresholdClassifierCV", "CostSensitiveClassifier, MetaCost"),
    "coefficient:fleiss_kappa": Elsewhere("statsmodels fleiss_kappa", "", "irr kappam.fleiss"),
    "coefficient:krippendorff_alpha": Elsewhere("", "", "irr kripp.alpha"),
    "coefficient:gwet_ac1": Elsewhere("", "", "irrCAC gwet.ac1.raw"),
    "coefficient:brennan_prediger": Elsewhere("", "", "irrCAC bp.coeff.raw"),
}  # fmt: skip

# What a measure is asked for with, where it has parameters that only the user can give; and what it is asked of.
PARAMETERS = {
    "measure:f_beta": "(beta=2)",
    "measure:top_k_accuracy": "(k=2)",
    "outcome:pass_at": "(k=2)",
    "outcome:pass_all": "(k=2)",
    "outcome:majority": "(k=1)",
}
ORDERED = {"coefficient:gwet_ac2"}  # has no value where categories have no order

# An estimate that offers what an interval method needs, by that need.
OFFERED = {
    "ratio": 'a["accuracy"]',
    "counts": 'a["f1"]',
    "odds": 'a["diagnostic_odds_ratio"]',
    "baselines": 'a["improvement"]',
    "error": 'a["f1"]',
    "smoothed": 'a["brier"]',
    "relative loss": 'a["relative_absolute_error"]',
    "distance": 'a["ks_distance"]',
    "crossing": 'a["equal_error_rate"]',
    "top share": 'a["lift(depth=0.2)"]',
    "partial area": 'a["partial_auc(high=0.5)"]',
    "precision": 'a["average_precision"]',
    "gaps": 'a["expected_calibration_error"]',
    "bins": 'a["maximum_calibration_error"]',
    "judged": 'judged["rate"]',
    "misjudged": "assay.judges.rogan_gladen(300, 1000, sensitivity=(45, 50), specificity=(90, 100))",
    "paired error": 'assay.compare(truth, {"one": predicted, "other": other}, measure="f1").difference',
    "placements": 'a["auc"]',
    "class intervals": 'many.estimate("recall", average="macro")',
    "areas": 'many["auc"]',
    "ranks": 'a["auc"]',
    "replicates": 'a["f1"]',
    "acceleration": 'a["f1"]',
    "strata": 'a["auc"]',
    "values": 'r.estimate("accuracy", "tree", "iris")',
    "repeats": 'r.estimate("accuracy", "tree", "iris")',
    "nested-cv": "assay.resampling.nested_cv_error(bayes, X, y, folds=3, repeats=1)",
    "conservative-z": "assay.resampling.conservative_z_error(bayes, X, y, splits=2, halvings=2)",
}
# Methods of what is not an estimate of one of these: the function itself.
INTERVAL_EXAMPLES = {
    "cv-clt": "assay.intervals.cross_validated_mean([0, 1, 0, 0, 1, 0], [1, 1, 2, 2, 3, 3])",
    "hodges-lehmann": "assay.intervals.hodges_lehmann(np.subtract(A, B))",
    "5x2-f": "assay.Experiment({'tree': tree, 'bayes': bayes}, {'iris': (X, y)}, assay.FiveByTwo()).run().compare().difference",
    "tango": "assay.intervals.tango(12, 5, 100)",
}  # fmt: skip
TEST_EXAMPLES = {
    "mcnemar": "mcnemar(25, 15)",
    "clustered_mcnemar": "clustered_mcnemar([1, 0, 2, 1], [0, 1, 0, 0], [5, 5, 5, 5])",
    "bayesian_proportions": "bayesian_proportions(25, 15, 200)",
    "bayesian_normal": "bayesian_normal(0.03, 0.01)",
    "bayesian_correlated_t": "bayesian_correlated_t(A, B, rho=1 / 6, rope=0.01)",
    "bayesian_hierarchical": "bayesian_hierarchical([np.subtract(A, B)] * 3, rho=1 / 6, rope=0.01, replicates=400)",
    "bayesian_sign": "bayesian_sign(A, B, rope=0.01)",
    "bayesian_signed_rank": "bayesian_signed_rank(A, B, rope=0.01)",
    "clustered_wald": "clustered_wald(right, cluster=[1, 1, 2, 2, 3, 3, 4, 4])",
    "cochran_q": "cochran_q(right)",
    "z_test": "z_test(A, 0.9, sigma=0.02)",
    "t_test": "t_test(A, 0.9)",
    "binomial_test": 'binomial_test(20, 100, 0.25, "less")',
    "normal_test": 'normal_test(20, 100, 0.25, "less")',
    "dunnett": 'dunnett(table, control="tree")',
    "bonferroni_dunn": 'bonferroni_dunn(table, control="tree")',
    "contrast": "contrast(table, weights=[1, -0.5, -0.5])",
    "delong": 'delong(np.equal(truth, "ill"), scores, scores**2 + patient / 100)',
    "delong_unpaired": "delong_unpaired([1, 1, 1, 0, 0, 0], [6, 5, 2, 4, 3, 1], [1, 1, 0, 0], [3, 2, 4, 1])",
    "paired_delta": 'paired_delta(truth, predicted, other, "f1", positive="ill")',
    "equivalence": "equivalence(0.002, 0.004, margin=0.02)",
    "non_inferiority": "non_inferiority(-0.002, 0.004, margin=0.02)",
    "cross_validated_z": 'cross_validated_z(r.losses("tree", "iris")[:75], r.losses("bayes", "iris")[:75])',
    "permutation": "permutation(truth, predicted, other, replicates=500)",
    "bootstrap_difference": "bootstrap_difference(truth, predicted, other, replicates=500)",
    "corrected_paired_t": "corrected_paired_t(A, B, ratio=1 / 5)",
    "cautious_paired_t": "cautious_paired_t(A, B, 1 / 2, repeat=[1, 1, 1, 2, 2, 2])",
    "corrected_paired_t_folds": "corrected_paired_t_folds(A, B, 1 / 2, repeat=[1, 1, 1, 2, 2, 2])",
    "corrected_paired_t_once": "corrected_paired_t_once(A, B, 1 / 2, repeat=[1, 1, 1, 2, 2, 2])",
    "five_by_two_t": "five_by_two_t(halves)",
    "five_by_two_f": "five_by_two_f(halves)",
}
OF_NUMBER = {"two": "(A, B)", "two or more": "(A, B)", "many": "(table)"}  # what other tests are shown with
