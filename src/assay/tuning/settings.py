"""What is asked for, checked before anything runs: the measure, the parameters, the grid."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError, must, must_be_one_of
from assay.experiment import Dataset
from assay.measures import Measure, registry
from assay.measures.spec import read_spec
from assay.resampling.fit import set_random_state

Setting = dict[str, Any]
UP_TO_ROUNDING = 1e-12


def check_measure(measure: str, learner: Any, *, to_choose: bool = False) -> Measure:
    """Find a measure; refuse one that the learner cannot have or, where it is to choose by, that has no better."""
    if isinstance(learner, type) or not (hasattr(learner, "fit") and hasattr(learner, "predict")):
        must("learner", "an object with `fit` and `predict`", given=learner)
    name, parameters = read_spec(measure)
    declared = registry[name]
    declared.check(parameters)
    if declared.scope in ("score", "rows") and not any(
        hasattr(learner, method) for method in ("predict_proba", "decision_function")
    ):
        raise AssayError(
            f"`{declared.name}` is a measure of scores, and the learner has no `predict_proba` or `decision_function`."
        )
    if to_choose and declared.better is None:
        raise AssayError(f"`{declared.name}` has no better or worse, so nothing can be chosen by it.")
    return declared


def declared_as(measure: str) -> Measure:
    return registry[read_spec(measure)[0]]


def settings_of(learner: Any, grid: Any) -> dict[str, Setting]:
    """Name every setting of a grid: a mapping of parameters to lists of values, or a list of such mappings."""
    from sklearn.model_selection import ParameterGrid

    parts = [grid] if isinstance(grid, Mapping) else list(grid) if isinstance(grid, Sequence) else []
    if not parts or not all(isinstance(part, Mapping) and part for part in parts):
        must("grid", "a mapping of parameters to lists of values, as {'C': [1, 10]}", given=grid)
    for parameter, values in ((key, values) for part in parts for key, values in part.items()):
        check_values(f"grid[{parameter!r}]", values)
    found: dict[str, Setting] = {}
    for setting in ParameterGrid(parts):
        ordered = {key: setting[key] for part in parts for key in part if key in setting}
        with_setting(learner, ordered)
        found.setdefault(spell(ordered), ordered)
    return found


def check_values(name: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray) or not len(values):
        must(name, "a list of one or more values", given=values)
    return [plain(value) for value in values]


def with_setting(learner: Any, setting: Setting) -> Any:
    """Give a copy of the learner with these parameters; names of a pipeline's steps are joined by ``__``."""
    from sklearn.base import clone

    if not hasattr(learner, "set_params"):
        raise AssayError(f"the learner must have `set_params`, as those of scikit-learn, and {learner!r} has not.")
    made = clone(learner)
    try:
        return made.set_params(**setting)
    except (ValueError, TypeError, AttributeError) as error:
        known = made.get_params()
        for name in setting:
            if name not in known:
                must_be_one_of("parameter", known, given=name)
        raise AssayError(f"{spell(setting)} cannot be set: {' '.join(str(error).split()).rstrip('.')}.") from None


def spell(setting: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={spell_value(value)}" for name, value in setting.items())


def spell_value(value: Any) -> str:
    return " ".join(repr(plain(value)).split())


def plain(value: Any) -> Any:
    """Give a number of NumPy as one of Python, which shows as one would write it."""
    return value.item() if isinstance(value, np.generic) else value


def cell_of(value: Any) -> Any:
    """Give a value as a table can hold it."""
    value = plain(value)
    return value if isinstance(value, bool | int | float | str) else spell_value(value)


def name_of(learner: Any) -> str:
    """Say in a word or two what a learner is."""
    steps = getattr(learner, "steps", None)
    if steps:
        return " > ".join(type(step).__name__ for _, step in steps)
    return type(learner).__name__


def counted(settings: Collection[Any]) -> str:
    return f"{len(settings)} setting{'' if len(settings) == 1 else 's'}"


def best_place(values: NDArray[np.float64], measure: Measure, undefined: Mapping[Any, str]) -> int:
    """Find the best of some values, the first of equals; a setting without a value is never the best."""
    if np.isnan(values).all():
        reason = next(iter(undefined.values()), "no split has a value")
        raise AssayError(f"no setting has a value of `{measure.name}`: {reason.rstrip('.')}.")
    loss = values if measure.better == "lower" else -values
    return int(np.flatnonzero(loss <= np.nanmin(loss) + UP_TO_ROUNDING)[0])


def refitted(learner: Any, setting: Setting, data: Dataset, seed: int) -> Any:
    """Fit the learner with these parameters on all cases."""
    made = set_random_state(with_setting(learner, setting), seed)
    fitted = made.fit(data.X, data.y)
    return made if fitted is None else fitted
