"""Runs that are killed or meet a full disk: finished tasks are kept, and resuming gives the same bytes."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import howsure
from fuzz.case import Case, Fault, Fuzzer, demand
from fuzz.child import ERRORS, OPERATIONS, at_call, count_calls, die_after, die_before, die_halfway, failing, in_child
from fuzz.experiments import contents, finished, planned

WAYS = {"operation": 0.6, "moment": 0.18, "error": 0.2, "workers": 0.05, "cluster": 0.01}


class Kills(Fuzzer):
    name = "kills"
    title = "runs killed at an operation of the system or at a moment, alone, with workers and on a cluster; full disks"
    full = 1_000
    limit = 20.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        root = str(Path(__file__).parents[1])
        if root not in os.environ.get("PYTHONPATH", "").split(os.pathsep):  # so that workers can import the learners
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, *sys.path]))
        self.planned = planned()
        self.whole = folder / "whole"
        _, output = in_child(self._undisturbed)
        run = json.loads(output)
        self.counts, self.tasks, self.seconds = run["counts"], run["tasks"], run["seconds"]
        self.files = contents(self.whole)

    def _undisturbed(self) -> str:
        """Return the system calls, the tasks and the time of an undisturbed run."""
        counts, start = count_calls(), time.monotonic()
        result = self.planned.run(self.whole, progress=False)
        seconds = time.monotonic() - start
        return json.dumps({"counts": counts, "tasks": finished(result), "seconds": seconds})

    def run(self, case: Case) -> int:
        folder = self.folder / f"run {case.number}"
        way = case.rng.choices(list(WAYS), list(WAYS.values()))[0]
        checks = 0
        done: set[str] = set()
        for _ in range(case.rng.randint(1, 4) if way in ("operation", "moment", "error") else 1):
            hit = getattr(self, way)(case, folder)
            checks += hit
            before, done = done, set(json.loads(in_child(lambda: self.look(folder))[1]))
            demand(before <= done, f"lost tasks: {sorted(before - done)}")
            if not hit:
                break
        in_child(lambda: self.resume(folder))
        shutil.rmtree(folder)
        return checks

    # ------------------------------------------------------------------------------------------ ways to fail

    def operation(self, case: Case, folder: Path) -> bool:
        """Kill the run before, after, or during a system call."""
        name = case.rng.choice([name for name in OPERATIONS if self.counts[name]])
        number = case.rng.randint(1, self.counts[name])
        act = case.rng.choice([die_before, die_after, die_halfway])
        case.say(f"{act.__name__} call {number} of os.{name}")

        def live() -> None:
            at_call(name, number, act)
            self.planned.run(folder, progress=False)

        return in_child(live)[0] == -signal.SIGKILL

    def moment(self, case: Case, folder: Path) -> bool:
        after = case.rng.uniform(0, 1.2 * self.seconds)
        case.say(f"killed after {after:.4f} s")
        return in_child(self._just_run(folder), kill_after=after)[0] == -signal.SIGKILL

    def error(self, case: Case, folder: Path) -> bool:
        """Let system calls fail, once or permanently; the error must be one sentence."""
        name = case.rng.choice([name for name in ("replace", "fsync", "write", "open") if self.counts[name]])
        number, kind = case.rng.randint(1, self.counts[name]), case.rng.choice(ERRORS)
        times = case.rng.choice([1, 1, 1000])
        case.say(f"{os.strerror(kind)}, {times} times from call {number} of os.{name} on")

        def live() -> str:
            at_call(name, number, failing(kind, times))
            try:
                self.planned.run(folder, progress=False)
            except howsure.HowsureError as refused:
                return str(refused)
            return ""

        _, sentence = in_child(live)
        demand("\n" not in sentence and (not sentence or sentence.endswith(".")), f"not a sentence: {sentence!r}")
        return bool(sentence)

    def workers(self, case: Case, folder: Path) -> bool:
        after, whole_group = case.rng.uniform(0, 3), case.chance(0.5)
        case.say(f"{'all' if whole_group else 'the driver of'} two workers killed after {after:.3f} s")
        code, _ = in_child(self._just_run(folder, 2), kill_after=after, whole_group=whole_group)
        return code == -signal.SIGKILL

    def cluster(self, case: Case, folder: Path) -> bool:
        """Kill the driver, a worker, or the whole cluster during a run on a Dask cluster."""
        victim, after = case.rng.choice(["driver", "worker", "cluster"]), case.rng.uniform(0, 1.5)
        case.say(f"the {victim} of a cluster is killed after {after:.3f} s")
        code, output = in_child(lambda: self._on_cluster(folder, victim, after))
        if code == -signal.SIGKILL:
            return victim == "driver"
        outcome = json.loads(output)
        demand("\n" not in outcome["refused"], f"not a sentence: {outcome['refused']!r}")
        demand(victim != "worker" or not outcome["refused"], f"refused with a worker alive: {outcome['refused']}")
        return bool(outcome["struck"])

    def _on_cluster(self, folder: Path, victim: str, after: float) -> str:
        import distributed
        import joblib

        warnings.simplefilter("ignore")  # warnings about lost workers
        logging.disable(logging.CRITICAL)
        outcome = {"struck": False, "refused": ""}
        library: Any = distributed
        with library.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            workers = list(library.Client(cluster).run(os.getpid).values())

            def strike() -> None:
                outcome["struck"] = True
                if victim == "cluster":
                    cluster.close(timeout=5)
                else:
                    os.kill(os.getpid() if victim == "driver" else workers[0], signal.SIGKILL)

            timer = threading.Timer(after, strike)
            timer.start()
            try:
                with joblib.parallel_config(backend="dask"):
                    self.planned.run(folder, progress=False)
            except howsure.HowsureError as refused:
                outcome["refused"] = str(refused)
            timer.cancel()
        return json.dumps(outcome)

    def _just_run(self, folder: Path, jobs: int | None = None) -> Callable[[], None]:
        def live() -> None:
            self.planned.run(folder, n_jobs=jobs, progress=False)

        return live

    # ------------------------------------------------------------------------------------------ checks

    def look(self, folder: Path) -> str:
        """Open the folder of a killed run; all its tasks must be correct."""
        try:
            tasks = finished(howsure.ExperimentResult.open(folder))
        except howsure.HowsureError as refused:
            demand("holds no experiment" in str(refused), f"the folder does not open: {refused}")
            tasks = {}
        for task, content in tasks.items():
            demand(self.tasks[task] == content, f"{task} is {content}, not {self.tasks[task]}")
        return json.dumps(list(tasks))

    def resume(self, folder: Path) -> None:
        result = self.planned.run(folder, progress=False)
        demand(result.done == result.total, f"{result.done} of {result.total} tasks are done")
        files = contents(folder)
        if files != self.files:
            stray, lost = sorted(files.keys() - self.files.keys()), sorted(self.files.keys() - files.keys())
            changed = sorted(name for name in files.keys() & self.files.keys() if files[name] != self.files[name])
            raise Fault(f"after resuming: extra files {stray}, missing {lost}, different {changed}")
