"""Bibliography of tests, interval methods and adjustments."""

from __future__ import annotations

from collections.abc import Iterable

REFERENCES = {
    "Alpaydin 1999": "Alpaydin, E. (1999). Combined 5 x 2 cv F test for comparing supervised classification learning "
    "algorithms. Neural Computation 11, 1885-1892.",
    "Bates, Hastie and Tibshirani 2024": "Bates, S., Hastie, T. and Tibshirani, R. (2024). Cross-validation: what does "
    "it estimate and how well does it do it? Journal of the American Statistical Association 119, 1434-1445.",
    "Bayle, Bayle, Janson and Mackey 2020": "Bayle, P., Bayle, A., Janson, L. and Mackey, L. (2020). Cross-validation "
    "confidence intervals for test error. Advances in Neural Information Processing Systems 33, 16339-16350.",
    "Benjamini and Hochberg 1995": "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate: a "
    "practical and powerful approach to multiple testing. Journal of the Royal Statistical Society, Series B 57, "
    "289-300.",
    "Benjamini and Yekutieli 2001": "Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate "
    "in multiple testing under dependency. Annals of Statistics 29, 1165-1188.",
    "Bonett and Price 2012": "Bonett, D. G. and Price, R. M. (2012). Adjusted Wald confidence interval for a "
    "difference of binomial proportions based on paired data. Journal of Educational and Behavioral Statistics 37, "
    "479-488.",
    "Brown, Cai and DasGupta 2001": "Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a "
    "binomial proportion. Statistical Science 16, 101-133.",
    "Cochran 1950": "Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika 37, 256-266.",
    "DeLong, DeLong and Clarke-Pearson 1988": "DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). "
    "Comparing the areas under two or more correlated receiver operating characteristic curves: a nonparametric "
    "approach. Biometrics 44, 837-845.",
    "Demsar 2006": "Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of "
    "Machine Learning Research 7, 1-30.",
    "Dietterich 1998": "Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised "
    "classification learning algorithms. Neural Computation 10, 1895-1923.",
    "Durkalski, Palesch, Lipsitz and Rust 2003": "Durkalski, V. L., Palesch, Y. Y., Lipsitz, S. R. and Rust, P. F. "
    "(2003). Analysis of clustered matched-pair data. Statistics in Medicine 22, 2417-2428.",
    "Efron 1979": "Efron, B. (1979). Bootstrap methods: another look at the jackknife. Annals of Statistics 7, 1-26.",
    "Efron 1987": "Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical "
    "Association 82, 171-185.",
    "Fagerland, Lydersen and Laake 2013": "Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test for "
    "binary matched-pairs data: mid-p and asymptotic are better than exact conditional. BMC Medical Research "
    "Methodology 13, 91.",
    "Friedman 1937": "Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the "
    "analysis of variance. Journal of the American Statistical Association 32, 675-701.",
    "Hanley and McNeil 1982": "Hanley, J. A. and McNeil, B. J. (1982). The meaning and use of the area under a "
    "receiver operating characteristic (ROC) curve. Radiology 143, 29-36.",
    "Hochberg 1988": "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. "
    "Biometrika 75, 800-802.",
    "Hodges and Lehmann 1963": "Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests. "
    "Annals of Mathematical Statistics 34, 598-611.",
    "Holm 1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics 6, 65-70.",
    "Hommel 1988": "Hommel, G. (1988). A stagewise rejective multiple test procedure based on a modified Bonferroni "
    "test. Biometrika 75, 383-386.",
    "Howsure 2026": "Howsure (2026). Tests and intervals of cross-validated results. Decision page of "
    "16 November 2026, docs/decisions/2026-11-16-cross-validation-inference.md.",
    "Iman and Davenport 1980": "Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical region of the "
    "Friedman statistic. Communications in Statistics - Theory and Methods 9, 571-595.",
    "Kruskal and Wallis 1952": "Kruskal, W. H. and Wallis, W. A. (1952). Use of ranks in one-criterion variance "
    "analysis. Journal of the American Statistical Association 47, 583-621.",
    "McNemar 1947": "McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions "
    "or percentages. Psychometrika 12, 153-157.",
    "Nadeau and Bengio 2003": "Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine "
    "Learning 52, 239-281.",
    "Obuchowski 1997": "Obuchowski, N. A. (1997). Nonparametric analysis of clustered ROC curve data. Biometrics 53, "
    "567-578.",
    "Obuchowski 1998": "Obuchowski, N. A. (1998). On the comparison of correlated proportions for clustered data. "
    "Statistics in Medicine 17, 1495-1507.",
    "Quade 1979": "Quade, D. (1979). Using weighted rankings in the analysis of complete blocks with additive block "
    "effects. Journal of the American Statistical Association 74, 680-683.",
    "Schuirmann 1987": "Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power "
    "approach for assessing the equivalence of average bioavailability. Journal of Pharmacokinetics and "
    "Biopharmaceutics 15, 657-680.",
    "Shaffer 1986": "Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. Journal of the "
    "American Statistical Association 81, 826-831.",
    "Sidak 1967": "Sidak, Z. (1967). Rectangular confidence regions for the means of multivariate normal "
    "distributions. Journal of the American Statistical Association 62, 626-633.",
    "Student 1908": "Student (1908). The probable error of a mean. Biometrika 6, 1-25.",
    "Tango 1998": "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for "
    "the paired-sample design. Statistics in Medicine 17, 891-908.",
    "Wilcoxon 1945": "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.",
    "Wilson 1927": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association 22, 209-212.",
}


def cited(source: str) -> str:
    """Return the reference that a source starts with, or an empty string."""
    return next((name for name in REFERENCES if source.startswith(name)), "")


def check_references(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names; raise an error if any is not in the bibliography."""
    names = tuple(names)
    if unknown := [name for name in names if name not in REFERENCES]:
        raise TypeError(f"{unknown[0]!r} is not among the references")
    return names
