"""Outcomes as queries, in any order: of those that wait in memory, or of those that stand in the files of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from howsure.experiment.plan.plan import ExperimentPlan
from howsure.experiment.run.task import Outcome
from howsure.experiment.store.contents import Contents
from howsure.experiment.store.database import Rows, registered
from howsure.experiment.store.outcome_columns import prediction_columns, task_columns
from howsure.experiment.store.read import Sources


class InMemory:
    """Outcomes of which nothing is in a file yet."""

    def __init__(self, plan: ExperimentPlan, outcomes: list[Outcome]) -> None:
        self.plan, self.outcomes = plan, outcomes

    @contextmanager
    def predictions(self, database: Any, dataset: int) -> Iterator[Rows | None]:
        """Rows of the predictions for a data set; None without any."""
        some = [one for one in self.outcomes if one.task.dataset == dataset and not one.failure]
        columns = prediction_columns(self.plan, dataset, some)
        if columns is None:
            yield None
            return
        with registered(database, *columns) as rows:
            yield rows

    @contextmanager
    def tasks(self, database: Any) -> Iterator[Rows]:
        """Rows of the finished tasks."""
        with registered(database, *task_columns(self.plan, self.outcomes)) as rows:
            yield rows


class InFiles:
    """Outcomes in files: joined ones of an earlier run, and parts of which the latest counts."""

    def __init__(self, contents: Contents, plan: dict[str, Any]) -> None:
        self.sources, self.plan = Sources.of(contents), plan

    @contextmanager
    def predictions(self, _: Any, dataset: int) -> Iterator[Rows | None]:
        """Rows of the predictions for a data set; None without any."""
        query = self.sources.listed_predictions(self.plan, list(self.plan["datasets"])[dataset])
        yield None if query is None else Rows(query)

    @contextmanager
    def tasks(self, _: Any) -> Iterator[Rows]:
        """Rows of the finished tasks."""
        yield Rows(self.sources.latest_tasks(self.plan))
