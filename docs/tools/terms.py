"""Write docs/reference/terms.md: the terms of books and other programs, what each is here, and a call that gives it.

What is declared in the registries is read off them: names, aliases, summaries, formulas. What they cannot know, the
words of textbooks and the names in other programs, stands in the tables below, once. A target is a kind and a name,
"measure:recall" or "test:mcnemar"; "python:" is a public name of the package, "page:" a page of the site. Every example
is run by tests/surfaces/test_terms.py, after `SETUP`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from howsure import advice, curves, learners, measures, resampling, significance
from howsure.intervals.declare import registry as interval_registry
from howsure.measures.outcomes import registry as outcomes
from howsure.raters.coefficients import registry as coefficients
from howsure.registry import Registry, canonical

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

import howsure

truth = ["ill", "ill", "well", "ill", "well", "ill", "well", "well", "ill", "well"] * 6
scores = np.array([0.95, 0.9, 0.8, 0.75, 0.6, 0.55, 0.4, 0.3, 0.2, 0.1] * 6)
predicted, other = np.where(scores >= 0.5, "ill", "well"), np.where(scores >= 0.7, "ill", "well")
patient = np.repeat(range(20), 3)
costs = howsure.Costs(false_negative=5, false_positive=1)
a = howsure.assess(truth, scores=scores, positive="ill", costs=costs)
c = howsure.compare(truth, {"one": predicted, "other": other})

X, y = load_iris(return_X_y=True)
X, y = X[::2], y[::2]
bayes, tree = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
many = howsure.assess(bayes.fit(X[::2], y[::2]), X[1::2], y[1::2])  # three classes
r = howsure.Experiment({"tree": tree, "bayes": bayes}, {"iris": (X, y)}, howsure.FiveByTwo(), seed=0).run()

A, B = [0.90, 0.88, 0.93, 0.91, 0.89, 0.92], [0.87, 0.88, 0.91, 0.90, 0.86, 0.90]  # accuracies in six folds
votes, there = [[0, 1, 1], [0, 0, 1], [0, 1, 0]], [0, 1, 1]  # predictions of three models, and the truth
halves = [(0.02, 0.01), (-0.01, 0.03), (0.0, 0.02), (0.03, 0.01), (0.01, -0.02)]  # differences in 5 x 2 folds
table = {"tree": A, "bayes": B, "nearest": [0.85, 0.86, 0.90, 0.88, 0.85, 0.89]}
right = {"tree": [1, 1, 0, 1, 1, 0, 1, 1], "bayes": [1, 0, 0, 1, 0, 0, 1, 1], "nearest": [1, 0, 0, 1, 0, 0, 0, 1]}
answers = howsure.assess(correct=[1, 0, 1, 1, 0, 0, 1, 1], case=[1, 1, 2, 2, 3, 3, 4, 4])
ratings = [[1, 1], [2, 2], [1, 2], [3, 3], [2, 2], [1, 1], [3, 2], [3, 3]] * 4
g, ordered = howsure.agreement(ratings), howsure.agreement(ratings, level="ordinal")
judged = howsure.assess(truth[:40] + [None] * 20, judge=predicted)
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
    example: str
    elsewhere: Elsewhere


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
    "interval:agresti-coull": Elsewhere(
        "statsmodels proportion_confint('agresti_coull')", "", "binom binom.agresti.coull"
    ),
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
    "scheme:LeaveOneOut": Elsewhere(
        "LeaveOneOut, LeaveOneGroupOut", "Cross-validation, folds = instances", "caret 'LOOCV'"
    ),
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
}

# What a measure is asked for with, where it has parameters that only the user can give; and what it is asked of.
PARAMETERS = {
    "measure:f_beta": "(beta=2)",
    "measure:weighted_kappa": "(weights='linear')",
    "measure:partial_auc": "(high=0.5)",
    "measure:lift": "(depth=0.2)",
    "measure:gain": "(depth=0.2)",
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
    "misjudged": "howsure.judges.rogan_gladen(300, 1000, sensitivity=(45, 50), specificity=(90, 100))",
    "paired error": 'howsure.compare(truth, {"one": predicted, "other": other}, measure="f1").difference',
    "placements": 'a["auc"]',
    "class intervals": 'many["average_precision"]',
    "areas": 'many["auc"]',
    "ranks": 'a["auc"]',
    "replicates": 'a["f1"]',
    "acceleration": 'a["f1"]',
    "strata": 'a["auc"]',
    "values": 'r.estimate("accuracy", "tree", "iris")',
    "repeats": 'r.estimate("accuracy", "tree", "iris")',
    "halves": 'r.compare("accuracy", "iris", test="five_by_two_f").difference',
    "nested-cv": "howsure.resampling.nested_cv_error(bayes, X, y, folds=3, repeats=1)",
    "conservative-z": "howsure.resampling.conservative_z_error(bayes, X, y, splits=2, halvings=2)",
}
# Methods of what is not an estimate of one of these: the function itself.
INTERVAL_EXAMPLES = {
    "cv-clt": "howsure.intervals.cross_validated_mean([0, 1, 0, 0, 1, 0], [1, 1, 2, 2, 3, 3])",
    "hodges-lehmann": "howsure.intervals.hodges_lehmann(np.subtract(A, B))",
    "tango": "howsure.intervals.tango(12, 5, 100)",
}
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
    "cross_validated_z": "cross_validated_z([0, 1, 0, 0, 1, 0] * 5, [0, 0, 0, 1, 1, 1] * 5)",
    "permutation": "permutation(truth, predicted, other, replicates=500)",
    "bootstrap_difference": "bootstrap_difference(truth, predicted, other, replicates=500)",
    "corrected_paired_t": "corrected_paired_t(A, B, ratio=1 / 5)",
    "cautious_paired_t": "cautious_paired_t(A, B, 1 / 2, repeat=[1, 1, 1, 2, 2, 2])",
    "corrected_paired_t_folds": "corrected_paired_t_folds(A, B, 1 / 2, repeat=[1, 1, 1, 2, 2, 2])",
    "corrected_paired_t_once": "corrected_paired_t_once(A, B, 1 / 2, repeat=[1, 1, 1, 2, 2, 2])",
    "five_by_two_t": "five_by_two_t(halves)",
    "five_by_two_f": "five_by_two_f(halves)",
}
# Where findings are to be seen, by the first thing that they need to know; all others are those of an experiment.
OF_CASES = ("table", "scores", "threshold", "clusters", "repeated", "annotations")
FINDINGS = {**dict.fromkeys(OF_CASES, "a.findings"), "ratings": "g.findings"}
ARGUMENTS = {  # so that examples are quick
    "Bagging": "n_estimators=5",
    "RandomForest": "n_estimators=5",
    "AdaBoost": "n_estimators=5",
    "Stacking": '{"tree": tree, "bayes": bayes}',
}
OF_NUMBER = {"two": "(A, B)", "two or more": "(A, B)", "many": "(table)"}  # what other tests are shown with

# The words of textbooks, and of other programs, that no registry has.
# fmt: off
TERMS = (
    term("0.632 bootstrap", "python:howsure.resampling.bootstrap_error",
         "0.632 times the error on cases that were not drawn, and 0.368 times the training error.",
         'howsure.resampling.bootstrap_error(bayes, X, y, method="632", rounds=5)',
         r="caret 'boot632', ipred errorest"),
    term("0.632+ bootstrap", "python:howsure.resampling.bootstrap_error",
         "The same with a weight that allows for overfitting (Efron and Tibshirani 1997).",
         'howsure.resampling.bootstrap_error(bayes, X, y, method="632+", rounds=5)',
         r="ipred errorest(estimator = '632plus')"),
    term("50/25/25 split", "scheme:TrainValidationTest", "Half to train, a quarter to choose, a quarter to test.",
         "howsure.TrainValidationTest(0.25, 0.25).splits(y)"),
    term("absolute error", "measure:mean_absolute_error", "Of probabilities: how far they are from what happened.",
         'a["mean_absolute_error"]'),
    term("accept the null hypothesis", "python:howsure.significance.decide",
         "A test that does not reject has shown nothing; `decide` says so in words.",
         "howsure.significance.decide(howsure.significance.mcnemar(25, 15))"),
    term("adjusted p-value", "python:howsure.significance.adjust", "A p-value that allows for the number of tests.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], method="holm")', sklearn="statsmodels multipletests",
         r="p.adjust"),
    term("AIC", "python:howsure.selection.criteria",
         "Akaike's information criterion: fit, less a charge for parameters.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))', r="AIC"),
    term("algorithm preference", "python:howsure.ExperimentResult.preference",
         "Error is not all: time, memory, size and interpretability, weighed.",
         'r.preference(weights={"error_rate": 2, "fit_seconds": 1}, dataset="iris")'),
    term("alpha of a test", "python:howsure.compare",
         "The level of a test. Of AdaBoost: the weight of a member's vote.",
         'howsure.compare(truth, {"one": predicted, "other": other}, alpha=0.01)'),
    term("alternative hypothesis", "page:guide/one-classifier", "What a test decides for: two-sided, less or greater.",
         'howsure.significance.wilcoxon(A, B, alternative="greater")'),
    term("annotator disagreement", "python:howsure.agreement", "How far people who label the same items agree.",
         'g["percent_agreement"]'),
    term("apparent error", "scheme:Resubstitution", "The error on the training cases; far too low.",
         "howsure.Resubstitution().splits(y)", weka="Use training set"),
    term("attribute sampling", "learner:RandomForest", "Each node chooses among some attributes, drawn at random.",
         'howsure.learners.RandomForest(3, max_features="sqrt", random_state=0).fit(X, y)', sklearn="max_features",
         r="mtry"),
    term("bar of a critical difference diagram", "test:critical_difference",
         "Joins classifiers that cannot be told apart.", "howsure.significance.critical_difference(table).bars"),
    term("base classifier", "learner:Stacking", "A member of an ensemble.",
         'howsure.learners.Stacking({"tree": tree, "bayes": bayes}).fit(X, y)'),
    term("baseline", "measure:majority_baseline",
         "What always saying the most frequent class gets right; or the model to beat.", 'a["improvement"]',
         weka="ZeroR"),
    term("Bayes risk", "python:howsure.bias_variance", "The loss that even the best prediction has: the noise.",
         "howsure.selection.decompose(votes, there, probabilities=[0.1, 0.8, 0.9]).noise"),
    term("Bayesian comparison", "test:bayesian_correlated_t",
         "The probability that one is better by more than matters.",
         "howsure.significance.bayesian_correlated_t(A, B, rho=1 / 6, rope=0.01)"),
    term("Benjamini-Hochberg", "python:howsure.significance.adjust",
         "Keeps the share of false discoveries, not the level.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "bh")',
         sklearn="statsmodels 'fdr_bh'", r="p.adjust 'BH'"),
    term("Bergmann-Hommel procedure", "python:howsure.significance.adjust",
         "The most powerful adjustment for all pairs; up to nine classifiers.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "bergmann-hommel", '
         'pairs=[("a", "b"), ("a", "c"), ("b", "c")])',
         r="scmamp adjustBergmannHommel"),
    term("Bernoulli process", "interval:wilson",
         "Independent trials with one probability of success, as right and wrong.",
         "howsure.intervals.wilson(75, 100, confidence=0.8)"),
    term("best threshold", "python:howsure.Assessment.best_threshold", "Where a measure is best, or the cost lowest.",
         'a.best_threshold("f1")', sklearn="TunedThresholdClassifierCV", weka="ThresholdSelector",
         r="pROC coords(r, 'best')"),
    term("between-group sum of squares", "test:anova", "How far the means of classifiers lie apart; over that within.",
         "howsure.significance.anova(table).statistic"),
    term("bias", "python:howsure.bias_variance",
         "What predictions of models from many training sets have wrong in common.",
         "howsure.selection.decompose(votes, there).bias", weka="BVDecompose"),
    term("bias-variance decomposition", "python:howsure.bias_variance",
         "Loss as noise, bias and variance, to the last digit.", "howsure.bias_variance(tree, X, y, rounds=2).identity",
         weka="BVDecompose"),
    term("bias-variance trade-off", "python:howsure.selection.bias_variance_curve",
         "Both, along a setting of the learner.",
         'howsure.selection.bias_variance_curve(tree, X, y, "max_depth", [1, 3], rounds=2)'),
    term("BIC", "python:howsure.selection.criteria", "Schwarz' criterion: a charge that grows with log n.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))', r="BIC"),
    term("binomial distribution", "test:binomial_test", "Of the number of errors in n cases.",
         "howsure.significance.binomial_test(20, 100, 0.25)"),
    term("Bonferroni correction", "python:howsure.significance.adjust", "Each of m tests at the level alpha / m.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "bonferroni")', sklearn="statsmodels multipletests",
         r="p.adjust"),
    term("boosting", "learner:AdaBoost", "Members fitted one after the other, each to what the others got wrong.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y)", weka="AdaBoostM1"),
    term("bootstrap aggregation", "learner:Bagging", "Bagging.", "howsure.learners.Bagging(n_estimators=3).fit(X, y)"),
    term("bootstrap sample", "scheme:Bootstrap", "As many cases as there are, drawn with replacement.",
         "howsure.Bootstrap(rounds=5).splits(y)"),
    term("C4.5", "learner:PessimisticTree", "Its pruning; the trees are scikit-learn's.",
         'howsure.learners.PessimisticTree(0.25, bound="c45").fit(X, y)', weka="J48", r="RWeka J48"),
    term("case weight", "python:howsure.assess", "How much a case counts; a whole number repeats it.",
         "howsure.assess(truth, predicted, weight=np.ones(60))", sklearn="sample_weight", weka="instance weight",
         r="case_weights"),
    term("ceiling", "python:howsure.Assessment.ceiling", "The accuracy that can be reached where annotators disagree.",
         "a.ceiling"),
    term("central limit theorem", "python:howsure.intervals.mean_z", "Why means of many values are close to normal.",
         "howsure.intervals.mean_z(A)"),
    term("chance agreement", "python:howsure.Assessment.chance",
         "The table of a random classifier with the same margins.", "a.chance()"),
    term("chi-squared distribution", "test:friedman",
         "Of sums of squares; Friedman's, McNemar's and Cochran's statistics.",
         "howsure.significance.friedman(table).df",
         sklearn="SciPy chi2", r="pchisq"),
    term("chi-squared test", "test:mcnemar", "Of two classifiers: McNemar's, by its statistic.",
         'howsure.significance.mcnemar(25, 15, "chi2")'),
    term("class distribution", "measure:prevalence", "The shares of the classes.", 'a["prevalence"]'),
    term("class imbalance", "advice:A003", "One class has most of the cases; accuracy says little then.",
         'a["balanced_accuracy"]'),
    term("class label", "python:howsure.Assessment.labels", "Text, whole numbers or booleans.", "many.labels"),
    term("class skew", "advice:A003", "Class imbalance.", "a.findings"),
    term("class weight", "learner:CostSensitive", "Cases count by what an error on them costs.",
         'howsure.learners.CostSensitive(tree, howsure.Costs(1 - np.eye(3)), "weights").fit(X, y)',
         sklearn="class_weight"),
    term("class-specific precision", "measure:precision", "Precision of one class.",
         'many.estimate("precision", label=2)', sklearn="precision_score(average=None)"),
    term("classifier", "python:howsure.assess", "A fitted one is assessed on cases that it has not seen.",
         "howsure.assess(bayes.fit(X[::2], y[::2]), X[1::2], y[1::2])"),
    term("clustered cases", "python:howsure.assess", "Cases that are not independent, as those of a patient.",
         "howsure.assess(truth, predicted, cluster=patient)"),
    term("Cohen's d", "python:howsure.Comparison", "The size of a difference in standard deviations.",
         "r.compare(dataset='iris').frame()"),
    term("combiner", "learner:Stacking", "The learner that combines the predictions of others.",
         'howsure.learners.Stacking({"tree": tree}, final_estimator=bayes).fit(X, y)', sklearn="final_estimator"),
    term("complexity curve", "python:howsure.selection.complexity_curve", "Error against a setting of the learner.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))',
         sklearn="validation_curve"),
    term("concordance of two classifications", "measure:kappa", "Beyond what chance gives: kappa.", 'a["kappa"]'),
    term("confidence interval", "page:guide/intervals", "Holds the true value in, say, 95 % of samples.",
         'a["recall"].interval(confidence=0.9)'),
    term("confidence level", "page:guide/intervals", "How often intervals so made hold the true value.",
         'a["recall"].interval(confidence=0.99)'),
    term("confusion matrix", "python:howsure.Confusion", "Cases by true (rows) and predicted class (columns).",
         "a.confusion", sklearn="confusion_matrix", weka="Confusion Matrix",
         r="caret confusionMatrix (rows predicted)"),
    term("contingency table", "python:howsure.Confusion",
         "The confusion matrix; some books have the prediction in rows.",
         "a.confusion.transpose()"),
    term("continuity correction", "test:mcnemar", "Half a case off the difference; makes the test too cautious.",
         'howsure.significance.mcnemar(25, 15, "chi2-corrected")'),
    term("convex hull", "curve:roc_hull", "Of the ROC curve: the thresholds that are best for some costs.",
         "a.roc_hull()"),
    term("corrected resampled t test", "test:corrected_paired_t", "Nadeau and Bengio's.",
         "howsure.significance.corrected_paired_t(A, B, ratio=1 / 5)", weka="Paired T-Tester (corrected)"),
    term("cost matrix", "python:howsure.Costs", "A cost for each true (rows) and predicted class (columns).",
         "howsure.Costs([[0, 1], [5, 0]])", weka="CostMatrix"),
    term("cost-sensitive learning", "learner:CostSensitive",
         "Weights, copies, a threshold or other labels, from costs.",
         'howsure.learners.CostSensitive(bayes, howsure.Costs(1 - np.eye(3)), "threshold").fit(X, y)',
         weka="CostSensitiveClassifier"),
    term("crisp prediction", "python:howsure.assess", "A label, and no probability.",
         "howsure.assess(truth, predicted)"),
    term("critical difference", "test:critical_difference", "How far mean ranks must lie apart.",
         "howsure.significance.critical_difference(table).cd", r="scmamp getNemenyiCD"),
    term("critical difference diagram", "test:critical_difference",
         "The picture of mean ranks and bars; `.plot()` draws it.", "howsure.significance.critical_difference(table)",
         r="scmamp plotCD"),
    term("critical value", "python:howsure.significance.nemenyi", "What a statistic must exceed.",
         "howsure.significance.nemenyi(table).pairs[0].critical"),
    term("cross-validation", "scheme:KFold", "Each case is tested once, by a model that has not seen it.",
         "howsure.KFold(10).splits(y)", sklearn="cross_val_score", weka="Cross-validation",
         r="caret trainControl('cv')"),
    term("curse of dimensionality", "python:howsure.selection.shell_volume",
         "In many dimensions nearly all lies at the edge.", "howsure.selection.shell_volume(20, epsilon=0.05)"),
    term("cut-off", "python:howsure.Assessment.at", "The threshold.", 'a.at(0.3)["recall"]'),
    term("data leakage", "advice:A011", "Test cases that took part in training or choosing.", "r.findings"),
    term("decision boundary", "page:guide/bias-variance", "Where the predicted class changes; not drawn here.", ""),
    term("decision stump", "learner:AdaBoost", "A tree of one split, AdaBoost's usual member.",
         "howsure.learners.AdaBoost(DecisionTreeClassifier(max_depth=1), 3, random_state=0).fit(X, y)",
         sklearn="DecisionTreeClassifier(max_depth=1)", weka="DecisionStump"),
    term("degrees of freedom", "test:paired_t", "Of k folds k - 1: one mean is estimated.",
         "howsure.significance.paired_t(A, B).df"),
    term("design effect", "python:howsure.Estimate",
         "How many times fewer independent cases those in clusters are worth.",
         'howsure.assess(truth, predicted, cluster=patient)["accuracy"].design_effect'),
    term("diagnostic test", "measure:recall", "A classifier in medicine.", 'a["sensitivity"], a["specificity"]'),
    term("diagonal of the ROC plot", "measure:auc", "Guessing: an area of one half.", "a.roc().lines"),
    term("discordant cases", "test:mcnemar", "Cases that one of two classifiers alone gets wrong; only they tell.",
         "howsure.significance.mcnemar(12, 5, n=100)"),
    term("duplicating examples", "learner:CostSensitive", "Cases stand in training as often as errors on them cost.",
         'howsure.learners.CostSensitive(bayes, howsure.Costs(1 - np.eye(3)), "duplicate").fit(X, y)'),
    term("effect size", "python:howsure.Comparison", "How large a difference is, beside how sure.", "c.frame()"),
    term("effective number of cases", "python:howsure.Estimate", "What weighted or clustered cases are worth.",
         'howsure.assess(truth, predicted, cluster=patient)["accuracy"].effective_n'),
    term("empirical frequency", "interval:wilson", "The share seen, of which the interval is made.",
         "howsure.intervals.wilson(75, 100)"),
    term("ensemble", "page:guide/ensembles", "Several classifiers that vote.", "howsure.learners.names()"),
    term("equal error costs", "python:howsure.Costs", "What accuracy assumes.",
         "howsure.Costs(false_negative=1, false_positive=1)"),
    term("error estimate", "page:guide/resampling", "Of a learner on new cases, by resampling.",
         'r.estimate("error_rate", "tree", "iris")'),
    term("exact test", "test:mcnemar", "By the binomial distribution; a little too cautious.",
         'howsure.significance.mcnemar(12, 5, "exact")'),
    term("expected error", "page:guide/resampling",
         "Of an algorithm, over training sets: what cross-validation estimates.",
         'r.estimate("error_rate", "bayes", "iris")'),
    term("expected loss", "measure:mean_cost", "The mean loss of a case; with zero-one loss the error rate.",
         'a["error_rate"]'),
    term("experiment", "python:howsure.Experiment", "Learners, data sets and splits, run together.", "r",
         weka="Experimenter", r="caret resamples"),
    term("F distribution", "test:anova", "Of a ratio of two variances.", "howsure.significance.anova(table).df",
         sklearn="SciPy f", r="pf"),
    term("F test", "test:five_by_two_f", "Of 5 x 2 folds (Alpaydin 1999); of means, the analysis of variance.",
         "howsure.significance.five_by_two_f(halves)"),
    term("false alarms, number of", "python:howsure.Confusion", "False positives, as a count.",
         "a.confusion.counts[1, 0]"),
    term("false negative", "measure:false_negative_rate", "A case of the class that was missed.",
         'a["false_negative_rate"]', sklearn="confusion_matrix", weka="Confusion Matrix"),
    term("false positive", "measure:false_positive_rate", "A case outside the class that was called it.",
         'a["false_positive_rate"]', sklearn="confusion_matrix", weka="Confusion Matrix"),
    term("family-wise error", "python:howsure.significance.adjust", "That any of several tests rejects wrongly.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "holm")'),
    term("fold", "scheme:KFold", "One of the parts that are tested in turn.", "howsure.KFold(5).splits(y)[0].test"),
    term("gate", "python:howsure.gate", "Lets a candidate pass that is shown to be no worse than the baseline.",
         "howsure.gate(truth, baseline=other, candidate=predicted, margin=0.1)"),
    term("generalisation error", "page:guide/resampling", "The error on new cases.",
         'r.estimate("error_rate", "tree", "iris")'),
    term("graded answers", "python:howsure.assess", "Scores from 0 to 1 in the place of right and wrong.",
         "howsure.assess(correct=[0.5, 1, 0, 0.75])"),
    term("grid search", "python:howsure.selection.tune", "Every setting of a grid, on the same splits.",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)', sklearn="GridSearchCV",
         weka="CVParameterSelection",
         r="caret train(tuneGrid =)"),
    term("ground truth", "python:howsure.assess", "The first argument, `truth`.", "howsure.assess(truth, predicted)",
         sklearn="y_true", weka="actual", r="reference, truth"),
    term("groups", "scheme:KFold", "Rows that must not be on both sides of a split.",
         "howsure.KFold(5).splits(truth, groups=patient)", sklearn="StratifiedGroupKFold", r="caret groupKFold"),
    term("harmonic mean", "measure:f1", "Of precision and recall: F1. Their product, as some slides have it, is not.",
         'a["f1"]'),
    term("Hochberg's procedure", "python:howsure.significance.adjust", "Holm's from the other end.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "hochberg")', sklearn="statsmodels 'simes-hochberg'",
         r="p.adjust"),
    term("Holm's procedure", "python:howsure.significance.adjust", "Bonferroni's in steps; never less powerful.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "holm")', sklearn="statsmodels 'holm'", r="p.adjust"),
    term("horizontal cut of a tree", "learner:PessimisticTree",
         "No branch below a depth: a way to stop before the pruning.",
         "howsure.learners.PessimisticTree(max_depth=2).fit(X, y)", sklearn="max_depth"),
    term("hyperparameter", "python:howsure.selection.tune",
         "A setting of a learner, chosen on other cases than it is tested on.",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)'),
    term("hypothesis test", "page:guide/one-classifier", "Asks how surprising the data are if nothing differs.",
         "howsure.significance.binomial_test(20, 100, 0.25)"),
    term("ideal classifier", "curve:roc", "The corner (0, 1) of the ROC plot.",
         'howsure.assess(truth, truth, positive="ill")["recall"]'),
    term("information criterion", "python:howsure.selection.criteria",
         "Fit, less a charge for complexity; no test set.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))'),
    term("inter-rater agreement", "python:howsure.agreement", "Kappa and its kin of two or more raters.", "g"),
    term("interpretability", "python:howsure.ExperimentResult.profile",
         "Not measured; the size and complexity of a model come near.", "r.profile()"),
    term("interval estimation", "page:guide/intervals", "A value with its interval.",
         'a["accuracy"].low, a["accuracy"].high'),
    term("intraclass correlation", "python:howsure.plan.mcnemar",
         "How alike cases of a cluster are; planned with `icc=`.",
         "howsure.plan.mcnemar(power=0.8, difference=0.1, discordant=0.2, icc=0.1, cluster_size=5)"),
    term("inverting a classifier", "advice:A009", "An area below one half: the other way round it is above.",
         "howsure.assess(truth, scores=-scores, positive='ill')['auc']"),
    term("iso-accuracy line", "curve:roc_hull",
         "Points of the ROC plot with the same accuracy; its slope is negatives by positives.", "a.roc_hull()"),
    term("iso-cost line", "curve:roc_hull", "The same for any costs and shares of the classes.", "a.roc_hull()"),
    term("iso-F curve", "python:howsure.Assessment.per_class",
         "Precision and recall with the same F1; `.plot()` draws the classes over them.", "many.per_class()"),
    term("judge", "python:howsure.assess", "A model that labels cases; a few human labels correct it.",
         'judged["rate"]'),
    term("label noise", "python:howsure.label_noise", "What if some labels of the test are wrong?",
         "howsure.label_noise(howsure.assess(truth, predicted), (3, 60))"),
    term("Laplace smoothing", "python:howsure.learners.smooth", "One case more of each class in a leaf.",
         'howsure.learners.smooth([0, 17], "laplace")', weka="J48 -A"),
    term("leaderboard tiers", "python:howsure.Comparison.ranking", "Who cannot be told apart.", "c.ranking()"),
    term("leaf", "learner:PessimisticTree", "A node that decides.",
         "howsure.learners.PessimisticTree().fit(X, y).get_n_leaves()"),
    term("learning curve", "python:howsure.selection.learning_curve", "Error against the number of training cases.",
         "howsure.selection.learning_curve(bayes, X, y, sizes=[15, 30], resampling=howsure.KFold(2))",
         sklearn="learning_curve"),
    term("leave-one-out", "scheme:LeaveOneOut", "As many folds as cases; misleads where classes are equal in size.",
         "howsure.LeaveOneOut().splits(y)", sklearn="LeaveOneOut", r="caret 'LOOCV'"),
    term("leave-one-out paradox", "advice:A010", "Always saying the majority of two equal classes is always wrong.",
         "howsure.LeaveOneOut().splits([0, 1] * 10)"),
    term("level of significance", "python:howsure.compare", "The error of type I that is accepted, `alpha`.",
         'howsure.compare(truth, {"one": predicted, "other": other}, alpha=0.05)'),
    term("likelihood ratio", "measure:positive_likelihood_ratio", "How a prediction changes the odds of the class.",
         'a["lr_plus"], a["lr_minus"]'),
    term("log of an evaluation", "python:howsure.read_log", "What inspect_ai and lm-evaluation-harness write.",
         "howsure.read_log"),
    term("loss function", "measure:mean_cost", "What an error costs: zero-one, squared, or a matrix.",
         'a["mean_cost"]'),
    term("macro average", "python:howsure.Assessment.estimate", "The mean over classes, each counting alike.",
         'many.estimate("f1", average="macro")', sklearn="average='macro'", r="yardstick 'macro'"),
    term("main prediction", "python:howsure.selection.decompose", "Domingos': what most models predict of a case.",
         "howsure.selection.decompose(votes, there)"),
    term("majority class", "measure:majority_baseline", "The most frequent one, and what always saying it gets right.",
         'a["majority_baseline"]', weka="ZeroR"),
    term("majority voting", "learner:Bagging", "The class that most members predict.",
         'howsure.learners.Bagging(n_estimators=3, voting="hard").fit(X, y)', sklearn="VotingClassifier", weka="Vote"),
    term("margin", "python:howsure.gate",
         "The loss that would not matter. (The margin of a boosted vote is not computed.)",
         "howsure.gate(truth, baseline=other, candidate=predicted, margin=0.2)"),
    term("maximum error of a node", "python:howsure.learners.upper_error", "The upper bound that pruning goes by.",
         "howsure.learners.upper_error(2, 6, 0.25)"),
    term("MDL", "python:howsure.selection.criteria", "Minimum description length: bits for the model and its errors.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))'),
    term("memory", "python:howsure.ExperimentResult.profile", "Of training and predicting, and the size of the model.",
         "r.profile()"),
    term("meta-learner", "learner:Stacking", "The combiner.",
         'howsure.learners.Stacking({"tree": tree, "bayes": bayes}).fit(X, y)'),
    term("MetaCost", "learner:CostSensitive", "Training cases are given the class of least expected cost.",
         'howsure.learners.CostSensitive(bayes, howsure.Costs(1 - np.eye(3)), "relabel", cv=2).fit(X, y)',
         weka="MetaCost"),
    term("methods section", "python:howsure.Comparison.methods_text", "A paragraph for a paper, with references.",
         "c.methods_text()"),
    term("micro average", "python:howsure.Assessment.estimate", "Of the counts of all classes together.",
         'many.estimate("f1", average="micro")', sklearn="average='micro'", r="yardstick 'micro'"),
    term("mid-p value", "test:mcnemar", "The exact test with half the probability of what was seen.",
         'howsure.significance.mcnemar(12, 5, "mid-p")'),
    term("minimum number of cases in a leaf", "learner:PessimisticTree",
         "A way to stop before the pruning; C4.5 has 2.",
         "howsure.learners.PessimisticTree(min_samples_leaf=2).fit(X, y)", sklearn="min_samples_leaf", weka="J48 -M"),
    term("misclassification cost", "python:howsure.Costs", "What an error costs, by true and predicted class.",
         "howsure.Costs(false_negative=5, false_positive=1)"),
    term("misclassification error", "measure:error_rate", "The error rate.", 'a["error_rate"]'),
    term("missed cases", "measure:false_negative_rate", "False negatives.", 'a["miss_rate"]'),
    term("model assessment", "python:howsure.assess", "How good is the one that was chosen, on new cases?",
         "howsure.assess(truth, predicted)"),
    term("model complexity", "python:howsure.selection.complexity_curve",
         "Training error falls with it, test error turns.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))'),
    term("model selection", "python:howsure.selection.tune", "Which of several is best?",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)'),
    term("multi-class", "python:howsure.assess", "More than two classes: averages, or one class against the rest.",
         "many.per_class()"),
    term("multiple comparisons", "python:howsure.significance.adjust", "Many tests find something by chance.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "shaffer", pairs=[("a", "b"), ("a", "c"), ("b", "c")])'),
    term("nested cross-validation", "python:howsure.selection.nested",
         "Choosing inside each fold, so that the choice is tested too.",
         'howsure.selection.nested(tree, {"max_depth": [1, 3]}, X, y, outer=howsure.KFold(2), inner=howsure.KFold(2))',
         r="rsample nested_cv"),
    term("net variance", "python:howsure.selection.decompose",
         "Domingos': variance that harms, less variance that mends.",
         "howsure.selection.decompose(votes, there).net_variance"),
    term("Newman-Keuls range test", "test:newman_keuls", "Means in order, with lines under those that do not differ.",
         "howsure.significance.newman_keuls(table).lines()"),
    term("No free lunch", "page:how-to/comparison", "No learner is best on all data: compare on yours.",
         'r.compare("accuracy", "iris")'),
    term("noise", "python:howsure.selection.noise_curve",
         "Wrong labels in training; in a decomposition, what nobody can predict.",
         "howsure.selection.noise_curve(tree, X, y, shares=(0, 0.2), resampling=howsure.KFold(2))"),
    term("non-discrimination line", "curve:roc", "The diagonal of the ROC plot.", "a.roc().lines"),
    term("nonparametric test", "test:wilcoxon", "One that takes no distribution for granted: signs, ranks.",
         "howsure.significance.sign_test(A, B)"),
    term("normal approximation", "test:normal_test", "Of the binomial; for many cases.",
         "howsure.significance.normal_test(20, 100, 0.25)"),
    term("normal distribution", "python:howsure.intervals.mean_z", "Of means of many values.",
         "howsure.intervals.mean_z(A, sigma=0.02)", sklearn="SciPy norm", r="pnorm"),
    term("null hypothesis", "page:guide/one-classifier", "That nothing differs; each test declares its own.",
         'howsure.significance.registry["mcnemar"].null'),
    term("Occam's razor", "python:howsure.selection.criteria",
         "Of models that fit alike, the simpler; criteria put a number to it.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))'),
    term("one against the rest", "python:howsure.Confusion.against",
         "A class as the positive one, all others as negative.", 'howsure.assess(many.confusion.against(2))["mcc"]',
         sklearn="multi_class='ovr'"),
    term("one-sided test", "page:guide/one-classifier", "Asks for one direction; decide before the data are seen.",
         'howsure.significance.paired_t(A, B, alternative="greater")'),
    term("optimism", "page:guide/resampling", "How much lower the training error is than the error to come.",
         "howsure.Resubstitution().splits(y)"),
    term("out-of-bag", "learner:Bagging", "Cases that a member has not been trained on.",
         "howsure.learners.Bagging(n_estimators=5, random_state=0).fit(X, y).oob_predictions_", sklearn="oob_score_"),
    term("out-of-bag error", "learner:RandomForest", "Of their votes; cases without a vote are left out and counted.",
         "howsure.learners.RandomForest(5, random_state=0).fit(X, y).oob_error_", sklearn="1 - oob_score_",
         weka="Out of bag error", r="randomForest err.rate"),
    term("out-of-fold predictions", "python:howsure.ExperimentResult.predictions",
         "Of each case by a model that has not seen it.", 'r.predictions("tree", "iris")', sklearn="cross_val_predict"),
    term("overfitting", "python:howsure.selection.complexity_curve",
         "The model describes the noise of its training cases.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))'),
    term("p-value", "page:guide/one-classifier", "How probable a difference this large is if nothing differs.",
         "c.test.pvalue"),
    term("paired design", "python:howsure.compare", "Both classifiers on the same cases or splits: far more is seen.",
         'howsure.compare(truth, {"one": predicted, "other": other})'),
    term("paired t test of k folds", "test:corrected_paired_t",
         "The plain one takes folds for independent; this one is corrected.",
         "howsure.significance.corrected_paired_t(A, B, ratio=1 / 5)"),
    term("Pareto set", "python:howsure.ExperimentResult.preference", "Learners that no other beats in every criterion.",
         'r.preference(weights={"error_rate": 2, "fit_seconds": 1}, dataset="iris")'),
    term("per cent of the cases contacted", "measure:gain", "The depth of a lift chart.", 'a["gain(depth=0.2)"]'),
    term("per-class table", "python:howsure.Assessment.per_class",
         "Precision, recall, F1 and specificity of each class.",
         "many.per_class()", sklearn="classification_report", weka="Detailed Accuracy By Class", r="caret byClass"),
    term("percent split", "scheme:Holdout", "Weka's holdout.", "howsure.Holdout(test=0.34).splits(y)",
         weka="-split-percentage"),
    term("performance interval", "interval:wilson", "The interval of a success rate.",
         "howsure.intervals.wilson(750, 1000, 0.8)"),
    term("pessimistic error", "python:howsure.learners.upper_error",
         "The upper bound of an error rate, as C4.5 takes it.", 'howsure.learners.upper_error(2, 6, 0.25, "c45")',
         weka="Stats.addErrs"),
    term("pooled value", "python:howsure.ExperimentResult.estimate", "Of the predictions of all folds together.",
         'r.estimate("accuracy", "tree", "iris", aggregate="pooled")', weka="what it prints"),
    term("population", "python:howsure.lab.coverage", "What a sample is drawn from; in the lab it is known.",
         'howsure.lab.coverage("accuracy", n=30, rounds=20)'),
    term("positive class", "python:howsure.assess",
         "The one that two-class measures are about: by default the second label.", "a.positive", sklearn="pos_label",
         r="caret positive, yardstick event_level"),
    term("post hoc test", "test:nemenyi", "Which pairs differ, after a test of all.",
         "howsure.significance.nemenyi(table)"),
    term("posterior probability", "python:howsure.assess",
         "Of a class, given a case: the score that a classifier should give.", 'a["log_loss"]',
         sklearn="predict_proba"),
    term("power", "python:howsure.significance.power_binomial",
         "The probability that a test finds a difference that is there.",
         "howsure.significance.power_binomial(0.2, 100, 0.3)", sklearn="statsmodels power",
         r="power.prop.test, pROC power.roc.test"),
    term("prediction-powered inference", "python:howsure.judges.prediction_powered_mean",
         "A few human labels and many judged ones.",
         "howsure.judges.prediction_powered_mean([1, 0, 1, 1, 0, 1], [1, 0, 1, 0, 0, 1], [1, 1, 0, 1, 1, 0, 1, 1])"),
    term("prior", "python:howsure.Costs", "The share of the class where the classifier is to be used.",
         "howsure.Costs(false_negative=5, false_positive=1, prior=0.02)"),
    term("prior shift", "python:howsure.Assessment.at_prevalence",
         "The same decisions where the class has another share.", 'a.at_prevalence(0.02)["precision"]'),
    term("probabilistic classifier", "python:howsure.assess", "One that gives a probability for each class.",
         'howsure.assess(truth, scores=scores, positive="ill")', sklearn="predict_proba"),
    term("pruning", "learner:PessimisticTree", "Replacing a subtree by a leaf that is no worse.",
         "howsure.learners.prune(tree.fit(X, y))", sklearn="ccp_alpha (another method)", weka="J48"),
    term("random classifier", "python:howsure.Assessment.chance",
         "One that guesses with the same margins: kappa 0, AUC 1/2.", "a.chance()"),
    term("range test", "test:newman_keuls", "Newman and Keuls'.", "howsure.significance.newman_keuls(table)"),
    term("rank", "test:friedman", "The place of a classifier on a data set, 1 the best; ties share.",
         "howsure.significance.critical_difference(table).ranks"),
    term("ranking of cases", "measure:auc", "By score; all that the ROC curve and the lift chart depend on.",
         'a["auc"]'),
    term("receiver operating characteristic", "curve:roc", "The ROC curve.", "a.roc()", sklearn="roc_curve"),
    term("region of practical equivalence", "python:howsure.compare", "Differences that do not matter, `rope=`.",
         'howsure.compare(truth, {"one": predicted, "other": other}, rope=0.05)'),
    term("rejection region", "python:howsure.significance.decide", "Values of the statistic at which a test rejects.",
         "howsure.significance.decide(howsure.significance.paired_t(A, B), alpha=0.01)"),
    term("reliability", "python:howsure.Assessment.brier_parts",
         "Of the Brier score: how far probabilities are from frequencies.", "a.brier_parts()"),
    term("repeated cross-validation", "scheme:KFold", "Folds, dealt anew several times.",
         "howsure.KFold(10, repeats=10).splits(y)", sklearn="RepeatedStratifiedKFold", r="caret 'repeatedcv'"),
    term("report", "python:howsure.Assessment.report", "One HTML file, with a threshold to move.", "a.report"),
    term("representative sample", "scheme:KFold", "What stratified folds keep of the classes.",
         "howsure.KFold(10, stratified=True).splits(y)"),
    term("resampling", "page:guide/resampling", "Testing on cases that were not trained on, again and again.",
         "howsure.KFold(5).splits(y)"),
    term("resolution", "python:howsure.Assessment.brier_parts",
         "Of the Brier score: how far frequencies differ between bins.", "a.brier_parts()"),
    term("resubstitution error", "scheme:Resubstitution", "The training error.", "howsure.Resubstitution().splits(y)",
         weka="Error on training data"),
    term("risk", "measure:mean_cost", "Expected loss.", 'a["mean_cost"]'),
    term("robustness to noise", "python:howsure.selection.noise_curve",
         "Error against the share of wrong training labels.",
         "howsure.selection.noise_curve(tree, X, y, shares=(0, 0.2), resampling=howsure.KFold(2))"),
    term("sample mean", "python:howsure.intervals.mean_t", "Of values of folds or data sets, with its interval.",
         "howsure.intervals.mean_t(A)"),
    term("sample size", "python:howsure.plan.mcnemar",
         "How many cases show a difference, or make an interval so narrow.",
         "howsure.plan.half_width(0.9, 0.03)", r="power.prop.test"),
    term("sampling distribution", "interval:bootstrap", "Of a value over samples; the bootstrap draws it.",
         'a["f1"].interval(method="bootstrap", seed=1)'),
    term("sampling with replacement", "scheme:Bootstrap", "A case may be drawn again; 36.8 % are not drawn at all.",
         "howsure.Bootstrap(rounds=5).splits(y)"),
    term("sampling without replacement", "scheme:KFold", "Each case once.", "howsure.KFold(5).splits(y)"),
    term("scalability", "page:how-to/scale", "Millions of cases: counted once, in bins where need be.",
         'howsure.assess(truth, scores=scores, positive="ill", exact=False)["auc"].bound'),
    term("score of a case", "python:howsure.ScoreTable",
         "A number that is higher for the positive class; not always a probability.", "a.scores",
         sklearn="decision_function, predict_proba"),
    term("Shaffer's procedure", "python:howsure.significance.adjust",
         "Holm's, using that not all sets of pairs can be equal.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "shaffer", pairs=[("a", "b"), ("a", "c"), ("b", "c")])'),
    term("shell volume", "python:howsure.selection.shell_volume", "The share of a ball that lies near its surface.",
         "howsure.selection.shell_volume([1, 2, 20], epsilon=0.05)"),
    term("signal detection", "curve:roc", "Where ROC curves come from: hits against false alarms.", "a.roc()"),
    term("significance level", "python:howsure.compare", "`alpha`, fixed before the data are seen.",
         'howsure.compare(truth, {"one": predicted, "other": other}, alpha=0.1)'),
    term("simultaneous band", "curve:roc", "Holds the whole curve with the given confidence.",
         'a.roc(band="simultaneous")'),
    term("small sample", "python:howsure.intervals.mean_t", "Student's t in the place of the normal distribution.",
         "howsure.intervals.mean_t(A[:4])"),
    term("smoothing of leaves", "python:howsure.learners.smooth", "Probabilities of small leaves, drawn to the prior.",
         'howsure.learners.smooth([0, 17], "m", m=2, prior=[0.4, 0.6])'),
    term("soft prediction", "python:howsure.assess", "Probabilities, not labels.",
         'howsure.assess(truth, scores=scores, positive="ill")'),
    term("soft voting", "learner:Bagging", "The mean of the members' probabilities decides.",
         'howsure.learners.Bagging(n_estimators=5, voting="soft").fit(X, y)',
         sklearn="VotingClassifier(voting='soft')"),
    term("squared loss", "measure:brier", "Of probabilities: the Brier score.", 'a["brier"]'),
    term("SRM", "python:howsure.selection.vc_bound",
         "Structural risk minimisation: training error plus a bound by capacity.",
         "howsure.selection.vc_bound(0.05, n=1000, h=10)"),
    term("stacked generalisation", "learner:Stacking", "Stacking.",
         'howsure.learners.Stacking({"tree": tree, "bayes": bayes}).fit(X, y)'),
    term("standard deviation of the mean", "python:howsure.Estimate", "The standard error.", 'a["auc"].standard_error'),
    term("standard error", "python:howsure.Estimate", "How far the value would vary between samples.",
         'a["f1"].standard_error'),
    term("statistical pruning", "learner:PessimisticTree", "C4.5's, by the bound of each node's error.",
         'howsure.learners.PessimisticTree(bound="wilson", min_samples_leaf=2).fit(X, y)', weka="J48"),
    term("stratification", "scheme:KFold", "Each part has its share of each class.",
         "howsure.KFold(10, stratified=True).splits(y)", sklearn="StratifiedKFold", weka="always",
         r="caret createFolds"),
    term("Student's t distribution", "python:howsure.intervals.mean_t", "Of a mean over its own standard error.",
         "howsure.intervals.mean_t(A)"),
    term("studentized range", "test:tukey", "Of the largest difference of means; Tukey, Nemenyi, Newman-Keuls.",
         "howsure.significance.tukey(table)", sklearn="SciPy studentized_range", r="ptukey"),
    term("subtree raising", "page:guide/pruning",
         "J48 puts the largest branch in the place of its node; not offered here."),
    term("success", "measure:accuracy", "A case that was predicted right.", 'a["accuracy"]'),
    term("t-table", "python:howsure.intervals.mean_t", "Not needed: intervals and tests look it up.",
         "howsure.intervals.mean_t(A, confidence=0.9)"),
    term("tally", "python:howsure.Tally", "Counts of batches, added up.",
         "howsure.Tally(labels=['ill', 'well']).update(truth, predicted)"),
    term("test error", "page:guide/resampling", "The error on cases that took no part in training.", 'a["error_rate"]'),
    term("test of one classifier", "test:binomial_test", "Is its error less than p0?",
         'howsure.significance.binomial_test(20, 100, 0.3, "less")'),
    term("test set", "scheme:Holdout", "Cases that take no part in training or choosing.",
         "howsure.Holdout().splits(y)[0].test", sklearn="X_test", weka="Supplied test set"),
    term("test statistic", "test:paired_t", "How far the data are from what the null hypothesis expects.",
         "howsure.significance.paired_t(A, B).statistic"),
    term("threshold", "python:howsure.Assessment.at", "The score from which on a case is called positive.", "a.at(0.3)",
         sklearn="FixedThresholdClassifier", r="pROC coords(r, 0.3)"),
    term("threshold averaging", "python:howsure.curves.average_roc",
         "ROC curves of folds, averaged at thresholds; or vertically.",
         'howsure.curves.average_roc([a.scores, a.scores], "threshold")'),
    term("time-ordered validation", "scheme:TimeOrder", "Trained on the past, tested on what follows.",
         "howsure.TimeOrder(3).splits(y)", sklearn="TimeSeriesSplit", r="caret createTimeSlices"),
    term("training error", "scheme:Resubstitution", "The error on the training cases: hopelessly optimistic.",
         "howsure.Resubstitution().splits(y)", weka="Error on training data"),
    term("training set", "scheme:Holdout", "Cases that a model is made from.", "howsure.Holdout().splits(y)[0].train",
         sklearn="X_train"),
    term("training time", "python:howsure.ExperimentResult.profile", "And prediction time, memory, size.",
         "r.profile()",
         weka="UserCPU_Time_training"),
    term("true negative", "measure:specificity", "A case outside the class, left outside.", 'a["specificity"]'),
    term("true positive", "measure:recall", "A case of the class that was found.", 'a["recall"]'),
    term("tuning", "python:howsure.selection.tune", "Choosing settings.",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)', sklearn="GridSearchCV"),
    term("two-sided test", "page:guide/one-classifier",
         "Asks for a difference in either direction: the default everywhere.", "howsure.significance.paired_t(A, B)"),
    term("type I error", "python:howsure.lab.rejections",
         "Finding a difference where there is none; the lab measures how often.",
         'howsure.lab.rejections("accuracy", n=30, rounds=20)'),
    term("type II error", "python:howsure.significance.power_binomial",
         "Missing a difference that is there: 1 less the power.",
         "1 - howsure.significance.power_binomial(0.2, 100, 0.3).power"),
    term("undefined value", "page:decisions/2026-11-16-input", "NaN with the reason, never 0.",
         'howsure.assess(["a", "b"], ["a", "a"])["precision"]', sklearn="zero_division", weka="?", r="NA"),
    term("underfitting", "python:howsure.selection.complexity_curve", "Too simple for the data: high bias.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))'),
    term("unknown variance", "test:t_test", "Then t, and not z.", "howsure.significance.t_test(A, 0.9)"),
    term("unstable classifier", "learner:Bagging", "Changes much with its training cases; bagging helps.",
         "howsure.selection.decompose(votes, there).variance"),
    term("validation set", "scheme:TrainValidationTest", "Cases to choose on; not those to report on.",
         "howsure.TrainValidationTest().splits(y)[0].validation"),
    term("variance", "python:howsure.bias_variance", "How predictions differ between models from many training sets.",
         "howsure.selection.decompose(votes, there).variance", weka="BVDecompose"),
    term("VC dimension", "python:howsure.selection.vc_bound", "How many cases a learner can split in every way.",
         "howsure.selection.vc_bound(0.05, n=1000, h=10)"),
    term("vertical averaging", "python:howsure.curves.average_roc",
         "ROC curves of folds, averaged at each false positive rate.",
         'howsure.curves.average_roc([a.scores, a.scores], "vertical")'),
    term("weak learner", "learner:AdaBoost", "A little better than guessing; boosting makes much of many.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).estimator_errors_"),
    term("weighted average", "python:howsure.Assessment.estimate", "Over classes, by their sizes.",
         'many.estimate("f1", average="weighted")', sklearn="average='weighted'", weka="Weighted Avg.",
         r="yardstick 'macro_weighted'"),
    term("weighted error", "learner:AdaBoost", "Of a member: the weights of the cases that it gets wrong.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).trace_['epsilon']"),
    term("weighted resampling", "learner:AdaBoost", "Training cases drawn by their weights.",
         'howsure.learners.AdaBoost(n_estimators=3, sampling="resample", random_state=0).fit(X, y)'),
    term("weighted voting", "learner:AdaBoost", "Votes count by alpha.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).estimator_weights_"),
    term("weights of cases in boosting", "learner:AdaBoost", "Those that were wrong count more in the next round.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).trace_"),
    term("within-group sum of squares", "test:anova", "The spread of each classifier's values about its mean.",
         "howsure.significance.anova(table).df"),
    term("z-score", "test:z_test", "A distance in standard errors.",
         "howsure.significance.z_test(A, 0.9, sigma=0.02).statistic"),
    term("z-table", "python:howsure.intervals.mean_z", "Not needed: intervals and tests look it up.",
         "howsure.intervals.mean_z(A, confidence=0.8)"),
    term("zero-one loss, decomposed", "python:howsure.selection.decompose", "By Domingos, and by Kohavi and Wolpert.",
         'howsure.selection.decompose(votes, there).by("kohavi-wolpert")'),
)
# fmt: on


def page() -> str:
    """Give the whole page: a heading for each letter, and the terms below it in order."""
    sections = (
        f"## {letter}\n\n{COLUMNS}{''.join(map(row, found))}" for letter, found in groupby(sorted_terms(), key=initial)
    )
    return HEAD.format(setup=SETUP) + "\n".join(sections)


def sorted_terms() -> list[Term]:
    """Give what the registries declare and what the table adds, in the order of the alphabet."""
    return sorted((*declared(), *TERMS), key=lambda term: (initial(term) != NUMBERS, _spelt(term.name), term.target))


NUMBERS = "Numbers"


def initial(term: Term) -> str:
    first = _spelt(term.name)[0]
    return first.upper() if first.isalpha() else NUMBERS


def _spelt(name: str) -> str:
    return re.sub(r"[^0-9a-z ]", "", name.casefold().replace("_", " ").replace("-", " ")).strip()


def declared() -> Iterator[Term]:
    """Give a term for each name of each registry, and one for each of its aliases."""
    for kind, registry in REGISTRIES.items():
        for name, item in registry.items():
            target = f"{kind}:{name}"
            words, example = _title(kind, name, item), _example(target, item, name)
            first = Term(words, target, _text(kind, item), example, ELSEWHERE.get(target, Elsewhere()))
            yield replace(first, text=f"{first.text} `{item.formula}`") if hasattr(item, "formula") else first
            for alias in aliases(registry, name):
                if alias != canonical(first.name):
                    yield replace(first, name=alias.replace("_", " "), example=_example(target, item, alias))


def aliases(registry: Registry[Any], name: str) -> list[str]:
    """Give the other names that a registry takes for one of its own, as they were declared where that is known."""
    spelt = {canonical(alias): alias for alias in getattr(registry[name], "aliases", ())}
    return [spelt.get(key, key) for key in registry.other_names(name)]


def _title(kind: str, name: str, item: Any) -> str:
    """Give the words to look it up by."""
    if kind == "interval":
        return f"{name} interval"
    if kind == "outcome" and name in REGISTRIES["measure"]:
        return f"{item.title} of answers"
    if kind in ("test", "coefficient", "outcome", "advice"):
        return str(item.title)
    return name.replace("_", " ")


def _text(kind: str, item: Any) -> str:
    """Say what it is, in the words of its declaration."""
    if kind == "test":
        return f"Gives {item.null}." if item.kind == "bayesian" else f"Can reject that {item.null}."
    if kind == "interval":
        return f"{item.title} ({item.source})." if item.source else f"{item.title}."
    if kind == "advice":
        return _first_sentence(item.explanation[0])
    return _first_sentence(item.__doc__ if kind in ("scheme", "learner") else item.summary)


def _first_sentence(text: str) -> str:
    first = " ".join(text.split("\n\n")[0].split()).replace("``", "`")
    return re.split(r"(?<=[a-z0-9)`][.?])(?<! al\.) ", first)[0]


def _example(target: str, item: Any, name: str) -> str:
    """Give a call by one of the names of what is declared; the registries say what it is a call of."""
    kind, _, declared_name = target.partition(":")
    if kind in ("measure", "outcome", "coefficient"):
        return f'{_asked(target, item)}["{name}{PARAMETERS.get(target, "")}"]'
    if kind == "curve":
        return f"a.{name}()" if name == declared_name else f'a.curve("{name}")'
    if kind == "interval":
        of = INTERVAL_EXAMPLES.get(declared_name)
        return of or f'{OFFERED[item.needs]}.interval(method="{name.replace("_", "-")}")'
    if kind == "test":
        call = TEST_EXAMPLES.get(declared_name, declared_name + OF_NUMBER.get(item.classifiers, ""))
        return f"howsure.significance.{call}"
    if kind == "advice":
        return FINDINGS.get(item.needs[0], "r.findings")
    call = f"{declared_name}({ARGUMENTS.get(declared_name, '')})"
    return f"howsure.learners.{call}.fit(X, y)" if kind == "learner" else f"howsure.{call}.splits(y)"


def _asked(target: str, item: Any) -> str:
    """Name the result that has the measure or coefficient."""
    if target.startswith("outcome:"):
        return "answers"
    if target.startswith("coefficient:"):
        return "ordered" if target in ORDERED else "g"
    return "many" if item.scope == "rows" else "a"


def link(target: str) -> str:
    """Lead to the page that says more."""
    kind, _, name = target.partition(":")
    if kind in FOLDERS:
        return f"[`{name}`]({FOLDERS[kind]}/{name}.md)"
    if kind in ("outcome", "coefficient"):
        return f"[`{name}`](measures/index.md)"
    if kind == "page":
        return f"[{name.partition('/')[2].replace('-', ' ')}](../{name}.md)"
    full = {"scheme": f"howsure.{name}", "learner": f"howsure.learners.{name}"}.get(kind, name)
    return f"{{py:obj}}`{full}`"


def row(term: Term) -> str:
    example = f"`{term.example}`" if term.example else ""
    cells = (term.name, f"{link(term.target)}: {term.text}", example, *term.elsewhere)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"
