"""Write docs/reference/terms.md: terms of textbooks and other programs, with their name and a call in Howsure.

Names, aliases, summaries and formulas come from the registries. Further terms of textbooks and names in other programs
are in the tables below. A target is a kind and a name, such as "measure:recall" or "test:mcnemar"; "python:" is a
public name of the package, "page:" a page of the site. tests/surfaces/test_terms.py runs all examples after `SETUP`.
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

Terms of textbooks and other programs, with the corresponding name in Howsure and an example call. Names in brackets can
be written with spaces, hyphens or underscores: `a["hit rate"]` is `a["hit_rate"]`. The examples use these variables:

```python
{setup}```

If scikit-learn has no equivalent, the column shows SciPy or statsmodels. For more calls see
[scikit-learn](../coming-from/scikit-learn.md), [Weka](../coming-from/weka.md), [R](../coming-from/proc.md).

"""
COLUMNS = "| term | in Howsure | example | scikit-learn | Weka | R |\n|---|---|---|---|---|---|\n"
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
    """Names in other programs; empty if they have no equivalent."""

    sklearn: str = ""
    weka: str = ""
    r: str = ""


@dataclass(frozen=True)
class Term:
    """A term with its target, description, example, and names in other programs."""

    name: str
    target: str
    text: str
    example: str
    elsewhere: Elsewhere


def term(name: str, target: str, text: str, example: str = "", sklearn: str = "", weka: str = "", r: str = "") -> Term:
    return Term(name, target, text, example, Elsewhere(sklearn, weka, r))


# Names of registry entries in other programs.
ELSEWHERE: dict[str, Elsewhere] = {
    "measure:accuracy": Elsewhere("accuracy_score", "Correctly Classified Instances", "caret Accuracy"),
    "measure:error_rate": Elsewhere("zero_one_loss", "Incorrectly Classified Instances"),
    "measure:balanced_accuracy": Elsewhere(
        "balanced_accuracy_score", "", "caret Balanced Accuracy, yardstick bal_accuracy (equal for two classes only)"
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
    "measure:informedness": Elsewhere("", "", "yardstick j_index, pROC youden (without the - 1)"),
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

# Required parameters of measures.
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
ORDERED = {"coefficient:gwet_ac2"}  # undefined for unordered categories

# An estimate to which an interval method applies, by the needs of the method.
ESTIMATES = {
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
# Interval methods that are shown as functions.
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
# Results with a finding, by the first need of the finding; all other findings are those of an experiment.
OF_CASES = ("table", "scores", "threshold", "clusters", "repeated", "annotations")
FINDINGS = {**dict.fromkeys(OF_CASES, "a.findings"), "ratings": "g.findings"}
ARGUMENTS = {  # keep examples fast
    "Bagging": "n_estimators=5",
    "RandomForest": "n_estimators=5",
    "AdaBoost": "n_estimators=5",
    "Stacking": '{"tree": tree, "bayes": bayes}',
}
OF_NUMBER = {
    "two": "(A, B)",
    "two or more": "(A, B)",
    "many": "(table)",
}  # arguments of the other tests, by number of classifiers

# Terms of textbooks and other programs that are in no registry.
# fmt: off
TERMS = (
    term("0.632 bootstrap", "python:howsure.resampling.bootstrap_error",
         "0.632 times the error on cases that were not drawn, plus 0.368 times the training error.",
         'howsure.resampling.bootstrap_error(bayes, X, y, method="632", rounds=5)',
         r="caret 'boot632', ipred errorest"),
    term("0.632+ bootstrap", "python:howsure.resampling.bootstrap_error",
         "The .632 bootstrap with a weight that allows for overfitting (Efron and Tibshirani 1997).",
         'howsure.resampling.bootstrap_error(bayes, X, y, method="632+", rounds=5)',
         r="ipred errorest(estimator = '632plus')"),
    term("50/25/25 split", "scheme:TrainValidationTest",
         "Half for training, a quarter for selection, a quarter for testing.",
         "howsure.TrainValidationTest(0.25, 0.25).splits(y)"),
    term("absolute error", "measure:mean_absolute_error", "The distance between probabilities and outcomes.",
         'a["mean_absolute_error"]'),
    term("accept the null hypothesis", "python:howsure.significance.decide",
         "A test that does not reject does not show equality; `decide` says so in words.",
         "howsure.significance.decide(howsure.significance.mcnemar(25, 15))"),
    term("adjusted p-value", "python:howsure.significance.adjust", "A p-value adjusted for the number of tests.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], method="holm")', sklearn="statsmodels multipletests",
         r="p.adjust"),
    term("AIC", "python:howsure.selection.criteria",
         "Akaike's information criterion: fit, with a penalty for the number of parameters.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))', r="AIC"),
    term("algorithm preference", "python:howsure.ExperimentResult.preference",
         "Weighs error against time, memory, size and complexity.",
         'r.preference(weights={"error_rate": 2, "fit_seconds": 1}, dataset="iris")'),
    term("alpha of a test", "python:howsure.compare",
         "The significance level of a test. In AdaBoost: the weight of a member's vote.",
         'howsure.compare(truth, {"one": predicted, "other": other}, alpha=0.01)'),
    term("alternative hypothesis", "page:guide/one-classifier",
         "The hypothesis that a test can support: two-sided, less or greater.",
         'howsure.significance.wilcoxon(A, B, alternative="greater")'),
    term("annotator disagreement", "python:howsure.agreement", "How much people who label the same items agree.",
         'g["percent_agreement"]'),
    term("apparent error", "scheme:Resubstitution", "The error on the training cases; far too low.",
         "howsure.Resubstitution().splits(y)", weka="Use training set"),
    term("attribute sampling", "learner:RandomForest", "Each node chooses among a random subset of the attributes.",
         'howsure.learners.RandomForest(3, max_features="sqrt", random_state=0).fit(X, y)', sklearn="max_features",
         r="mtry"),
    term("bar of a critical difference diagram", "test:critical_difference",
         "Joins classifiers that do not differ significantly.", "howsure.significance.critical_difference(table).bars"),
    term("base classifier", "learner:Stacking", "A member of an ensemble.",
         'howsure.learners.Stacking({"tree": tree, "bayes": bayes}).fit(X, y)'),
    term("baseline", "measure:majority_baseline",
         "The accuracy of always predicting the most frequent class; or the model to beat.", 'a["improvement"]',
         weka="ZeroR"),
    term("Bayes risk", "python:howsure.bias_variance", "The loss of the best possible prediction: the noise.",
         "howsure.selection.decompose(votes, there, probabilities=[0.1, 0.8, 0.9]).noise"),
    term("Bayesian comparison", "test:bayesian_correlated_t",
         "The probability that one classifier is better by more than a practically relevant amount.",
         "howsure.significance.bayesian_correlated_t(A, B, rho=1 / 6, rope=0.01)"),
    term("Benjamini-Hochberg", "python:howsure.significance.adjust",
         "Controls the false discovery rate, not the family-wise error.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "bh")', sklearn="statsmodels 'fdr_bh'", r="p.adjust 'BH'"),
    term("Bergmann-Hommel procedure", "python:howsure.significance.adjust",
         "The most powerful adjustment for all pairs; up to nine classifiers.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "bergmann-hommel", '
         'pairs=[("a", "b"), ("a", "c"), ("b", "c")])',
         r="scmamp adjustBergmannHommel"),
    term("Bernoulli process", "interval:wilson",
         "Independent trials with the same probability of success, such as correct and wrong predictions.",
         "howsure.intervals.wilson(75, 100, confidence=0.8)"),
    term("best threshold", "python:howsure.Assessment.best_threshold",
         "The threshold at which a measure is best, or the cost lowest.", 'a.best_threshold("f1")',
         sklearn="TunedThresholdClassifierCV", weka="ThresholdSelector", r="pROC coords(r, 'best')"),
    term("between-group sum of squares", "test:anova",
         "The variation between the means of classifiers; compared with the variation within.",
         "howsure.significance.anova(table).statistic"),
    term("bias", "python:howsure.bias_variance",
         "The systematic error that models from many training sets have in common.",
         "howsure.selection.decompose(votes, there).bias", weka="BVDecompose"),
    term("bias-variance decomposition", "python:howsure.bias_variance",
         "The loss as a sum of noise, bias and variance, exact to the last digit.",
         "howsure.bias_variance(tree, X, y, rounds=2).identity", weka="BVDecompose"),
    term("bias-variance trade-off", "python:howsure.selection.bias_variance_curve",
         "Bias and variance as functions of a setting of the learner.",
         'howsure.selection.bias_variance_curve(tree, X, y, "max_depth", [1, 3], rounds=2)'),
    term("BIC", "python:howsure.selection.criteria", "Schwarz' criterion: its penalty grows with log n.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))', r="BIC"),
    term("binomial distribution", "test:binomial_test", "The distribution of the number of errors in n cases.",
         "howsure.significance.binomial_test(20, 100, 0.25)"),
    term("Bonferroni correction", "python:howsure.significance.adjust", "Each of m tests at the level alpha / m.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "bonferroni")', sklearn="statsmodels multipletests",
         r="p.adjust"),
    term("boosting", "learner:AdaBoost",
         "Members are fitted one after the other, each to the errors of the previous ones.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y)", weka="AdaBoostM1"),
    term("bootstrap aggregation", "learner:Bagging", "Another name of bagging.",
         "howsure.learners.Bagging(n_estimators=3).fit(X, y)"),
    term("bootstrap sample", "scheme:Bootstrap", "As many cases as there are, drawn with replacement.",
         "howsure.Bootstrap(rounds=5).splits(y)"),
    term("C4.5", "learner:PessimisticTree", "Its pruning method; the trees are scikit-learn's.",
         'howsure.learners.PessimisticTree(0.25, bound="c45").fit(X, y)', weka="J48", r="RWeka J48"),
    term("case weight", "python:howsure.assess",
         "How much a case counts; a whole number has the effect of repeating it.",
         "howsure.assess(truth, predicted, weight=np.ones(60))", sklearn="sample_weight", weka="instance weight",
         r="case_weights"),
    term("ceiling", "python:howsure.Assessment.ceiling",
         "The highest accuracy that can be reached if annotators disagree.", "a.ceiling"),
    term("central limit theorem", "python:howsure.intervals.mean_z",
         "The reason why means of many values are approximately normal.", "howsure.intervals.mean_z(A)"),
    term("chance agreement", "python:howsure.Assessment.chance",
         "The confusion matrix of a random classifier with the same margins.", "a.chance()"),
    term("chi-squared distribution", "test:friedman",
         "The distribution of sums of squares; used for Friedman's, McNemar's and Cochran's statistics.",
         "howsure.significance.friedman(table).df", sklearn="SciPy chi2", r="pchisq"),
    term("chi-squared test", "test:mcnemar", "For two classifiers: McNemar's test, by its statistic.",
         'howsure.significance.mcnemar(25, 15, "chi2")'),
    term("class distribution", "measure:prevalence", "The shares of the classes.", 'a["prevalence"]'),
    term("class imbalance", "advice:A003", "One class has most of the cases, so accuracy is not informative.",
         'a["balanced_accuracy"]'),
    term("class label", "python:howsure.Assessment.labels", "Text, whole numbers or booleans.", "many.labels"),
    term("class skew", "advice:A003", "Another name of class imbalance.", "a.findings"),
    term("class weight", "learner:CostSensitive", "Training cases are weighted by the cost of an error on their class.",
         'howsure.learners.CostSensitive(tree, howsure.Costs(1 - np.eye(3)), "weights").fit(X, y)',
         sklearn="class_weight"),
    term("class-specific precision", "measure:precision", "Precision of one class.",
         'many.estimate("precision", label=2)', sklearn="precision_score(average=None)"),
    term("classifier", "python:howsure.assess",
         "A fitted classifier is assessed on cases that were not used for training.",
         "howsure.assess(bayes.fit(X[::2], y[::2]), X[1::2], y[1::2])"),
    term("clustered cases", "python:howsure.assess", "Cases that are not independent, such as those of a patient.",
         "howsure.assess(truth, predicted, cluster=patient)"),
    term("Cohen's d", "python:howsure.Comparison", "The size of a difference in standard deviations.",
         "r.compare(dataset='iris').frame()"),
    term("combiner", "learner:Stacking", "The learner that combines the predictions of the others.",
         'howsure.learners.Stacking({"tree": tree}, final_estimator=bayes).fit(X, y)', sklearn="final_estimator"),
    term("complexity curve", "python:howsure.selection.complexity_curve", "Error against a setting of the learner.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))',
         sklearn="validation_curve"),
    term("concordance of two classifications", "measure:kappa", "Agreement beyond chance: kappa.", 'a["kappa"]'),
    term("confidence interval", "page:guide/intervals", "Contains the true value in, for example, 95 % of samples.",
         'a["recall"].interval(confidence=0.9)'),
    term("confidence level", "page:guide/intervals", "How often intervals of this kind contain the true value.",
         'a["recall"].interval(confidence=0.99)'),
    term("confusion matrix", "python:howsure.Confusion", "Cases by true (rows) and predicted class (columns).",
         "a.confusion", sklearn="confusion_matrix", weka="Confusion Matrix",
         r="caret confusionMatrix (rows predicted)"),
    term("contingency table", "python:howsure.Confusion", "The confusion matrix; in some books rows are predictions.",
         "a.confusion.transpose()"),
    term("continuity correction", "test:mcnemar", "Reduces the difference by half a case; makes the test conservative.",
         'howsure.significance.mcnemar(25, 15, "chi2-corrected")'),
    term("convex hull", "curve:roc_hull", "The hull of the ROC curve: the thresholds that are optimal for some costs.",
         "a.roc_hull()"),
    term("corrected resampled t test", "test:corrected_paired_t", "The t test of Nadeau and Bengio.",
         "howsure.significance.corrected_paired_t(A, B, ratio=1 / 5)", weka="Paired T-Tester (corrected)"),
    term("cost matrix", "python:howsure.Costs", "A cost for each true (rows) and predicted class (columns).",
         "howsure.Costs([[0, 1], [5, 0]])", weka="CostMatrix"),
    term("cost-sensitive learning", "learner:CostSensitive",
         "Uses costs in training by weights, copies, a threshold or other labels.",
         'howsure.learners.CostSensitive(bayes, howsure.Costs(1 - np.eye(3)), "threshold").fit(X, y)',
         weka="CostSensitiveClassifier"),
    term("crisp prediction", "python:howsure.assess", "A label without a probability.",
         "howsure.assess(truth, predicted)"),
    term("critical difference", "test:critical_difference", "The smallest significant difference of mean ranks.",
         "howsure.significance.critical_difference(table).cd", r="scmamp getNemenyiCD"),
    term("critical difference diagram", "test:critical_difference",
         "The picture of mean ranks and bars; `.plot()` draws it.", "howsure.significance.critical_difference(table)",
         r="scmamp plotCD"),
    term("critical value", "python:howsure.significance.nemenyi", "The value that a statistic must exceed to reject.",
         "howsure.significance.nemenyi(table).pairs[0].critical"),
    term("cross-validation", "scheme:KFold", "Each case is tested once, by a model that was not trained on it.",
         "howsure.KFold(10).splits(y)", sklearn="cross_val_score", weka="Cross-validation",
         r="caret trainControl('cv')"),
    term("curse of dimensionality", "python:howsure.selection.shell_volume",
         "In many dimensions almost all of the volume is near the edge.",
         "howsure.selection.shell_volume(20, epsilon=0.05)"),
    term("cut-off", "python:howsure.Assessment.at", "Another name of the threshold.", 'a.at(0.3)["recall"]'),
    term("data leakage", "advice:A011", "Test cases were used for training or selection.", "r.findings"),
    term("decision boundary", "page:guide/bias-variance",
         "Where the predicted class changes; Howsure does not draw it.", ""),
    term("decision stump", "learner:AdaBoost", "A tree with one split, the usual member of AdaBoost.",
         "howsure.learners.AdaBoost(DecisionTreeClassifier(max_depth=1), 3, random_state=0).fit(X, y)",
         sklearn="DecisionTreeClassifier(max_depth=1)", weka="DecisionStump"),
    term("degrees of freedom", "test:paired_t", "k - 1 for k folds, because one mean is estimated.",
         "howsure.significance.paired_t(A, B).df"),
    term("design effect", "python:howsure.Estimate",
         "The factor by which clustering reduces the effective number of cases.",
         'howsure.assess(truth, predicted, cluster=patient)["accuracy"].design_effect'),
    term("diagnostic test", "measure:recall", "The medical term for a classifier.",
         'a["sensitivity"], a["specificity"]'),
    term("diagonal of the ROC plot", "measure:auc", "Random guessing: an area of one half.", "a.roc().lines"),
    term("discordant cases", "test:mcnemar",
         "Cases that exactly one of two classifiers misclassifies; only they affect the test.",
         "howsure.significance.mcnemar(12, 5, n=100)"),
    term("duplicating examples", "learner:CostSensitive",
         "Training cases are repeated in proportion to the cost of an error on them.",
         'howsure.learners.CostSensitive(bayes, howsure.Costs(1 - np.eye(3)), "duplicate").fit(X, y)'),
    term("effect size", "python:howsure.Comparison", "The size of a difference, as opposed to its significance.",
         "c.frame()"),
    term("effective number of cases", "python:howsure.Estimate",
         "The number of independent cases with the same information as weighted or clustered ones.",
         'howsure.assess(truth, predicted, cluster=patient)["accuracy"].effective_n'),
    term("empirical frequency", "interval:wilson", "The observed proportion, on which the interval is based.",
         "howsure.intervals.wilson(75, 100)"),
    term("ensemble", "page:guide/ensembles", "Several classifiers that vote.", "howsure.learners.names()"),
    term("equal error costs", "python:howsure.Costs", "The assumption behind accuracy.",
         "howsure.Costs(false_negative=1, false_positive=1)"),
    term("error estimate", "page:guide/resampling", "The error of a learner on new cases, estimated by resampling.",
         'r.estimate("error_rate", "tree", "iris")'),
    term("exact test", "test:mcnemar", "Uses the binomial distribution; slightly conservative.",
         'howsure.significance.mcnemar(12, 5, "exact")'),
    term("expected error", "page:guide/resampling",
         "The mean error of an algorithm over training sets: cross-validation estimates it.",
         'r.estimate("error_rate", "bayes", "iris")'),
    term("expected loss", "measure:mean_cost", "The mean loss per case; with zero-one loss it is the error rate.",
         'a["error_rate"]'),
    term("experiment", "python:howsure.Experiment", "Runs learners on data sets and splits.", "r", weka="Experimenter",
         r="caret resamples"),
    term("F distribution", "test:anova", "The distribution of a ratio of two variances.",
         "howsure.significance.anova(table).df", sklearn="SciPy f", r="pf"),
    term("F test", "test:five_by_two_f", "For 5 x 2 folds (Alpaydin 1999); for means see the analysis of variance.",
         "howsure.significance.five_by_two_f(halves)"),
    term("false alarms, number of", "python:howsure.Confusion", "The number of false positives.",
         "a.confusion.counts[1, 0]"),
    term("false negative", "measure:false_negative_rate", "A case of the class that was not detected.",
         'a["false_negative_rate"]', sklearn="confusion_matrix", weka="Confusion Matrix"),
    term("false positive", "measure:false_positive_rate", "A case of another class that was predicted as this class.",
         'a["false_positive_rate"]', sklearn="confusion_matrix", weka="Confusion Matrix"),
    term("family-wise error", "python:howsure.significance.adjust",
         "The probability that any of several tests rejects a true null hypothesis.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "holm")'),
    term("fold", "scheme:KFold", "One of the parts that are the test set in turn.",
         "howsure.KFold(5).splits(y)[0].test"),
    term("gate", "python:howsure.gate", "Passes a candidate only if it is shown to be no worse than the baseline.",
         "howsure.gate(truth, baseline=other, candidate=predicted, margin=0.1)"),
    term("generalisation error", "page:guide/resampling", "The error on new cases.",
         'r.estimate("error_rate", "tree", "iris")'),
    term("graded answers", "python:howsure.assess", "Scores from 0 to 1 instead of correct and wrong.",
         "howsure.assess(correct=[0.5, 1, 0, 0.75])"),
    term("grid search", "python:howsure.selection.tune", "Tries every setting of a grid on the same splits.",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)', sklearn="GridSearchCV",
         weka="CVParameterSelection", r="caret train(tuneGrid =)"),
    term("ground truth", "python:howsure.assess", "The first argument, `truth`.", "howsure.assess(truth, predicted)",
         sklearn="y_true", weka="actual", r="reference, truth"),
    term("groups", "scheme:KFold", "Rows of a group are always on the same side of a split.",
         "howsure.KFold(5).splits(truth, groups=patient)", sklearn="StratifiedGroupKFold", r="caret groupKFold"),
    term("harmonic mean", "measure:f1", "F1 is that of precision and recall, not their product, as in some slides.",
         'a["f1"]'),
    term("Hochberg's procedure", "python:howsure.significance.adjust", "A step-up version of Holm's procedure.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "hochberg")', sklearn="statsmodels 'simes-hochberg'",
         r="p.adjust"),
    term("Holm's procedure", "python:howsure.significance.adjust",
         "A stepwise Bonferroni adjustment; never less powerful than Bonferroni's.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "holm")', sklearn="statsmodels 'holm'", r="p.adjust"),
    term("horizontal cut of a tree", "learner:PessimisticTree", "Limits the depth: a stopping rule before pruning.",
         "howsure.learners.PessimisticTree(max_depth=2).fit(X, y)", sklearn="max_depth"),
    term("hyperparameter", "python:howsure.selection.tune",
         "A setting of a learner, to be selected on other cases than the test cases.",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)'),
    term("hypothesis test", "page:guide/one-classifier",
         "Computes how surprising the data are if there is no difference.",
         "howsure.significance.binomial_test(20, 100, 0.25)"),
    term("ideal classifier", "curve:roc", "The point (0, 1) of the ROC plot.",
         'howsure.assess(truth, truth, positive="ill")["recall"]'),
    term("information criterion", "python:howsure.selection.criteria",
         "Fit with a penalty for complexity; needs no test set.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))'),
    term("inter-rater agreement", "python:howsure.agreement", "Kappa and similar coefficients for two or more raters.",
         "g"),
    term("interpretability", "python:howsure.ExperimentResult.profile",
         "Not measured; size and complexity of a model are related to it.", "r.profile()"),
    term("interval estimation", "page:guide/intervals", "Computes a value with its interval.",
         'a["accuracy"].low, a["accuracy"].high'),
    term("intraclass correlation", "python:howsure.plan.mcnemar",
         "The correlation of cases in a cluster; use `icc=` in planning.",
         "howsure.plan.mcnemar(power=0.8, difference=0.1, discordant=0.2, icc=0.1, cluster_size=5)"),
    term("inverting a classifier", "advice:A009",
         "If the area is below one half, inverted scores have an area above one half.",
         "howsure.assess(truth, scores=-scores, positive='ill')['auc']"),
    term("iso-accuracy line", "curve:roc_hull",
         "Points of the ROC plot with the same accuracy; the slope is negatives divided by positives.", "a.roc_hull()"),
    term("iso-cost line", "curve:roc_hull",
         "Points of the ROC plot with the same cost, for given costs and class shares.", "a.roc_hull()"),
    term("iso-F curve", "python:howsure.Assessment.per_class",
         "Precision and recall with the same F1; `.plot()` draws the classes with these curves.", "many.per_class()"),
    term("judge", "python:howsure.assess", "A model that labels cases; a few human labels correct its bias.",
         'judged["rate"]'),
    term("label noise", "python:howsure.label_noise", "The effect of wrong test labels.",
         "howsure.label_noise(howsure.assess(truth, predicted), (3, 60))"),
    term("Laplace smoothing", "python:howsure.learners.smooth", "Adds one case of each class to a leaf.",
         'howsure.learners.smooth([0, 17], "laplace")', weka="J48 -A"),
    term("leaderboard tiers", "python:howsure.Comparison.ranking",
         "Groups of classifiers that do not differ significantly.", "c.ranking()"),
    term("leaf", "learner:PessimisticTree", "A node without children; it determines the prediction.",
         "howsure.learners.PessimisticTree().fit(X, y).get_n_leaves()"),
    term("learning curve", "python:howsure.selection.learning_curve", "Error against the number of training cases.",
         "howsure.selection.learning_curve(bayes, X, y, sizes=[15, 30], resampling=howsure.KFold(2))",
         sklearn="learning_curve"),
    term("leave-one-out", "scheme:LeaveOneOut", "As many folds as cases; misleading if classes have equal sizes.",
         "howsure.LeaveOneOut().splits(y)", sklearn="LeaveOneOut", r="caret 'LOOCV'"),
    term("leave-one-out paradox", "advice:A010",
         "With two equal classes, always predicting the majority is always wrong.",
         "howsure.LeaveOneOut().splits([0, 1] * 10)"),
    term("level of significance", "python:howsure.compare", "The accepted type-I error, `alpha`.",
         'howsure.compare(truth, {"one": predicted, "other": other}, alpha=0.05)'),
    term("likelihood ratio", "measure:positive_likelihood_ratio", "How a prediction changes the odds of the class.",
         'a["lr_plus"], a["lr_minus"]'),
    term("log of an evaluation", "python:howsure.read_log", "A file written by inspect_ai or lm-evaluation-harness.",
         "howsure.read_log"),
    term("loss function", "measure:mean_cost", "The cost of an error: zero-one, squared, or a matrix.",
         'a["mean_cost"]'),
    term("macro average", "python:howsure.Assessment.estimate",
         "The mean over classes, with equal weight for each class.", 'many.estimate("f1", average="macro")',
         sklearn="average='macro'", r="yardstick 'macro'"),
    term("main prediction", "python:howsure.selection.decompose",
         "In Domingos' decomposition: what most models predict for a case.",
         "howsure.selection.decompose(votes, there)"),
    term("majority class", "measure:majority_baseline",
         "The most frequent class; its share is the accuracy of always predicting it.", 'a["majority_baseline"]',
         weka="ZeroR"),
    term("majority voting", "learner:Bagging", "The class that most members predict.",
         'howsure.learners.Bagging(n_estimators=3, voting="hard").fit(X, y)', sklearn="VotingClassifier", weka="Vote"),
    term("margin", "python:howsure.gate",
         "The loss that would not matter. (The margin of a boosted vote is not computed.)",
         "howsure.gate(truth, baseline=other, candidate=predicted, margin=0.2)"),
    term("maximum error of a node", "python:howsure.learners.upper_error", "The upper bound that is used for pruning.",
         "howsure.learners.upper_error(2, 6, 0.25)"),
    term("MDL", "python:howsure.selection.criteria", "Minimum description length: bits for the model and its errors.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))'),
    term("memory", "python:howsure.ExperimentResult.profile",
         "Peak memory of training and prediction, and the size of the model.", "r.profile()"),
    term("meta-learner", "learner:Stacking", "Another name of the combiner.",
         'howsure.learners.Stacking({"tree": tree, "bayes": bayes}).fit(X, y)'),
    term("MetaCost", "learner:CostSensitive", "Relabels training cases with the class of the lowest expected cost.",
         'howsure.learners.CostSensitive(bayes, howsure.Costs(1 - np.eye(3)), "relabel", cv=2).fit(X, y)',
         weka="MetaCost"),
    term("methods section", "python:howsure.Comparison.methods_text", "A paragraph for a paper, with references.",
         "c.methods_text()"),
    term("micro average", "python:howsure.Assessment.estimate", "Computed from the counts of all classes together.",
         'many.estimate("f1", average="micro")', sklearn="average='micro'", r="yardstick 'micro'"),
    term("mid-p value", "test:mcnemar", "The exact test with half the probability of the observed count.",
         'howsure.significance.mcnemar(12, 5, "mid-p")'),
    term("minimum number of cases in a leaf", "learner:PessimisticTree", "A stopping rule before pruning; C4.5 uses 2.",
         "howsure.learners.PessimisticTree(min_samples_leaf=2).fit(X, y)", sklearn="min_samples_leaf", weka="J48 -M"),
    term("misclassification cost", "python:howsure.Costs", "The cost of an error, by true and predicted class.",
         "howsure.Costs(false_negative=5, false_positive=1)"),
    term("misclassification error", "measure:error_rate", "Another name of the error rate.", 'a["error_rate"]'),
    term("missed cases", "measure:false_negative_rate", "Another name of false negatives.", 'a["miss_rate"]'),
    term("model assessment", "python:howsure.assess", "Estimates how good the selected model is on new cases.",
         "howsure.assess(truth, predicted)"),
    term("model complexity", "python:howsure.selection.complexity_curve",
         "The training error decreases with complexity; the test error decreases and then increases.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))'),
    term("model selection", "python:howsure.selection.tune", "Finds the best of several models.",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)'),
    term("multi-class", "python:howsure.assess", "More than two classes: use averages, or one class against the rest.",
         "many.per_class()"),
    term("multiple comparisons", "python:howsure.significance.adjust", "Many tests find some differences by chance.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "shaffer", pairs=[("a", "b"), ("a", "c"), ("b", "c")])'),
    term("nested cross-validation", "python:howsure.selection.nested",
         "Selects settings within each fold, so that the selection is tested too.",
         'howsure.selection.nested(tree, {"max_depth": [1, 3]}, X, y, outer=howsure.KFold(2), inner=howsure.KFold(2))',
         r="rsample nested_cv"),
    term("net variance", "python:howsure.selection.decompose",
         "In Domingos' decomposition: harmful variance minus beneficial variance.",
         "howsure.selection.decompose(votes, there).net_variance"),
    term("Newman-Keuls range test", "test:newman_keuls",
         "Sorted means, with lines under those that do not differ significantly.",
         "howsure.significance.newman_keuls(table).lines()"),
    term("No free lunch", "page:how-to/comparison", "No learner is best for all data: compare on yours.",
         'r.compare("accuracy", "iris")'),
    term("noise", "python:howsure.selection.noise_curve",
         "Wrong training labels; in a decomposition, the error that no model can avoid.",
         "howsure.selection.noise_curve(tree, X, y, shares=(0, 0.2), resampling=howsure.KFold(2))"),
    term("non-discrimination line", "curve:roc", "The diagonal of the ROC plot.", "a.roc().lines"),
    term("nonparametric test", "test:wilcoxon", "A test without distributional assumptions, based on signs or ranks.",
         "howsure.significance.sign_test(A, B)"),
    term("normal approximation", "test:normal_test", "Approximates the binomial distribution; for many cases.",
         "howsure.significance.normal_test(20, 100, 0.25)"),
    term("normal distribution", "python:howsure.intervals.mean_z",
         "The approximate distribution of means of many values.", "howsure.intervals.mean_z(A, sigma=0.02)",
         sklearn="SciPy norm", r="pnorm"),
    term("null hypothesis", "page:guide/one-classifier", "The hypothesis of no difference; each test declares its own.",
         'howsure.significance.registry["mcnemar"].null'),
    term("Occam's razor", "python:howsure.selection.criteria",
         "Of models with the same fit, choose the simplest; criteria quantify this.",
         'howsure.selection.criteria({"tree": tree, "bayes": bayes}, X, y, resampling=howsure.KFold(2))'),
    term("one against the rest", "python:howsure.Confusion.against", "One class as positive, all others as negative.",
         'howsure.assess(many.confusion.against(2))["mcc"]', sklearn="multi_class='ovr'"),
    term("one-sided test", "page:guide/one-classifier", "Tests one direction; choose it before you see the data.",
         'howsure.significance.paired_t(A, B, alternative="greater")'),
    term("optimism", "page:guide/resampling", "The difference between the training error and the error on new cases.",
         "howsure.Resubstitution().splits(y)"),
    term("out-of-bag", "learner:Bagging", "Cases that are not in the training sample of a member.",
         "howsure.learners.Bagging(n_estimators=5, random_state=0).fit(X, y).oob_predictions_", sklearn="oob_score_"),
    term("out-of-bag error", "learner:RandomForest",
         "The error of out-of-bag votes; cases without a vote are left out and counted.",
         "howsure.learners.RandomForest(5, random_state=0).fit(X, y).oob_error_", sklearn="1 - oob_score_",
         weka="Out of bag error", r="randomForest err.rate"),
    term("out-of-fold predictions", "python:howsure.ExperimentResult.predictions",
         "Predictions of each case by a model that was not trained on it.", 'r.predictions("tree", "iris")',
         sklearn="cross_val_predict"),
    term("overfitting", "python:howsure.selection.complexity_curve",
         "The model describes the noise of its training cases.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))'),
    term("p-value", "page:guide/one-classifier",
         "The probability of a difference at least this large if there is no true difference.", "c.test.pvalue"),
    term("paired design", "python:howsure.compare", "Both classifiers on the same cases or splits; much more powerful.",
         'howsure.compare(truth, {"one": predicted, "other": other})'),
    term("paired t test of k folds", "test:corrected_paired_t",
         "The plain test treats folds as independent; this one is corrected.",
         "howsure.significance.corrected_paired_t(A, B, ratio=1 / 5)"),
    term("Pareto set", "python:howsure.ExperimentResult.preference",
         "Learners that no other learner dominates on all criteria.",
         'r.preference(weights={"error_rate": 2, "fit_seconds": 1}, dataset="iris")'),
    term("per cent of the cases contacted", "measure:gain", "The depth of a lift chart.", 'a["gain(depth=0.2)"]'),
    term("per-class table", "python:howsure.Assessment.per_class",
         "Precision, recall, F1 and specificity of each class.",
         "many.per_class()", sklearn="classification_report", weka="Detailed Accuracy By Class", r="caret byClass"),
    term("percent split", "scheme:Holdout", "Weka's name of the holdout.", "howsure.Holdout(test=0.34).splits(y)",
         weka="-split-percentage"),
    term("performance interval", "interval:wilson", "The interval of a success rate.",
         "howsure.intervals.wilson(750, 1000, 0.8)"),
    term("pessimistic error", "python:howsure.learners.upper_error", "The upper bound of an error rate in C4.5.",
         'howsure.learners.upper_error(2, 6, 0.25, "c45")', weka="Stats.addErrs"),
    term("pooled value", "python:howsure.ExperimentResult.estimate",
         "Computed from the predictions of all folds together.",
         'r.estimate("accuracy", "tree", "iris", aggregate="pooled")', weka="printed value"),
    term("population", "python:howsure.lab.coverage", "The source of a sample; known in the lab.",
         'howsure.lab.coverage("accuracy", n=30, rounds=20)'),
    term("positive class", "python:howsure.assess", "The class of two-class measures: by default the second label.",
         "a.positive", sklearn="pos_label", r="caret positive, yardstick event_level"),
    term("post hoc test", "test:nemenyi", "Tests which pairs differ, after a test of all classifiers.",
         "howsure.significance.nemenyi(table)"),
    term("posterior probability", "python:howsure.assess",
         "The probability of a class for a case: ideally the score of a classifier.", 'a["log_loss"]',
         sklearn="predict_proba"),
    term("power", "python:howsure.significance.power_binomial",
         "The probability that a test detects an existing difference.",
         "howsure.significance.power_binomial(0.2, 100, 0.3)", sklearn="statsmodels power",
         r="power.prop.test, pROC power.roc.test"),
    term("prediction-powered inference", "python:howsure.judges.prediction_powered_mean",
         "Combines a few human labels with many labels of a judge.",
         "howsure.judges.prediction_powered_mean([1, 0, 1, 1, 0, 1], [1, 0, 1, 0, 0, 1], [1, 1, 0, 1, 1, 0, 1, 1])"),
    term("prior", "python:howsure.Costs", "The share of the class where the classifier will be used.",
         "howsure.Costs(false_negative=5, false_positive=1, prior=0.02)"),
    term("prior shift", "python:howsure.Assessment.at_prevalence",
         "The same predictions if the class has a different share.", 'a.at_prevalence(0.02)["precision"]'),
    term("probabilistic classifier", "python:howsure.assess",
         "A classifier that predicts a probability for each class.",
         'howsure.assess(truth, scores=scores, positive="ill")', sklearn="predict_proba"),
    term("pruning", "learner:PessimisticTree", "Replaces a subtree by a leaf that is not worse.",
         "howsure.learners.prune(tree.fit(X, y))", sklearn="ccp_alpha (another method)", weka="J48"),
    term("random classifier", "python:howsure.Assessment.chance", "Guesses with the same margins: kappa 0, AUC 1/2.",
         "a.chance()"),
    term("range test", "test:newman_keuls", "The test of Newman and Keuls.",
         "howsure.significance.newman_keuls(table)"),
    term("rank", "test:friedman", "The position of a classifier on a data set, 1 is the best; ties share ranks.",
         "howsure.significance.critical_difference(table).ranks"),
    term("ranking of cases", "measure:auc", "The order by score; the ROC curve and the lift chart depend only on it.",
         'a["auc"]'),
    term("receiver operating characteristic", "curve:roc", "The ROC curve.", "a.roc()", sklearn="roc_curve"),
    term("region of practical equivalence", "python:howsure.compare", "Differences that do not matter, `rope=`.",
         'howsure.compare(truth, {"one": predicted, "other": other}, rope=0.05)'),
    term("rejection region", "python:howsure.significance.decide",
         "The values of the statistic for which a test rejects.",
         "howsure.significance.decide(howsure.significance.paired_t(A, B), alpha=0.01)"),
    term("reliability", "python:howsure.Assessment.brier_parts",
         "A part of the Brier score: the distance of probabilities from observed frequencies.", "a.brier_parts()"),
    term("repeated cross-validation", "scheme:KFold", "Cross-validation repeated with new random folds.",
         "howsure.KFold(10, repeats=10).splits(y)", sklearn="RepeatedStratifiedKFold", r="caret 'repeatedcv'"),
    term("report", "python:howsure.Assessment.report", "One HTML file with an adjustable threshold.", "a.report"),
    term("representative sample", "scheme:KFold", "Stratified folds keep the shares of the classes.",
         "howsure.KFold(10, stratified=True).splits(y)"),
    term("resampling", "page:guide/resampling", "Repeatedly tests on cases that were not used for training.",
         "howsure.KFold(5).splits(y)"),
    term("resolution", "python:howsure.Assessment.brier_parts",
         "A part of the Brier score: the variation of frequencies between bins.", "a.brier_parts()"),
    term("resubstitution error", "scheme:Resubstitution", "Another name of the training error.",
         "howsure.Resubstitution().splits(y)", weka="Error on training data"),
    term("risk", "measure:mean_cost", "Another name of the expected loss.", 'a["mean_cost"]'),
    term("robustness to noise", "python:howsure.selection.noise_curve",
         "The error as a function of the share of wrong training labels.",
         "howsure.selection.noise_curve(tree, X, y, shares=(0, 0.2), resampling=howsure.KFold(2))"),
    term("sample mean", "python:howsure.intervals.mean_t", "The mean over folds or data sets, with its interval.",
         "howsure.intervals.mean_t(A)"),
    term("sample size", "python:howsure.plan.mcnemar",
         "The number of cases needed to show a difference, or for an interval of a given width.",
         "howsure.plan.half_width(0.9, 0.03)", r="power.prop.test"),
    term("sampling distribution", "interval:bootstrap",
         "The distribution of a value over samples; the bootstrap simulates it.",
         'a["f1"].interval(method="bootstrap", seed=1)'),
    term("sampling with replacement", "scheme:Bootstrap",
         "A case can be drawn several times; 36.8 % are not drawn at all.", "howsure.Bootstrap(rounds=5).splits(y)"),
    term("sampling without replacement", "scheme:KFold", "Each case is drawn once.", "howsure.KFold(5).splits(y)"),
    term("scalability", "page:how-to/scale",
         "Millions of cases are processed in one pass, with binned scores if necessary.",
         'howsure.assess(truth, scores=scores, positive="ill", exact=False)["auc"].bound'),
    term("score of a case", "python:howsure.ScoreTable",
         "A number that is higher for the positive class; not always a probability.", "a.scores",
         sklearn="decision_function, predict_proba"),
    term("Shaffer's procedure", "python:howsure.significance.adjust",
         "Holm's procedure, using the fact that not all sets of pairs can be equal.",
         'howsure.significance.adjust([0.01, 0.02, 0.04], "shaffer", pairs=[("a", "b"), ("a", "c"), ("b", "c")])'),
    term("shell volume", "python:howsure.selection.shell_volume",
         "The share of a ball's volume that is near its surface.",
         "howsure.selection.shell_volume([1, 2, 20], epsilon=0.05)"),
    term("signal detection", "curve:roc", "The origin of ROC curves: hits against false alarms.", "a.roc()"),
    term("significance level", "python:howsure.compare", "`alpha`, chosen before you see the data.",
         'howsure.compare(truth, {"one": predicted, "other": other}, alpha=0.1)'),
    term("simultaneous band", "curve:roc", "Contains the whole curve with the given confidence.",
         'a.roc(band="simultaneous")'),
    term("small sample", "python:howsure.intervals.mean_t", "Use Student's t instead of the normal distribution.",
         "howsure.intervals.mean_t(A[:4])"),
    term("smoothing of leaves", "python:howsure.learners.smooth",
         "Shrinks the probabilities of small leaves towards the prior.",
         'howsure.learners.smooth([0, 17], "m", m=2, prior=[0.4, 0.6])'),
    term("soft prediction", "python:howsure.assess", "Probabilities instead of labels.",
         'howsure.assess(truth, scores=scores, positive="ill")'),
    term("soft voting", "learner:Bagging", "Predicts by the mean of the members' probabilities.",
         'howsure.learners.Bagging(n_estimators=5, voting="soft").fit(X, y)',
         sklearn="VotingClassifier(voting='soft')"),
    term("squared loss", "measure:brier", "For probabilities: the Brier score.", 'a["brier"]'),
    term("SRM", "python:howsure.selection.vc_bound",
         "Structural risk minimisation: training error plus a bound that depends on the capacity.",
         "howsure.selection.vc_bound(0.05, n=1000, h=10)"),
    term("stacked generalisation", "learner:Stacking", "Another name of stacking.",
         'howsure.learners.Stacking({"tree": tree, "bayes": bayes}).fit(X, y)'),
    term("standard deviation of the mean", "python:howsure.Estimate", "Another name of the standard error.",
         'a["auc"].standard_error'),
    term("standard error", "python:howsure.Estimate", "The standard deviation of an estimate over samples.",
         'a["f1"].standard_error'),
    term("statistical pruning", "learner:PessimisticTree", "C4.5's method, by the error bound of each node.",
         'howsure.learners.PessimisticTree(bound="wilson", min_samples_leaf=2).fit(X, y)', weka="J48"),
    term("stratification", "scheme:KFold", "Each part has the same class shares.",
         "howsure.KFold(10, stratified=True).splits(y)", sklearn="StratifiedKFold", weka="always",
         r="caret createFolds"),
    term("Student's t distribution", "python:howsure.intervals.mean_t",
         "The distribution of a mean divided by its estimated standard error.", "howsure.intervals.mean_t(A)"),
    term("studentized range", "test:tukey",
         "The distribution of the largest difference of means; for Tukey, Nemenyi, Newman-Keuls.",
         "howsure.significance.tukey(table)", sklearn="SciPy studentized_range", r="ptukey"),
    term("subtree raising", "page:guide/pruning",
         "J48 replaces a node by its largest branch; Howsure does not have it."),
    term("success", "measure:accuracy", "A correctly predicted case.", 'a["accuracy"]'),
    term("t-table", "python:howsure.intervals.mean_t", "Not needed: intervals and tests compute the quantiles.",
         "howsure.intervals.mean_t(A, confidence=0.9)"),
    term("tally", "python:howsure.Tally", "Adds up the counts of batches.",
         "howsure.Tally(labels=['ill', 'well']).update(truth, predicted)"),
    term("test error", "page:guide/resampling", "The error on cases that were not used for training.",
         'a["error_rate"]'),
    term("test of one classifier", "test:binomial_test", "Tests whether its error is less than p0.",
         'howsure.significance.binomial_test(20, 100, 0.3, "less")'),
    term("test set", "scheme:Holdout", "Cases that are used neither for training nor for selection.",
         "howsure.Holdout().splits(y)[0].test", sklearn="X_test", weka="Supplied test set"),
    term("test statistic", "test:paired_t", "The distance of the data from the null hypothesis.",
         "howsure.significance.paired_t(A, B).statistic"),
    term("threshold", "python:howsure.Assessment.at", "The score from which on a case is predicted as positive.",
         "a.at(0.3)", sklearn="FixedThresholdClassifier", r="pROC coords(r, 0.3)"),
    term("threshold averaging", "python:howsure.curves.average_roc",
         "ROC curves of folds, averaged at the same thresholds; vertical averaging is also available.",
         'howsure.curves.average_roc([a.scores, a.scores], "threshold")'),
    term("time-ordered validation", "scheme:TimeOrder", "Trains on the past and tests on later cases.",
         "howsure.TimeOrder(3).splits(y)", sklearn="TimeSeriesSplit", r="caret createTimeSlices"),
    term("training error", "scheme:Resubstitution", "The error on the training cases: very optimistic.",
         "howsure.Resubstitution().splits(y)", weka="Error on training data"),
    term("training set", "scheme:Holdout", "Cases to which a model is fitted.", "howsure.Holdout().splits(y)[0].train",
         sklearn="X_train"),
    term("training time", "python:howsure.ExperimentResult.profile",
         "Measured together with prediction time, memory and size.", "r.profile()", weka="UserCPU_Time_training"),
    term("true negative", "measure:specificity", "A case of another class that was not predicted as this class.",
         'a["specificity"]'),
    term("true positive", "measure:recall", "A case of the class that was detected.", 'a["recall"]'),
    term("tuning", "python:howsure.selection.tune", "Selecting settings.",
         'howsure.selection.tune(tree, {"max_depth": [1, 3]}, X, y)', sklearn="GridSearchCV"),
    term("two-sided test", "page:guide/one-classifier",
         "Tests for a difference in either direction: always the default.", "howsure.significance.paired_t(A, B)"),
    term("type I error", "python:howsure.lab.rejections",
         "Rejecting although there is no difference; the lab measures how often.",
         'howsure.lab.rejections("accuracy", n=30, rounds=20)'),
    term("type II error", "python:howsure.significance.power_binomial",
         "Missing an existing difference: 1 minus the power.",
         "1 - howsure.significance.power_binomial(0.2, 100, 0.3).power"),
    term("undefined value", "page:decisions/2026-11-16-input", "NaN with a reason, never 0.",
         'howsure.assess(["a", "b"], ["a", "a"])["precision"]', sklearn="zero_division", weka="?", r="NA"),
    term("underfitting", "python:howsure.selection.complexity_curve",
         "The model is too simple for the data: high bias.",
         'howsure.selection.complexity_curve(tree, X, y, "max_depth", [1, 3], resampling=howsure.KFold(2))'),
    term("unknown variance", "test:t_test", "Use t instead of z.", "howsure.significance.t_test(A, 0.9)"),
    term("unstable classifier", "learner:Bagging", "Depends strongly on its training cases; bagging helps.",
         "howsure.selection.decompose(votes, there).variance"),
    term("validation set", "scheme:TrainValidationTest", "Cases for the selection; do not report results on them.",
         "howsure.TrainValidationTest().splits(y)[0].validation"),
    term("variance", "python:howsure.bias_variance",
         "How much predictions vary between models from many training sets.",
         "howsure.selection.decompose(votes, there).variance", weka="BVDecompose"),
    term("VC dimension", "python:howsure.selection.vc_bound",
         "The largest number of cases that a learner can label in every possible way.",
         "howsure.selection.vc_bound(0.05, n=1000, h=10)"),
    term("vertical averaging", "python:howsure.curves.average_roc",
         "ROC curves of folds, averaged at the same false positive rates.",
         'howsure.curves.average_roc([a.scores, a.scores], "vertical")'),
    term("weak learner", "learner:AdaBoost", "Slightly better than guessing; boosting combines many of them.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).estimator_errors_"),
    term("weighted average", "python:howsure.Assessment.estimate", "The mean over classes, weighted by their sizes.",
         'many.estimate("f1", average="weighted")', sklearn="average='weighted'", weka="Weighted Avg.",
         r="yardstick 'macro_weighted'"),
    term("weighted error", "learner:AdaBoost", "The total weight of the cases that a member misclassifies.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).trace_['epsilon']"),
    term("weighted resampling", "learner:AdaBoost",
         "Draws training cases with probabilities proportional to their weights.",
         'howsure.learners.AdaBoost(n_estimators=3, sampling="resample", random_state=0).fit(X, y)'),
    term("weighted voting", "learner:AdaBoost", "Votes are weighted by alpha.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).estimator_weights_"),
    term("weights of cases in boosting", "learner:AdaBoost", "Misclassified cases have more weight in the next round.",
         "howsure.learners.AdaBoost(n_estimators=3, random_state=0).fit(X, y).trace_"),
    term("within-group sum of squares", "test:anova", "The variation of each classifier's values around its mean.",
         "howsure.significance.anova(table).df"),
    term("z-score", "test:z_test", "A distance in units of standard errors.",
         "howsure.significance.z_test(A, 0.9, sigma=0.02).statistic"),
    term("z-table", "python:howsure.intervals.mean_z", "Not needed: intervals and tests compute the quantiles.",
         "howsure.intervals.mean_z(A, confidence=0.8)"),
    term("zero-one loss, decomposed", "python:howsure.selection.decompose",
         "The decompositions of Domingos and of Kohavi and Wolpert.",
         'howsure.selection.decompose(votes, there).by("kohavi-wolpert")'),
)
# fmt: on


def page() -> str:
    """Return the page, with one section for each letter."""
    sections = (
        f"## {letter}\n\n{COLUMNS}{''.join(map(row, terms))}" for letter, terms in groupby(sorted_terms(), key=initial)
    )
    return HEAD.format(setup=SETUP) + "\n".join(sections)


def sorted_terms() -> list[Term]:
    """Return the terms of the registries and of the table in alphabetical order."""
    return sorted((*declared(), *TERMS), key=lambda term: (initial(term) != NUMBERS, _spelt(term.name), term.target))


NUMBERS = "Numbers"


def initial(term: Term) -> str:
    first = _spelt(term.name)[0]
    return first.upper() if first.isalpha() else NUMBERS


def _spelt(name: str) -> str:
    return re.sub(r"[^0-9a-z ]", "", name.casefold().replace("_", " ").replace("-", " ")).strip()


def declared() -> Iterator[Term]:
    """Yield a term for each name and alias of each registry."""
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
    """Return the aliases of a name, in the declared spelling if there is one."""
    spelt = {canonical(alias): alias for alias in getattr(registry[name], "aliases", ())}
    return [spelt.get(key, key) for key in registry.other_names(name)]


def _title(kind: str, name: str, item: Any) -> str:
    """Return the term for an entry of a registry."""
    if kind == "interval":
        return f"{name} interval"
    if kind == "outcome" and name in REGISTRIES["measure"]:
        return f"{item.title} of answers"
    if kind in ("test", "coefficient", "outcome", "advice"):
        return str(item.title)
    return name.replace("_", " ")


def _text(kind: str, item: Any) -> str:
    """Return the description of an entry of a registry."""
    if kind == "test":
        return f"Computes {item.null}." if item.kind == "bayesian" else f"Can reject that {item.null}."
    if kind == "interval":
        return f"{item.title} ({item.source})." if item.source else f"{item.title}."
    if kind == "advice":
        return _first_sentence(item.explanation[0])
    return _first_sentence(item.__doc__ if kind in ("scheme", "learner") else item.summary)


def _first_sentence(text: str) -> str:
    first = " ".join(text.split("\n\n")[0].split()).replace("``", "`")
    return re.split(r"(?<=[a-z0-9)`][.?])(?<! al\.) ", first)[0]


def _example(target: str, item: Any, name: str) -> str:
    """Return an example call with the name or alias of a registry entry."""
    kind, _, declared_name = target.partition(":")
    if kind in ("measure", "outcome", "coefficient"):
        return f'{_variable(target, item)}["{name}{PARAMETERS.get(target, "")}"]'
    if kind == "curve":
        return f"a.{name}()" if name == declared_name else f'a.curve("{name}")'
    if kind == "interval":
        call = INTERVAL_EXAMPLES.get(declared_name)
        return call or f'{ESTIMATES[item.needs]}.interval(method="{name.replace("_", "-")}")'
    if kind == "test":
        call = TEST_EXAMPLES.get(declared_name, declared_name + OF_NUMBER.get(item.classifiers, ""))
        return f"howsure.significance.{call}"
    if kind == "advice":
        return FINDINGS.get(item.needs[0], "r.findings")
    call = f"{declared_name}({ARGUMENTS.get(declared_name, '')})"
    return f"howsure.learners.{call}.fit(X, y)" if kind == "learner" else f"howsure.{call}.splits(y)"


def _variable(target: str, item: Any) -> str:
    """Return the variable of `SETUP` that has the measure or coefficient."""
    if target.startswith("outcome:"):
        return "answers"
    if target.startswith("coefficient:"):
        return "ordered" if target in ORDERED else "g"
    return "many" if item.scope == "rows" else "a"


def link(target: str) -> str:
    """Return a link to the page about a target."""
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
