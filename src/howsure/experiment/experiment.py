"""Experiment: run learners on data sets and splits, storing results in a folder from which a run can be resumed."""

from __future__ import annotations

import math
import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from howsure.checks import as_float, check_flag, check_seed, known_arguments
from howsure.errors import HowsureError, counted, must
from howsure.experiment.plan.datasets import Dataset
from howsure.experiment.plan.plan import ExperimentPlan, check_names
from howsure.experiment.run.progress import progress_bar
from howsure.experiment.run.task import Outcome
from howsure.experiment.run.workers import choose_workers, run_tasks
from howsure.experiment.store.resume import finished_tasks
from howsure.experiment.store.write import FolderWriter
from howsure.resampling import KFold, as_scheme

if TYPE_CHECKING:
    from howsure.experiment.result.result import ExperimentResult


class Experiment:
    """An experiment: every learner on every split of every data set.

    Parameters
    ----------
    learners
        Learners by name: any objects with ``fit`` and ``predict``. Scores are taken from ``predict_proba`` or
        ``decision_function``. A ``random_state`` of None is set from the seed, to the same value for all learners on a
        split.
    datasets
        Data sets by name: (X, y), (X, y, groups), or a bunch as returned by scikit-learn's loaders.
    resampling
        A scheme such as ``KFold(10, repeats=10)``, or a scikit-learn splitter.
    seed
        The same seed gives the same splits and the same results, for any number of jobs.
    training_error
        Whether to compute the error on the training rows as well.

    Examples
    --------
    >>> import howsure
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> learners = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    >>> result = howsure.Experiment(learners, {"iris": load_iris()}, howsure.KFold(5), seed=0).run()
    >>> print(result.scores("accuracy").estimate("bayes"))
    accuracy (mean of 5 splits): 0.953, 95 % interval [0.883, 1.000] (corrected-t),
      n = 5
    >>> print(result.assess("bayes")["accuracy"])
    accuracy: 0.953, 95 % interval [0.907, 0.977] (wilson), n = 150
    """

    @known_arguments()
    def __init__(
        self,
        learners: Mapping[str, Any],
        datasets: Mapping[str, Any],
        resampling: Any = None,
        seed: int = 0,
        *,
        training_error: bool = True,
    ) -> None:
        check_names("learners", learners)
        check_names("datasets", datasets)
        for name, learner in learners.items():
            if isinstance(learner, type) or not (hasattr(learner, "fit") and hasattr(learner, "predict")):
                raise HowsureError(f"learner {name!r} must be an object with `fit` and `predict`, not {learner!r}.")
        check_seed(seed)
        if not isinstance(training_error, bool):
            must("training_error", "True or False", given=training_error)
        data = {name: Dataset.of(dataset, name) for name, dataset in datasets.items()}
        self.plan: ExperimentPlan = ExperimentPlan(
            dict(learners),
            data,
            KFold() if resampling is None else as_scheme(resampling),
            int(seed),
            training_error,
        )

    def __repr__(self) -> str:
        plan = self.plan
        size = f"{counted(len(plan.learners), 'learner')}, {counted(len(plan.datasets), 'data set')}"
        return f"Experiment({size}, {plan.scheme}, seed {plan.seed})"

    @known_arguments()
    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        n_jobs: int | None = None,
        progress: bool = True,
        time_limit: float | None = None,
        retry_failed: bool = False,
    ) -> ExperimentResult:
        """Run all tasks that are not finished, and return the results.

        Parameters
        ----------
        folder
            Folder for the plan, splits and results, from which an interrupted run can be resumed. Without a folder, the
            results exist only as long as the returned object.
        n_jobs
            Number of worker processes, -1 for all cores. Default: run in this process, or as configured by
            ``joblib.parallel_config``, which may also select a Dask cluster.
        progress
            Whether to show a progress bar on a terminal.
        time_limit
            Time limit for each task in seconds; a task that exceeds it is stopped and counts as failed.
        retry_failed
            Whether to repeat tasks that failed in an earlier run.

        Returns
        -------
        ExperimentResult
            The results of all tasks, including those of earlier runs in the same folder.

        Examples
        --------
        >>> import howsure
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = [[i % 7, i % 2] for i in range(40)], [i % 2 for i in range(40)]
        >>> howsure.Experiment({"bayes": GaussianNB()}, {"toy": (X, y)}, howsure.KFold(4)).run(progress=False).done
        4
        """
        if time_limit is not None and not 0 < as_float(time_limit) < math.inf:
            must("time_limit", "a number of seconds above 0", given=time_limit)
        durable = folder is not None
        with ExitStack() as temporary:
            if folder is None:
                folder = tempfile.mkdtemp(prefix="howsure-")
                temporary.callback(shutil.rmtree, folder, ignore_errors=True)
            with FolderWriter(folder, self.plan, durable=durable).opened() as writer:
                self._run(
                    writer,
                    n_jobs,
                    check_flag("progress", progress),
                    time_limit,
                    check_flag("retry_failed", retry_failed),
                )
            from howsure.experiment.result.result import ExperimentResult

            result = ExperimentResult.open(folder)
            weakref.finalize(result, temporary.pop_all().close)
        return result

    def _run(
        self, writer: FolderWriter, n_jobs: int | None, progress: bool, time_limit: float | None, retry_failed: bool
    ) -> None:
        plan, names = self.plan, list(self.plan.learners)
        tasks, pickled = plan.tasks(), plan.pickled()
        done = finished_tasks(writer.contents, plan, failed=not retry_failed)
        jobs = [plan.task_input(task, pickled, time_limit) for task in tasks if task not in done]
        with ExitStack() as stack:
            stack.enter_context(warnings.catch_warnings())
            # joblib warns about tasks that were running when the run was stopped, and about workers that it replaces
            # because they have grown by 300 MB, which they do when they map data. Raised as an error, the latter would
            # stop joblib's thread.
            warnings.filterwarnings("ignore", r"\d+ tasks (have been|which were)|A worker stopped while some jobs")
            outcomes: Iterable[Outcome] = ()
            if jobs:
                scratch = os.path.abspath(writer.scratch)
                workers = choose_workers(n_jobs, time_limit, list(plan.datasets.values()), scratch)
                outcomes = stack.enter_context(closing(run_tasks(jobs, workers)))
            writer.write_plan()
            splits = sum(len(task.splits) for task in tasks if task not in done)
            advance = stack.enter_context(progress_bar(splits, progress and bool(jobs)))
            for outcome in outcomes:
                writer.add(outcome)
                advance(names[outcome.task.learner], bool(outcome.failure), len(outcome.task.splits))
        writer.finish()
