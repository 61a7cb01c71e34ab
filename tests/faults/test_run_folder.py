"""The folder of a run: damage is noticed and mended, what is not ours is left alone, and nothing leads elsewhere."""

import os
import re
import shutil
import subprocess
import warnings

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure
from howsure.cli import main
from howsure.experiment import ExperimentResult, verify
from howsure.experiment.store import write
from howsure.experiment.store.contents import Contents, file_digest, own_names

LIST = "SHA256SUMS"
FINAL: tuple[str, ...]
FINAL = ("plan.json", "predictions/a.parquet", "predictions/b.parquet", "splits/a.parquet", "splits/b.parquet")
FINAL += ("profile.parquet", "tasks.parquet")


class Broken(GaussianNB):
    def fit(self, X, y):
        raise ValueError("always")


class StopError(Exception):
    pass


def planned(seed=0):
    rng = np.random.default_rng(3)
    data = {name: (rng.normal(size=(30, 2)), np.arange(30) % 2) for name in ("a", "b")}
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "broken": Broken()}
    return howsure.Experiment(learners, data, howsure.KFold(3), seed=seed)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    planned().run(folder, progress=False)
    return folder


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory):
    """A folder of a run that ended after three parts."""
    folder = tmp_path_factory.mktemp("interrupted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "ABOUT_A_SECOND", 0.0)
        flush, count = write.FolderWriter.flush, []

        def stopping(self):
            flush(self)
            count.append(1)
            if len(count) == 3:
                raise StopError

        patch.setattr(write.FolderWriter, "flush", stopping)
        with pytest.raises(StopError):
            planned().run(folder, progress=False)
    assert len(os.listdir(folder / "parts")) > 3
    return folder


def copy(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "run")


def read_all(folder):
    """Everything that the folder holds, as one value."""
    result = ExperimentResult.open(folder)
    values = [
        result.to_dict(),
        result.text(width=1000),
        result.profile().text(width=1000),
        [result.splits(name) for name in "ab"],
    ]
    for learner in result.learners:
        for name in result.datasets:
            if result.stored.has_predictions(learner, name):
                predictions = result.predictions(learner, name)
                values.append((predictions.truth.tolist(), predictions.predicted.tolist(), str(predictions.scores)))
    return str(values)


def made(folder):
    names = [name for name in FINAL if name != "profile.parquet"]
    return {name: (folder / name).read_bytes() for name in names}


def test_a_run_without_a_folder_has_the_same_bytes(finished):
    told = planned().run(progress=False)
    assert len(told.failures().rows) == 2 * 3
    assert made(told.folder) == made(finished)


def test_every_file_is_listed_and_sha256sum_agrees(finished):
    assert sorted(line[66:] for line in (finished / LIST).read_text().splitlines()) == sorted(FINAL)
    checked = subprocess.run(["sha256sum", "--check", "--strict", LIST], cwd=finished, capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert verify(finished).damaged == ()
    assert '"format": 1' in (finished / "plan.json").read_text()


def files_of(folder):
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != ".lock"
    )


def cut(path, rng):
    path.write_bytes(path.read_bytes()[: rng.integers(path.stat().st_size)])


def flip(path, rng):
    content = bytearray(path.read_bytes())
    content[rng.integers(len(content))] ^= 1 << rng.integers(8)
    path.write_bytes(bytes(content))


def remove(path, rng):
    path.unlink()


@pytest.mark.parametrize("harm", [cut, flip, remove])
@pytest.mark.parametrize("state", ["finished", "interrupted"])
def test_damage_to_any_file_is_noticed_and_mended(tmp_path, request, state, harm, finished):
    folder = request.getfixturevalue(state)
    before, whole = read_all(folder), made(finished)
    rng = np.random.default_rng(17)
    for name in files_of(folder):
        run = copy(folder, tmp_path)
        harm(run / name, rng)
        assert damage_is_noticed(run, before), (name, harm)
        resume_with_any_warning(run)
        assert made(run) == whole, (name, harm)
        assert verify(run).damaged == ()
        assert os.listdir(run / "parts") == []
        shutil.rmtree(run)


def damage_is_noticed(folder, before):
    """Whether reading everything refuses, or says that something is odd; a difference without a word is a failure."""
    try:
        after = read_all(folder)
    except howsure.HowsureError as refused:
        return str(folder) in str(refused)
    said = ("is missing: it was lost, or the run stopped before", "not part of the run: ")
    assert any(note in after for note in said) or after == before
    return bool(verify(folder).damaged)


def resume_with_any_warning(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        planned().run(folder, progress=False)


@pytest.mark.parametrize("place", [*range(-10, 0), -20, -70])
def test_a_changed_line_in_the_list_is_noticed_and_mended(tmp_path, finished, place):
    """The last line is that of the plan."""
    run = copy(finished, tmp_path)
    content = bytearray((run / LIST).read_bytes())
    assert content.endswith(b"  plan.json\n")
    content[place] ^= 1
    (run / LIST).write_bytes(bytes(content))
    with pytest.raises(howsure.HowsureError, match="so the folder was damaged"):
        read_all(run)
    resume_with_any_warning(run)
    assert made(run) == made(finished)
    assert (run / LIST).read_bytes() == (finished / LIST).read_bytes() or verify(run).damaged == ()


def test_a_part_that_was_removed_is_missed_at_once(tmp_path, interrupted):
    for part in sorted(os.listdir(interrupted / "parts"))[:-1]:
        run = copy(interrupted, tmp_path)
        (run / "parts" / part).unlink()
        with pytest.raises(howsure.HowsureError, match=f"parts/{part}' is missing, so the folder was damaged"):
            ExperimentResult.open(run)
        shutil.rmtree(run)


def test_reading_refuses_what_is_not_as_it_was_written(tmp_path, finished):
    for name in FINAL:
        run = copy(finished, tmp_path)
        flip(run / name, np.random.default_rng(5))
        with pytest.raises(howsure.HowsureError, match=f"{re.escape(name)}' was changed after it was written"):
            read_all(run)
        shutil.rmtree(run)


def test_only_the_tasks_concerned_are_done_again(tmp_path, finished):
    run = copy(finished, tmp_path)
    times = ExperimentResult.open(run).tasks["fit_seconds"]
    (run / "predictions/b.parquet").unlink()
    with pytest.warns(UserWarning, match=r"was damaged: predictions/b.parquet cannot be used; the tasks that"):
        again = planned().run(run, progress=False)
    same = again.tasks["fit_seconds"] == times
    concerned = (again.tasks["dataset"] == "b") & (again.tasks["failure"] == "")
    assert (same | np.isnan(times)).tolist() == (~concerned).tolist()


def test_a_lost_plan_is_restored_by_the_same_experiment_only(tmp_path, finished):
    run = copy(finished, tmp_path)
    (run / "plan.json").unlink()
    with pytest.raises(
        howsure.HowsureError, match=r"plan.json' was damaged, and it was not the plan of this experiment"
    ):
        planned(seed=1).run(run, progress=False)
    planned().run(run, progress=False)
    assert made(run) == made(finished)


def test_another_experiment_is_refused_before_anything_is_removed(tmp_path, finished):
    run = copy(finished, tmp_path)
    flip(run / "tasks.parquet", np.random.default_rng(2))
    (run / LIST).write_text("".join((run / LIST).read_text().splitlines(keepends=True)[2:]))  # some are not listed now
    before = {name: (run / name).read_bytes() for name in files_of(run)}
    with pytest.raises(howsure.HowsureError, match="holds another experiment: seed was 0 and is 1"):
        planned(seed=1).run(run, progress=False)
    assert {name: (run / name).read_bytes() for name in files_of(run)} == before


def test_a_folder_without_its_list_is_damaged_and_done_again(tmp_path, finished):
    run = copy(finished, tmp_path)
    (run / LIST).unlink()
    with pytest.raises(
        howsure.HowsureError, match=r"plan.json' is not listed in SHA256SUMS, so the folder was damaged"
    ):
        ExperimentResult.open(run)
    assert set(verify(run).damaged) == set(FINAL)
    resume_with_any_warning(run)
    assert made(run) == made(finished)
    assert verify(run).title == f"{str(run)!r} is intact: 7 files"


def relist(folder):
    """List the files with the digests that they have now."""
    Contents(folder, [(name, file_digest(folder / name)) for name in own_names(folder)]).tidy()


def test_a_folder_of_another_format_is_refused(tmp_path, finished):
    run = copy(finished, tmp_path)
    text = (run / "plan.json").read_text().replace('"format": 1', '"format": 2')
    (run / "plan.json").write_text(text)
    relist(run)
    with pytest.raises(howsure.HowsureError, match="has format 2, and this version of Howsure reads format 1; use the"):
        ExperimentResult.open(run)


@pytest.mark.parametrize("name", [".lock", ".scratch", "parts", "predictions", "splits", "tasks.parquet", LIST])
def test_a_link_inside_the_folder_is_refused_and_nothing_elsewhere_changes(tmp_path, finished, name):
    run, elsewhere = copy(finished, tmp_path), tmp_path / "elsewhere"
    target = run / name
    if target.is_dir() or name == ".scratch":
        shutil.copytree(target, elsewhere) if target.exists() else elsewhere.mkdir()
        (elsewhere / "000001-a.tasks.parquet").write_text("precious")
        shutil.rmtree(target, ignore_errors=True)
    else:
        elsewhere.write_text("precious")
        target.unlink()
    target.symlink_to(elsewhere)
    before = {path: path.read_bytes() for path in (elsewhere, *elsewhere.rglob("*")) if path.is_file()}
    for use in (lambda: planned().run(run, progress=False), lambda: verify(run)):
        with pytest.raises(
            howsure.HowsureError, match=f"holds {re.escape(name)} as a link, but a run needs its own files"
        ):
            use()
    assert {path: path.read_bytes() for path in before} == before


def test_a_folder_that_is_itself_a_link_is_fine(tmp_path, finished):
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    planned().run(link, progress=False)
    assert made(link) == made(real) == made(finished)
    assert verify(link).damaged == ()


def test_what_is_not_ours_is_left_alone(tmp_path, interrupted, finished):
    run = copy(interrupted, tmp_path)
    part = next((run / "parts").glob("*.tasks.parquet"))
    foreign = {
        "parts/notes.txt": b"mine",
        "parts/.hidden": b"mine",
        "parts/.ipynb_checkpoints/plan.json": b"{}",
        ".ipynb_checkpoints/tasks.parquet": b"mine",
        f"parts/Copy of {part.name}": part.read_bytes(),
        f"parts/{part.stem} (1).parquet": part.read_bytes(),
        "predictions/.DS_Store": b"mine",
        "thesis.txt": b"mine",
        ".plan.json.swp": b"mine",
    }
    for name, content in foreign.items():
        (run / name).parent.mkdir(exist_ok=True)
        (run / name).write_bytes(content)
    assert len(verify(run).foreign) == len(foreign)
    planned().run(run, progress=False)
    assert made(run) == made(finished)
    assert {name: (run / name).read_bytes() for name in foreign} == foreign


def test_a_copied_part_with_a_name_of_ours_is_noted_and_counts_for_nothing(tmp_path, interrupted, finished):
    run = copy(interrupted, tmp_path)
    part = next((run / "parts").glob("*.tasks.parquet"))
    (run / "parts" / f"000099-{part.name.partition('-')[2]}").write_bytes(part.read_bytes())
    assert "not part of the run: parts/000099-a.tasks.parquet" in ExperimentResult.open(run).text(width=1000)
    with pytest.warns(UserWarning, match="was damaged: parts/000099-a.tasks.parquet cannot be used"):
        planned().run(run, progress=False)
    assert made(run) == made(finished)


ODD_PLANS = {
    "empty": "",
    "binary": b"\x00\xff\xfe",
    "a list": "[]",
    "text": '"plan"',
    "deep": "[" * 100_000,
    "a long number": '{"seed": ' + "9" * 5000 + "}",
    "data sets of another kind": '{"seed": 0, "learners": {"a": 1}, "datasets": {"a": 3}}',
    "a file elsewhere": None,
}


@pytest.mark.parametrize("content", ODD_PLANS.values(), ids=ODD_PLANS)
def test_an_odd_plan_is_one_sentence(tmp_path, finished, content):
    run = copy(finished, tmp_path)
    if content is None:
        content = (run / "plan.json").read_text().replace('"file": "a"', '"file": "../../a"')
    (run / "plan.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    relist(run)
    changed, other = r"it may have been edited by hand\.", r"it was written by Howsure \S+, and this is \S+\."
    with pytest.raises(howsure.HowsureError, match=rf"plan.json' cannot be read as a plan; (?:{changed}|{other})$"):
        ExperimentResult.open(run)
    ended = CliRunner().invoke(main, ["run", str(run)])
    assert ended.exit_code == 2
    assert ended.stderr.count("\n") == 1


def test_the_command_lists_damage_and_ends_with_1(tmp_path, finished):
    run = copy(finished, tmp_path)
    ended = CliRunner().invoke(main, ["verify", str(run)])
    assert ended.exit_code == 0
    assert " ".join(ended.stdout.split()).startswith(f"{str(run)!r} is intact: 7 files")
    flip(run / "profile.parquet", np.random.default_rng(0))
    (run / "splits/a.parquet").unlink()
    ended = CliRunner().invoke(main, ["verify", str(run)])
    assert ended.exit_code == 1
    assert " ".join(ended.stdout.split()).startswith(f"{str(run)!r} was damaged: 2 of 7 files")
    assert re.search(r"profile.parquet +changed", ended.stdout)
    assert re.search(r"splits/a.parquet +missing: it was removed", ended.stdout)
    ended = CliRunner().invoke(main, ["verify", str(tmp_path)])
    assert (ended.exit_code, ended.stderr) == (
        2,
        f"Error: {str(tmp_path)!r} holds no experiment: there is no plan.json in it.\n",
    )


@pytest.mark.parametrize("call", ["mkdir", "open", "replace", "fsync"])
def test_no_room_left_is_one_sentence_and_the_run_goes_on_later(tmp_path, monkeypatch, call, finished):
    """As when there are no inodes left: at first all goes well, then every call of a kind fails."""
    run, real = tmp_path / "run", getattr(os, call)
    for allowed in (0, 1, 3, 6):
        left = iter(range(allowed))

        def failing(*args, left=left, **options):
            if (str(run) in str(args[0]) or isinstance(args[0], int)) and next(left, None) is None:
                raise OSError(28, "No space left on device")
            return real(*args, **options)

        monkeypatch.setattr(os, call, failing)
        with pytest.raises(howsure.HowsureError, match="no space left on device"):
            planned().run(run, progress=False)
        monkeypatch.undo()
    planned().run(run, progress=False)
    assert made(run) == made(finished)
