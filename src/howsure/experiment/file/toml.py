"""Read an experiment from a TOML file, and report all errors in the file at once."""

from __future__ import annotations

import math
import os
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from howsure.checks import check_path
from howsure.data.read.features import ONE_HOT, read_table
from howsure.errors import HowsureError, must_be_one_of, suggestion, system_reason
from howsure.experiment.experiment import Experiment
from howsure.experiment.file.objects import Section, Table, call, check_keys, learner, make, reason
from howsure.experiment.plan.datasets import Dataset
from howsure.experiment.result.result import ExperimentResult
from howsure.experiment.run.workers import MAX_JOBS
from howsure.resampling import registry as schemes

RUNS = "runs"
Check = tuple[str, Callable[[Any], bool]]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


TEXT: Check = ("text", lambda value: isinstance(value, str) and bool(value))
TEXTS: Check = (
    "a list of strings, such as ['a', 'b']",
    lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
)
FLAG: Check = ("true or false", lambda value: isinstance(value, bool))
TABLES: Check = (
    "one or more named tables",
    lambda value: isinstance(value, dict) and bool(value) and all(isinstance(item, dict) for item in value.values()),
)
TOP: dict[str, Check] = {
    "seed": ("a whole number, 0 or above", lambda value: _is_whole(value) and value >= 0),
    "folder": TEXT,
    "n_jobs": (
        f"a whole number other than 0, up to {MAX_JOBS:,}",
        lambda value: _is_whole(value) and 0 < abs(value) <= MAX_JOBS,
    ),
    "time_limit": (
        "a number of seconds above 0",
        lambda value: (_is_whole(value) or isinstance(value, float)) and 0 < value < math.inf,
    ),
    "training_error": FLAG,
    "resampling": ("a table, such as [resampling]", lambda value: isinstance(value, dict)),
    "learners": (f"{TABLES[0]}, such as [learners.tree]", TABLES[1]),
    "datasets": (f"{TABLES[0]}, such as [datasets.mine]", TABLES[1]),
}
FILE: dict[str, Check] = {
    "file": TEXT,
    "target": TEXT,
    "groups": TEXT,
    "features": ("a list of columns, such as ['a', 'b']", lambda value: TEXTS[1](value) and bool(value)),
    "drop": ("a list of columns, such as ['a', 'b']", TEXTS[1]),
    "encode": (f"'{ONE_HOT}'", lambda value: value == ONE_HOT),
    "format": TEXT,
}


@dataclass(frozen=True)
class ExperimentFile:
    """An experiment and the options for its run, read from a file."""

    experiment: Experiment
    folder: str
    n_jobs: int = -1
    time_limit: float | None = None

    def run(
        self,
        folder: str | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        *,
        retry_failed: bool = False,
        progress: bool = True,
    ) -> ExperimentResult:
        """Run the experiment; arguments override the options in the file."""
        return self.experiment.run(
            self.folder if folder is None else folder,
            n_jobs=self.n_jobs if n_jobs is None else n_jobs,
            time_limit=self.time_limit if time_limit is None else time_limit,
            retry_failed=retry_failed,
            progress=progress,
        )


def read_experiment(path: str | os.PathLike[str]) -> ExperimentFile:
    """Read an experiment file, or raise one error that lists all mistakes."""
    file = str(check_path("path", path))
    content, section, folder = _parse(file), Section(), os.path.dirname(file)
    check_keys(content, TOP, section)
    valid = {key: content[key] for key, check in TOP.items() if key in content and _fits(key, content, check, section)}
    for needed in ("learners", "datasets"):
        if needed not in content:
            section.error(f"`{needed}` must be {TOP[needed][0]}.")
    _import_from(folder)
    scheme = _scheme(valid.get("resampling"), valid.get("seed", 0), section.under("resampling"))
    learners = {
        name: learner(table, section.under("learners", name)) for name, table in valid.get("learners", {}).items()
    }
    datasets = {
        name: _dataset(table, name, folder, section.under("datasets", name))
        for name, table in valid.get("datasets", {}).items()
    }
    if not section.errors:
        options = {key: valid[key] for key in ("seed", "training_error") if key in valid}
        with section.catching():
            experiment = Experiment(learners, datasets, scheme, **options)
            runs = os.path.join(folder, valid.get("folder", os.path.join(RUNS, Path(file).stem)))
            return ExperimentFile(experiment, runs, valid.get("n_jobs", -1), valid.get("time_limit"))
    if len(section.errors) == 1:
        raise HowsureError(f"{file!r} has an error: {section.errors[0]}")
    raise HowsureError(f"{file!r} has {len(section.errors)} errors:", *section.errors)


def _parse(path: str) -> Table:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return tomllib.loads(file.read())
    except FileNotFoundError:
        folder = os.path.dirname(path) or "."
        files = os.listdir(folder) if os.path.isdir(folder) else []
        raise HowsureError(f"there is no file {path!r}" + suggestion(os.path.basename(path), files)) from None
    except OSError as error:
        raise HowsureError(f"{path!r} cannot be opened: {system_reason(error)}.") from None
    except UnicodeDecodeError:
        raise HowsureError(f"{path!r} is not TOML: it is not in UTF-8; save it as UTF-8.") from None
    except RecursionError:
        raise HowsureError(f"{path!r} is nested too deeply to be read.") from None
    except ValueError as error:  # also raised for a path with a null character, or a number with thousands of digits
        raise HowsureError(f"{path!r} is not TOML: {reason(error)}.") from None


def _fits(key: str, table: Table, check: Check, section: Section) -> bool:
    requirement, is_valid = check
    if is_valid(table[key]):
        return True
    section.error(f"`{key}` must be {requirement}, not {table[key]!r}.")
    return False


def _import_from(folder: str) -> None:
    """Append the file's folder to the module path."""
    folder = os.path.abspath(folder)
    if folder not in sys.path:
        sys.path.append(folder)


def _scheme(table: Table | None, seed: int, section: Section) -> Any:
    if table is None:
        return None
    if ("scheme" in table) == ("splitter" in table):
        section.error("give `scheme`, such as 'KFold', or `splitter`, such as 'sklearn.model_selection.GroupKFold'.")
        return None
    if "splitter" in table:
        return _splitter(table, seed, section)
    with section.catching():
        if table["scheme"] not in schemes:
            must_be_one_of("scheme", schemes, given=table["scheme"])
        parameters = {name: value for name, value in table.items() if name != "scheme"}
        return call(schemes[table["scheme"]], table["scheme"], parameters, section)
    return None


def _splitter(table: Table, seed: int, section: Section) -> Any:
    """Build a splitter; a random state of None is set from the file's seed."""
    splitter = make("splitter", table, section)
    if splitter is not None and not hasattr(splitter, "split"):
        section.error(f"`splitter` must name a class with a `split` method, not {table['splitter']!r}.")
    elif getattr(splitter, "random_state", 0) is None and getattr(splitter, "shuffle", True):
        splitter.random_state = seed
    return splitter


def _dataset(table: Table, name: str, folder: str, section: Section) -> Dataset | None:
    if ("loader" in table) == ("file" in table):
        section.error("give `file`, such as 'mine.csv', or `loader`, such as 'sklearn.datasets.load_iris'.")
        return None
    if "loader" in table:
        loaded = make("loader", table, section)
        if loaded is None:
            return None
        with section.catching():
            return Dataset.of(loaded, name)
        return None
    before = len(section.errors)
    check_keys(table, FILE, section)
    if "target" not in table:
        section.error("`target` must be given: the column that holds the classes.")
    if "features" in table and "drop" in table:
        section.error("`features` and `drop` exclude each other; give one of them.")
    valid = {key: table[key] for key, check in FILE.items() if key in table and _fits(key, table, check, section)}
    if len(section.errors) > before:
        return None
    with section.catching():
        return Dataset.of(read_table(**{**valid, "file": os.path.join(folder, valid["file"])}), name)
    return None
