"""Code that brings each finding about, as a reader could run it."""

from __future__ import annotations

SAY = 'print(*a.findings, sep="\\n")\n'


def of_table(cells: str, labels: str) -> str:
    return f"import assay\n\na = assay.assess(assay.Confusion({cells}, labels={labels}))\n{SAY}"


def of_scores(truth: str, scores: str, more: str = "") -> str:
    return f"import assay\n\na = assay.assess({truth}, scores={scores}{more})\n{SAY}"


def of_clusters(cluster: str, truth: str = '["yes", "no"] * 30') -> str:
    return f"import assay\n\ntruth = {truth}\npatient = {cluster}\na = assay.assess(truth, truth, cluster=patient)\n{SAY}"


def of_ratings(ratings: str, more: str = "") -> str:
    return f"import assay\n\ng = assay.agreement({ratings}{more})\n{SAY.replace('*a', '*g')}"


EXAMPLES = {
    "A001": of_table("[[50, 5, 0], [5, 50, 0], [0, 0, 0]]", '["a", "b", "c"]'),
    "A002": of_table("[[50, 0], [50, 0]]", '["a", "b"]'),
    "A003": of_table("[[998, 1], [1, 0]]", '["a", "b"]'),
    "A004": of_table("[[40, 10], [9, 20]]", '["a", "b"]'),
    "A005": of_table("[[40, 10, 2], [10, 40, 0], [0, 0, 0]]", '["a", "b", "c"]'),
    "A006": of_table("[[10, 40], [45, 5]]", '["a", "b"]'),
    "A007": of_scores("[1, 1, 0, 0]", '[float("inf"), 0.5, 0.4, -float("inf")]'),
    "A008": of_scores("[1, 0, 1, 0]", "[0.5, 0.5, 0.5, 0.5]"),
    "A009": of_scores("[1, 1, 0, 0]", "[0.2, 0.6, 0.5, 0.7]"),
    "A010": """\
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
import assay

X, y = load_iris(return_X_y=True)
e = assay.Experiment({"majority": DummyClassifier()}, {"iris": (X[:100], y[:100])}, assay.LeaveOneOut(), seed=0)
print(*e.run().findings, sep="\\n")
""",
    "A011": """\
from assay.advice import Evidence, findings

looks = ("tree(depth=1)", "tree(depth=2)", "tree(depth=1)")
print(*findings(Evidence(touches=looks)), sep="\\n")
""",
    "A012": """\
import warnings
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from assay.learners import Stacking

X, y = load_iris(return_X_y=True)
stack = Stacking({"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}, out_of_fold=False)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    stack.fit(X, y)
print(*stack.findings_, sep="\\n")
""",
    "A013": """\
from assay.advice import Evidence, findings

print(*findings(Evidence(shape=(299, 30))), sep="\\n")  # cases and attributes
""",
    "A014": of_scores("[1, 1, 0]", "[3, 2, 1]", ", threshold=4"),
    "A015": of_scores("[1, 1, 0]", "[95, 33.3, 0.5]", ", threshold=0.5"),
    "A016": of_scores("[1, 1, 0]", "[1, 0.5, -2]"),
    "A017": of_clusters("[i // 10 for i in range(60)]"),
    "A018": of_clusters("[0] * 30 + [1 + i // 3 for i in range(30)]"),
    "A019": """\
import pandas as pd
import assay

cases = pd.DataFrame({"y": [0, 1] * 20, "p": [0, 1, 1, 1] * 10, "patient_id": [i // 4 for i in range(40)]})
a = assay.assess("y", "p", data=cases)
print(*a.findings, sep="\\n")
""",
    "A020": of_clusters("[i // 5 for i in range(60)]", '["no", "yes"] * 10 + ["no"] * 40'),
    "A021": of_ratings("[[0, 0]] * 94 + [[0, 1], [1, 0]] * 3"),
    "A022": of_ratings("[[0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0]]"),
    "A023": of_ratings('{"anna": [0, 1, 0, 1, 0] * 6, "ben": [1] * 30}'),
    "A024": of_ratings('[["a", "a"], ["b", "c"], ["c", "c"]] * 10', ', labels=["a", "b", "c", "d"]'),
    "A025": """\
import assay

ann, bob, eve = ["x", "y", "x", "y"] * 10, ["x", "y", "y", "y"] * 10, ["x", "x", "x", "y"] * 10
a = assay.assess([ann, bob, eve], ["x", "y", "x", "y"] * 10)
print(*a.findings, sep="\\n")
""",
}
