"""The folder of an experiment: it gives the same results when it is opened again."""

import json
import os
import shutil

import narwhals as nw
import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB

import howsure
from howsure.experiment import Experiment, ExperimentResult
from howsure.experiment.store.contents import Contents, file_digest, own_names
from howsure.resampling.declare import StoredScheme, restore_scheme

X = np.arange(12.0).reshape(12, 1) * 7 % 5
Y = np.array(["no", "yes", "no", "no", *["no", "yes"] * 4])
LEARNERS = {"bayes": GaussianNB(), "most frequent": DummyClassifier()}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A finished folder."""
    folder = tmp_path_factory.mktemp("ran")
    Experiment(LEARNERS, {"toy": (X, Y)}, howsure.KFold(3, repeats=2), seed=4).run(folder, progress=False)
    return folder


def test_a_folder_gives_the_same_results_when_it_is_opened(ran):
    result = ExperimentResult.open(ran)
    assert (result.done, result.total) == (12, 12)
    assert result.title == "KFold(folds=3, repeats=2, stratified=True), seed 4"
    table = result.scores("accuracy")
    assert table.values.tolist() == [[0.5, 0.75], [0.5, 0.5], [0.25, 0.5], [0.5, 0.75], [0.5, 0.5], [0.25, 0.5]]
    assert table.fingerprint == "cf9543170ece32704b349a5a22ca019f"
    assert result.text(width=200).splitlines()[3:5] == [
        "bayes          accuracy           0.417  0.129  [0.146, 0.688]        6   0.417  [0.193, 0.680]",
        "most frequent  accuracy           0.583  0.129  [0.312, 0.854]        6   0.583  [0.320, 0.807]",
    ]


def test_its_scheme_is_an_object_again(ran):
    result = ExperimentResult.open(ran)
    assert result.splits().scheme == howsure.KFold(3, repeats=2)
    assert result.scores("accuracy").design.scheme == howsure.KFold(3, repeats=2)


@pytest.mark.parametrize("scheme", [howsure.FiveByTwo(), howsure.RepeatedHoldout(3), howsure.TimeOrder(3)], ids=str)
def test_a_scheme_is_restored_from_its_plain_values(scheme):
    assert restore_scheme(json.loads(json.dumps(scheme.to_dict())), str(scheme)) == scheme


def test_a_splitter_of_another_library_comes_back_as_its_text(tmp_path):
    splitter = ShuffleSplit(3, random_state=0)
    result = Experiment(LEARNERS, {"toy": (X, Y)}, splitter).run(tmp_path, progress=False)
    scheme = result.splits().scheme
    assert scheme == StoredScheme(" ".join(repr(splitter).split()))
    assert result.title.startswith("ShuffleSplit(n_splits=3, random_state=0")
    with pytest.raises(howsure.HowsureError) as refused:
        scheme.splits(12)
    assert str(refused.value).endswith("was read from a file, which stores its splits but not the scheme itself.")


@pytest.mark.parametrize(
    "values", [None, {}, {"scheme": "KFold", "pieces": 3}, {"scheme": "KFold", "folds": 1}, {"scheme": "Spiral"}]
)
def test_a_scheme_of_another_version_comes_back_as_its_text(values):
    assert restore_scheme(values, "KFold(pieces=3)") == StoredScheme("KFold(pieces=3)")


def test_a_plan_that_cannot_be_read_names_the_version_that_wrote_it(tmp_path, ran):
    folder = shutil.copytree(ran, tmp_path / "run")
    plan = json.loads((ran / "plan.json").read_text())
    del plan["datasets"]["toy"]["splits"]
    for version, reason in (
        ("7.0", f"it was written by Howsure 7.0, and this is {howsure.__version__}"),
        (howsure.__version__, "it may have been edited by hand"),
    ):
        (folder / "plan.json").write_text(json.dumps({**plan, "howsure": version}))
        Contents(folder, [(name, file_digest(folder / name)) for name in own_names(folder)]).tidy()
        with pytest.raises(howsure.HowsureError) as refused:
            ExperimentResult.open(folder)
        assert str(refused.value) == f"{str(folder / 'plan.json')!r} cannot be read as a plan; {reason}."


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_results_come_in_every_form_with_the_same_options(library, ran):
    result = ExperimentResult.open(ran)
    frame = nw.from_native(result.frame(library, confidence=0.8, measures=["kappa"]), eager_only=True)
    records = result.records(0.8, ["kappa"])
    assert frame.columns == list(records[0])
    np.testing.assert_array_equal(frame["t_low"].to_list(), [record["t_low"] for record in records])
    options = {"confidence": 0.8, "measures": ["kappa"]}
    sheet = result.sheet(**options)
    assert result.text(**options) == sheet.text()
    assert result.to_markdown(**options) == sheet.to_markdown()
    assert result.to_latex(**options) == sheet.to_latex()
    assert result.to_csv(**options).splitlines()[0] == ",".join(records[0])
    assert result.to_dict(**options)["results"][0]["t_low"] == records[0]["t_low"]
    assert isinstance(result.notes, tuple)


def test_only_a_folder_that_stays_is_waited_for(tmp_path, monkeypatch):
    synced = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(handle) or fsync(handle))
    planned = Experiment(LEARNERS, {"toy": (X, Y)}, howsure.KFold(3))
    assert planned.run(progress=False).done == 3 * len(LEARNERS)
    few = len(synced)  # the list of contents itself, when the run begins and ends
    assert few <= 4
    planned.run(tmp_path / "run", progress=False)
    assert len(synced) - few >= 3 * 5  # three for each file: splits, plan, predictions, tasks, and their profile
