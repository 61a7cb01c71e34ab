"""Parameters of a learner: grids of settings, copies with other parameters, and conversion for display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.checks import check_type, one_of
from howsure.errors import HowsureError, must
from howsure.resampling.fit import fresh

Setting = dict[str, Any]


def grid_settings(learner: Any, grid: Any) -> dict[str, Setting]:
    """Return the settings of a grid by name; a grid is a mapping of lists, or a list of such mappings."""
    from sklearn.model_selection import ParameterGrid

    parts = [grid] if isinstance(grid, Mapping) else list(grid) if isinstance(grid, Sequence) else []
    if not parts or not all(isinstance(part, Mapping) and part for part in parts):
        must("grid", "a mapping of parameters to lists of values, such as {'C': [1, 10]}", given=grid)
    for parameter, values in ((key, values) for part in parts for key, values in part.items()):
        check_values(f"grid[{parameter!r}]", values)
    settings: dict[str, Setting] = {}
    for setting in ParameterGrid(parts):
        ordered = {key: setting[key] for part in parts for key in part if key in setting}
        with_parameters(learner, ordered)
        settings.setdefault(setting_text(ordered), ordered)
    return settings


def check_values(name: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray) or not len(values):
        must(name, "a list of one or more values", given=values)
    return [plain_value(value) for value in values]


def learners_by_value(learner: Any, parameter: str, values: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the values of a parameter and one learner per value."""
    check_type("parameter", parameter, str, "the name of a parameter")
    checked = check_values("values", values)
    learners = {value_text(value): with_parameters(learner, {parameter: value}) for value in checked}
    if len(learners) < len(checked):
        must("values", "different from each other", given=values)
    return tuple(checked), learners


def with_parameters(learner: Any, parameters: Setting) -> Any:
    """Return a copy of the learner with other parameters."""
    if not hasattr(learner, "set_params"):
        must("learner", "an estimator with `set_params`", given=learner)
    copy = fresh(learner)
    try:
        return copy.set_params(**parameters)
    except (ValueError, TypeError, AttributeError) as error:
        names = copy.get_params()
        for name in parameters:
            one_of("parameter", name, names)
        reason = " ".join(str(error).split()).rstrip(".")
        raise HowsureError(f"{setting_text(parameters)} cannot be set: {reason}.") from None


def setting_text(setting: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value_text(value)}" for name, value in setting.items())


def value_text(value: Any) -> str:
    return " ".join(repr(plain_value(value)).split())


def plain_value(value: Any) -> Any:
    """Convert a NumPy scalar to a Python object."""
    return value.item() if isinstance(value, np.generic) else value


def table_cell(value: Any) -> Any:
    """Convert a value to a number or a string for a table."""
    value = plain_value(value)
    return value if isinstance(value, bool | int | float | str) else value_text(value)
