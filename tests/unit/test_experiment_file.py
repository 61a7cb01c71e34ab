"""Experiment files: what they build, what they read, and the exact words on what is wrong with them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from howsure import Experiment, HowsureError, KFold
from howsure.cli.commands.demo import EXPERIMENT
from howsure.data.read.features import read_table
from howsure.experiment.file.toml import read_experiment

ROOT = Path(__file__).parents[2]
LEARNER = '[learners.bayes]\nclass = "sklearn.naive_bayes.GaussianNB"\n'
DATA = '[datasets.iris]\nloader = "sklearn.datasets.load_iris"\n'


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write an experiment file where the test runs, and give its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write(text, name="e.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def refusal(path):
    with pytest.raises(HowsureError) as caught:
        read_experiment(path)
    return str(caught.value)


def test_what_a_file_describes_is_what_python_builds(written):
    file = read_experiment(
        written(
            """
            seed = 3
            training_error = false
            n_jobs = 2
            time_limit = 60
            [resampling]
            scheme = "KFold"
            folds = 4
            repeats = 2
            [learners.bayes]
            class = "sklearn.naive_bayes.GaussianNB"
            [learners.logit]
            steps = [
                {class = "sklearn.preprocessing.StandardScaler", with_mean = false},
                {class = "sklearn.linear_model.LogisticRegression", class_weight = {benign = 1.0, malignant = 2.0}},
            ]
            [learners.bag]
            class = "sklearn.ensemble.BaggingClassifier"
            n_estimators = 3
            estimator = {class = "sklearn.tree.DecisionTreeClassifier", max_depth = 2}
            [learners.vote]
            class = "sklearn.ensemble.VotingClassifier"
            estimators = [
                ["a", {class = "sklearn.naive_bayes.GaussianNB"}],
                ["b", {steps = [{class = "sklearn.naive_bayes.GaussianNB"}]}],
            ]
            [datasets.cancer]
            loader = "sklearn.datasets.load_breast_cancer"
            return_X_y = false
            """
        )
    )
    weights = {"benign": 1.0, "malignant": 2.0}
    learners = {
        "bayes": GaussianNB(),
        "logit": make_pipeline(StandardScaler(with_mean=False), LogisticRegression(class_weight=weights)),
        "bag": BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3),
    }
    wanted = Experiment(learners, {"cancer": load_breast_cancer()}, KFold(4, 2), 3, training_error=False).plan.to_dict()
    plan = file.experiment.plan.to_dict()
    vote = plan["learners"].pop("vote")
    assert plan == wanted
    assert [kind["class"].rpartition(".")[2] for _, kind in vote["estimators"]] == ["GaussianNB", "Pipeline"]
    assert (file.folder, file.n_jobs, file.time_limit) == ("runs/e", 2, 60)


def test_all_errors_at_once(written):
    text = """
sed = 0
seed = -1
training_error = "no"
[resampling]
scheme = "KFlod"
[learners.tree]
class = "sklearn.tree.DecisionTreeClasifier"
[learners.module]
class = "sklearn.tre.DecisionTreeClassifier"
[learners.package]
class = "sklaern.tree.DecisionTreeClassifier"
[learners.bare]
class = "DecisionTreeClassifier"
[learners."two names"]
class = "sklearn.tree.DecisionTreeClassifier"
max_dept = 3
criterio = "gini"
[learners.scaler]
class = "sklearn.preprocessing.StandardScaler"
[learners.steps]
steps = [{class = "sklearn.linear_model.LogisticRegression"}, {class = "sklearn.preprocessing.StandardScaler"}]
[learners.inside]
class = "sklearn.ensemble.BaggingClassifier"
estimator = {class = "sklearn.tree.DecisionTreeClassifier", max_dept = 3}
[learners.search]
class = "sklearn.model_selection.GridSearchCV"
estimator = {class = "sklearn.tree.DecisionTreeClassifier"}
[learners.nothing]
max_depth = 3
[datasets.loader]
loader = "sklearn.datasets.load_irsi"
[datasets.odd]
loader = "builtins.dict"
x = 1
[datasets.fails]
loader = "sklearn.datasets.load_svmlight_file"
f = "nowhere.txt"
[datasets.keys]
file = "mine.csv"
fetures = ["a"]
[datasets.missing]
file = "mine.csv"
target = "y"
drop = "a"
[datasets.both]
file = "mine.csv"
target = "y"
features = ["a"]
drop = ["b"]
[datasets.none]
target = "y"
"""
    assert refusal(written(text)).splitlines() == [
        "'e.toml' has 24 errors:",
        "  there is no key 'sed' here; did you mean 'seed'?",
        "  `seed` must be a whole number, 0 or above, not -1.",
        "  `training_error` must be true or false, not 'no'.",
        "  [resampling] `scheme` must be one of 'KFold', 'FiveByTwo', 'LeaveOneOut', 'RepeatedHoldout', 'Holdout', "
        "'TrainValidationTest', 'Bootstrap', 'Resubstitution', 'TimeOrder', not 'KFlod'; did you mean 'KFold'?",
        "  [learners.tree] `class` names 'sklearn.tree.DecisionTreeClasifier', and 'sklearn.tree' has no "
        "'DecisionTreeClasifier'; did you mean 'DecisionTreeClassifier'?",
        "  [learners.module] `class` names 'sklearn.tre.DecisionTreeClassifier', and there is no module 'sklearn.tre'; "
        "did you mean 'sklearn.tree'?",
        "  [learners.package] `class` names 'sklaern.tree.DecisionTreeClassifier', and there is no module 'sklaern'; "
        "did you mean 'sklearn'?",
        "  [learners.bare] `class` must be a path such as 'package.module.name', not 'DecisionTreeClassifier'.",
        "  [learners.\"two names\"] 'max_dept' is not a parameter of sklearn.tree.DecisionTreeClassifier; "
        "did you mean 'max_depth'?",
        "  [learners.\"two names\"] 'criterio' is not a parameter of sklearn.tree.DecisionTreeClassifier; "
        "did you mean 'criterion'?",
        "  [learners.scaler] `class` must name a learner, with `fit` and `predict`, not "
        "'sklearn.preprocessing.StandardScaler'.",
        "  [learners.steps.steps.1] `class` must name a transformer, with `fit` and `transform`, not "
        "'sklearn.linear_model.LogisticRegression'.",
        "  [learners.steps.steps.2] `class` must name a learner, with `fit` and `predict`, not "
        "'sklearn.preprocessing.StandardScaler'.",
        "  [learners.inside.estimator] 'max_dept' is not a parameter of sklearn.tree.DecisionTreeClassifier; "
        "did you mean 'max_depth'?",
        "  [learners.search] sklearn.model_selection.GridSearchCV fails with TypeError: GridSearchCV.__init__() "
        "missing 1 required positional argument: 'param_grid'.",
        "  [learners.nothing] `class` must be given: the path of a learner, such as "
        "'sklearn.tree.DecisionTreeClassifier'.",
        "  [datasets.loader] `loader` names 'sklearn.datasets.load_irsi', and 'sklearn.datasets' has no 'load_irsi'; "
        "did you mean 'load_iris'?",
        "  [datasets.odd] data set 'odd' must be (X, y) or (X, y, groups), not dict.",
        "  [datasets.fails] sklearn.datasets.load_svmlight_file fails with FileNotFoundError: [Errno 2] No such file "
        "or directory: 'nowhere.txt'.",
        "  [datasets.keys] there is no key 'fetures' here; did you mean 'features'?",
        "  [datasets.keys] `target` must be given: the column that holds the classes.",
        "  [datasets.missing] `drop` must be a list of columns, such as ['a', 'b'], not 'a'.",
        "  [datasets.both] `features` and `drop` exclude each other; give one of them.",
        "  [datasets.none] give `file`, such as 'mine.csv', or `loader`, such as 'sklearn.datasets.load_iris'.",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DATA, "`learners` must be one or more named tables, such as [learners.tree]."),
        (LEARNER, "`datasets` must be one or more named tables, such as [datasets.mine]."),
        (f"n_jobs = 0\n{LEARNER}{DATA}", "`n_jobs` must be a whole number other than 0, up to 10,000, not 0."),
        (f"time_limit = inf\n{LEARNER}{DATA}", "`time_limit` must be a number of seconds above 0, not inf."),
        (f"resampling = 5\n{LEARNER}{DATA}", "`resampling` must be a table, such as [resampling], not 5."),
        (
            f"{LEARNER}{DATA}[resampling]\nscheme = 'KFold'\nfolds = 1",
            "[resampling] `folds` must be a whole number, 2 or above, not 1.",
        ),
        (
            f"{LEARNER}{DATA}[resampling]\nscheme = 'KFold'\nfold = 5",
            "[resampling] 'fold' is not a parameter of KFold; did you mean 'folds'?",
        ),
        (
            f"{LEARNER}{DATA}[resampling]\nfolds = 5",
            "[resampling] give `scheme`, such as 'KFold', or `splitter`, such as 'sklearn.model_selection.GroupKFold'.",
        ),
        (
            f"{LEARNER}{DATA}[resampling]\nsplitter = 'sklearn.tree.DecisionTreeClassifier'",
            "[resampling] `splitter` must name a class with a `split` method, not "
            "'sklearn.tree.DecisionTreeClassifier'.",
        ),
        (
            f"{LEARNER}steps = []\n{DATA}",
            "[learners.bayes] there is no key 'class' here; use steps.\n"
            "[learners.bayes] `steps` must be a list of tables, such as [{class = '...'}, {class = '...'}].",
        ),
        (
            f"{LEARNER}{DATA}[datasets.x]\nloader = 'broken.load'",
            "[datasets.x] `loader` names 'broken.load', and 'broken' cannot be imported: ZeroDivisionError: "
            "division by zero.",
        ),
        (
            f"{LEARNER}{DATA}[datasets.x]\nloader = 'lacking.load'",
            "[datasets.x] `loader` names 'lacking.load', and 'lacking' needs 'not_installed', which is not installed.",
        ),
    ],
)
def test_errors(text, said, written):
    Path("broken.py").write_text("1 / 0\n")
    Path("lacking.py").write_text("import not_installed\n")
    sentence = refusal(written(text))
    lines = said.split("\n")
    if len(lines) == 1:
        assert sentence == f"'e.toml' has an error: {said}"
    else:
        assert sentence == "\n  ".join([f"'e.toml' has {len(lines)} errors:", *lines])


def test_files_that_are_none(written, tmp_path):
    written("seed = 0")
    assert refusal("f.toml") == "there is no file 'f.toml'; did you mean 'e.toml'?"
    assert refusal(written("seed = 0\n[learners\n")) == (
        "'e.toml' is not TOML: Expected ']' at the end of a table declaration (at line 2, column 10)."
    )
    (tmp_path / "latin.toml").write_bytes("folder = 'é'".encode("latin-1"))
    assert refusal("latin.toml") == "'latin.toml' is not TOML: it is not in UTF-8; save it as UTF-8."
    bom = written(f"\ufeffseed = 1\n{LEARNER}{DATA}")
    assert read_experiment(bom).experiment.plan.seed == 1


def test_paths_are_beside_the_file(written, tmp_path, monkeypatch):
    written(f"folder = 'kept/here'\n{LEARNER}[datasets.mine]\nfile = 'mine.csv'\ntarget = 'y'")
    Path("mine.csv").write_text("x,y\n1,a\n2,b\n3,a\n")
    monkeypatch.chdir(tmp_path.parent)
    name = tmp_path.name
    file = read_experiment(f"{name}/e.toml")
    assert file.folder == f"{name}/kept/here"
    assert file.experiment.plan.datasets["mine"].X.tolist() == [[1], [2], [3]]


def test_splitters_draw_by_the_seed_of_the_file(written):
    text = f"seed = 7\n{LEARNER}{DATA}[resampling]\nsplitter = 'sklearn.model_selection.ShuffleSplit'\nn_splits = 3"
    one, other = (read_experiment(written(text)).experiment.plan for _ in range(2))
    assert one.splits[0].fingerprint == other.splits[0].fingerprint
    assert one.scheme.splitter_object.random_state == 7
    fixed = read_experiment(written(f"{text}\nrandom_state = 1")).experiment.plan
    assert fixed.scheme.splitter_object.random_state == 1
    plain = f"seed = 7\n{LEARNER}{DATA}[resampling]\nsplitter = 'sklearn.model_selection.KFold'"
    assert read_experiment(written(plain)).experiment.plan.scheme.splitter_object.random_state is None


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "id": [f"case {n}" for n in range(40)],
            "a": rng.integers(-5, 5, 40) / 4,
            "ok": rng.random(40) < 0.5,
            "colour": rng.choice(["red", "green", "blue's"], 40),
            "patient": np.repeat([f"p{n}" for n in range(8)], 5),
            "class": rng.choice(["yes", "no"], 40),
            "grade": rng.integers(1, 4, 40),
        }
    )
    table.loc[3, "a"] = np.nan
    table.loc[5, "colour"] = None
    return table


WRITERS = {
    "m.csv": lambda frame: frame.to_csv("m.csv", index=False),
    "m.csv.gz": lambda frame: frame.to_csv("m.csv.gz", index=False, sep=";"),
    "m.tsv": lambda frame: frame.to_csv("m.tsv", index=False, sep="\t"),
    "m.parquet": lambda frame: frame.to_parquet("m.parquet"),
    "m.jsonl": lambda frame: frame.to_json("m.jsonl", orient="records", lines=True),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_features(name, frame, written):
    WRITERS[name](frame)
    text = f"{LEARNER}[datasets.m]\nfile='{name}'\ntarget='class'\ngroups='patient'\ndrop=['id']\nencode='one-hot'"
    data = read_experiment(written(text)).experiment.plan.datasets["m"]
    colours = [(frame.colour == colour).astype(float) for colour in ("blue's", "green", "red")]
    assert np.array_equal(data.X, np.column_stack([frame.a, frame.ok, *colours, frame.grade]), equal_nan=True)
    assert data.X.dtype == float
    assert data.X[5, 2:5].tolist() == [0, 0, 0]
    assert data.y.tolist() == frame["class"].tolist()
    assert data.groups.tolist() == np.repeat(range(8), 5).tolist()


def test_whole_numbers_are_labels_of_their_own_type(frame, written):
    WRITERS["m.csv"](frame)
    text = f"{LEARNER}[datasets.m]\nfile='m.csv'\ntarget='grade'\nfeatures=['ok', 'a']"
    data = read_experiment(written(text)).experiment.plan.datasets["m"]
    assert data.labels == (1, 2, 3)
    assert data.X.shape == (40, 2)
    assert np.array_equal(data.X[:, 0], frame.ok)


@pytest.mark.usefixtures("written")
def test_cells_without_a_value():
    Path("m.csv").write_text("a,b,y\n1,red,u\n,?,v\nNA,,u\nnan,NaN,v\n ?, red,u\n")
    X, _, _ = read_table("m.csv", "y", encode="one-hot")
    assert np.array_equal(X, [[1, 1], [np.nan, 0], [np.nan, 0], [np.nan, 0], [np.nan, 1]], equal_nan=True)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            "target='class'",
            "columns 'id', 'colour', 'patient' must hold numbers, not 'case 0' in row 1 of 'm.csv'; give encode = "
            '"one-hot" to make 0/1 columns of text, or leave them out with `drop`.',
        ),
        (
            "target='class'\ngroups='patient'\ndrop=['id']",
            "column 'colour' must hold numbers, not 'red' in row 1 of 'm.csv'; give encode = "
            '"one-hot" to make 0/1 columns of text, or leave it out with `drop`.',
        ),
        ("target='clas'", "`target` must be a column of 'm.csv', not 'clas'; did you mean 'class'?"),
        (
            "target='class'\ngroups='patent'",
            "`groups` must be a column of 'm.csv', not 'patent'; did you mean 'patient'?",
        ),
        ("target='class'\nfeatures=['aa']", "`features` must be a column of 'm.csv', not 'aa'; did you mean 'a'?"),
        ("target='class'\ndrop=['aa']", "`drop` must be a column of 'm.csv', not 'aa'; did you mean 'a'?"),
        (
            "target='class'\nfeatures=['a', 'class']",
            "`features` must not hold 'class', which is the column of `target`.",
        ),
        (
            "target='colour'\nfeatures=['a']",
            "`colour` has no label in row 6 of 'm.csv'; drop these rows or give them a label.",
        ),
        (
            "target='class'\nfeatures=['a']\ngroups='colour'",
            "`colour` has no group in row 6 of 'm.csv'; drop these rows or give them a group.",
        ),
        ("target='class'\nencode='onehot'", "`encode` must be 'one-hot', not 'onehot'."),
        (
            "target='class'\nformat='cvs'",
            "`format` must be one of 'csv', 'tsv', 'arff', 'jsonl', 'parquet', not 'cvs'; did you mean 'csv'?",
        ),
        (
            "target='class'\ndrop=['id','a','ok','colour','patient','grade']",
            "'m.csv' has no column left to be a feature.",
        ),
    ],
)
def test_refused_columns(keys, said, frame, written):
    frame.assign(colour=frame.colour.where(frame.index != 0, "red")).to_csv("m.csv", index=False)
    path = written(f"{LEARNER}[datasets.m]\nfile='m.csv'\n{keys}")
    assert refusal(path) == f"'e.toml' has an error: [datasets.m] {said}"


def test_other_files_that_are_refused(frame, written):
    frame.to_csv("numbered.csv")
    pd.DataFrame({"x": [f"v{n}" for n in range(1001)], "y": ["a", "b"] * 500 + ["a"]}).to_csv("many.csv", index=False)
    Path("late.jsonl").write_text('{"a": 1, "y": "u"}\n' * 200 + '{"a": 1, "b": 2, "y": "v"}\n')
    table = "{}[datasets.m]\nfile='{}'\ntarget='{}'\nencode='one-hot'".format
    assert refusal(written(table(LEARNER, "numbered.csv", "class"))) == (
        "'e.toml' has an error: [datasets.m] 'numbered.csv' has a column without a name, which often holds row "
        'numbers; leave it out with drop = [""], or name it.'
    )
    assert refusal(written(table(LEARNER, "many.csv", "y"))) == (
        "'e.toml' has an error: [datasets.m] column 'x' of 'many.csv' has more than 1000 different values, "
        "too many for one-hot encoding; leave it out with `drop`."
    )
    assert refusal(written(table(LEARNER, "mani.csv", "y"))) == (
        "'e.toml' has an error: [datasets.m] there is no file 'mani.csv'; did you mean 'many.csv'?"
    )
    late = read_experiment(written(table(LEARNER, "late.jsonl", "y"))).experiment.plan.datasets["m"]
    assert late.X.shape == (201, 2), "a key that comes up late is a column too"


def test_the_example_is_the_demo():
    assert (ROOT / "examples" / "cancer.toml").read_text() == EXPERIMENT


DEEP = "a = " + "[" * 3000 + "]" * 3000
LONG = "seed = " + "9" * 4400


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DEEP, "'e.toml' is nested too deeply to be read."),
        (LONG, "'e.toml' is not TOML: Exceeds the limit (4300 digits) for integer string conversion: value has 4400 "),
        (f"n_jobs = {10**20}\n{LEARNER}{DATA}", "`n_jobs` must be a whole number other than 0, up to 10,000, not 1000"),
        (
            f'[resampling]\nscheme = "KFold"\nrepeats = 100000000\n{LEARNER}{DATA}',
            "[resampling] `repeats` must be at most 100,000, for at most 1,000,000 splits, not 100000000.",
        ),
        (
            f'[resampling]\nscheme = "Bootstrap"\nrounds = 10000000\n{LEARNER}{DATA}',
            "[resampling] `rounds` must be at most 1,000,000, for at most 1,000,000 splits, not 10000000.",
        ),
        (f'[learners.a]\nclass = "sys.exit"\n{DATA}', "[learners.a] sys.exit fails with SystemExit: "),
        (f'{LEARNER}[datasets.a]\nloader = "sys.exit"\n', "[datasets.a] sys.exit fails with SystemExit: "),
        (f'{LEARNER}[datasets.a]\nloader = "leaves.load"\n', "'leaves' cannot be imported: SystemExit: 4."),
    ],
    ids=["deep", "long", "jobs", "repeats", "rounds", "exit", "loader", "import"],
)
def test_what_would_end_or_stall_the_program_is_refused_in_a_sentence(written, text, said):
    written("import sys; sys.exit(4)", "leaves.py")
    assert said in refusal(written(text))


def test_a_path_with_a_nul_is_refused():
    assert refusal("a\0b.toml") == "`path` must be a path, as text or as a `Path`, not 'a\\x00b.toml'."


def test_splits_that_no_memory_holds_are_refused_before_they_are_made():
    with pytest.raises(
        HowsureError, match=r"would hold 10,000,000,000 row numbers, but at most 1,000,000,000 \(8 GB\)"
    ):
        KFold(10, repeats=10_000).splits(1_000_000)
