"""Write small logs with inspect_ai and its mock model, without a network: `python write_inspect_logs.py FOLDER`."""

import multiprocessing
import os
import sys
from pathlib import Path

import inspect_ai
from inspect_ai import Epochs, Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, accuracy, includes, match, mean, scorer
from inspect_ai.solver import solver
from rich.traceback import Traceback

ANSWERS = {
    "ask": ("4", "5"),
    "sky": ("blue", "blue"),
    "sea": ("grey", "blue"),
    "rain": ("", "wet"),
}


def samples(ids):
    questions = {
        "ask": ("2 + 2?", "4", "sums"),
        "sky": ("Colour of the sky?", "blue", "nature"),
        "sea": ("Colour of the sea?", "blue", "nature"),
        "rain": ("Is rain dry?", "wet", "nature"),
    }
    return MemoryDataset(
        [
            Sample(
                id=name, input=questions[name][0], target=questions[name][1],
                metadata={"topic": questions[name][2], "level": len(name), "hard": name == "sea", "tags": ["a", "b"]},
            )
            for name in ids
        ]
    )  # fmt: skip


@solver
def answer_from_list():
    """Answer each sample by its id and epoch, so that the order in which samples run does not matter."""

    async def solve(state, generate):
        state.output.completion = ANSWERS[state.sample_id][(state.epoch - 1) % 2]
        return state

    return solve


@solver
def fail_at(name):
    async def solve(state, generate):
        if state.sample_id == name:
            raise ValueError("the tool broke")
        return state

    return solve


@solver
def die_at(name):
    """End the whole process, as a machine that is switched off does."""

    async def solve(state, generate):
        if state.sample_id == name:
            os._exit(1)
        return state

    return solve


@scorer(metrics=[accuracy()])
def letters():
    """C, P, I and N, as graders write them."""

    async def score(state, target):
        answer = state.output.completion
        value = "N" if not answer else "C" if answer == target.text else "P" if answer == "grey" else "I"
        return Score(value=value, answer=answer)

    return score


@scorer(metrics=[mean()])
def closeness():
    """A number from 0 to 1."""

    async def score(state, target):
        answer = state.output.completion
        return Score(value=1.0 if answer == target.text else 0.25, answer=answer)

    return score


@scorer(metrics={"right": [mean()], "short": [mean()]})
def several():
    """Several values in one score."""

    async def score(state, target):
        answer = state.output.completion
        return Score(value={"right": int(answer == target.text), "short": int(len(answer) < 5)}, answer=answer)

    return score


@scorer(metrics=[mean()])
def sometimes():
    """A score that cannot always be given: refusals, and answers that cannot be read."""

    async def score(state, target):
        answer = state.output.completion
        if state.sample_id == "rain":
            return Score.unscored(reason="refusal", answer=answer)
        if state.sample_id == "sea":
            return Score.unscored(reason="invalid_response_format", answer=answer)
        if state.sample_id == "sky":
            return Score.unscored(reason="grader_failed", answer=answer)
        return Score(value=1.0, answer=answer)

    return score


def run(folder, name, kind, scorers, solvers, **options):
    task = Task(
        name=name, dataset=samples(ANSWERS), solver=[*solvers, answer_from_list()], scorer=scorers,
        **{key: options.pop(key) for key in ("epochs",) if key in options},
    )  # fmt: skip
    inspect_ai.eval(
        task, model="mockllm/model",
        log_dir=str(folder / "written"), log_format=kind, display="none", **options,
    )  # fmt: skip
    keep(folder, name, kind)


def keep(folder, name, kind):
    (path,) = (folder / "written").glob(f"*.{kind}")
    path.rename(folder / f"{name}.{kind}")


def run_killed(folder):
    run(folder, "killed", "eval", includes(), [die_at("sea")], max_samples=1, log_buffer=1)


def forget_frames():
    """Keep the paths of this machine out of the logs of errors."""
    extract = Traceback.extract

    def without_frames(cls, *args, **options):
        trace = extract(*args, **options)
        for stack in trace.stacks:
            stack.frames.clear()
        return trace

    sys.tracebacklimit = 0
    Traceback.extract = classmethod(without_frames)


def main():
    forget_frames()
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    run(folder, "letters", "eval", letters(), [])
    run(folder, "letters", "json", letters(), [])
    run(folder, "repeated", "eval", [match(), closeness()], [], epochs=Epochs(2, "mean"))
    run(folder, "several", "eval", several(), [])
    run(folder, "failed", "eval", includes(), [fail_at("sea")], fail_on_error=False)
    run(folder, "stopped", "eval", includes(), [fail_at("sea")], max_samples=1)
    process = multiprocessing.get_context("spawn").Process(target=run_killed, args=(folder,))
    process.start()
    process.join()
    keep(folder, "killed", "eval")
    if hasattr(Score, "unscored"):
        run(folder, "sometimes", "eval", sometimes(), [])


if __name__ == "__main__":
    main()
