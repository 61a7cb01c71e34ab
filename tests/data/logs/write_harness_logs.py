"""Write small logs with lm-evaluation-harness and its dummy model, without a network.

`python write_harness_logs.py FOLDER` in an empty folder, with HF_HUB_OFFLINE=1.
"""

import json
import sys
from pathlib import Path

import lm_eval
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

QUESTIONS = [
    {"question": "Colour of the sky?", "answer": "blue", "topic": "nature", "level": 1},
    {"question": "What do you say to a joke?", "answer": "lol", "topic": "manners", "level": 2},
    {"question": "2 + 2?", "answer": "4", "topic": "sums", "level": 1},
]
COMMON = {
    "dataset_path": "json",
    "dataset_kwargs": {"data_files": {"test": "questions.jsonl"}},
    "test_split": "test",
    "doc_to_text": "{{question}}",
    "doc_to_target": "{{answer}}",
}
TAKE_FIRST = {"function": "take_first"}
TASKS = {
    "one_filter": {
        "output_type": "generate_until",
        "generation_kwargs": {"until": ["\n"]},
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    },
    "two_filters": {
        "output_type": "generate_until",
        "generation_kwargs": {"until": ["\n"]},
        "filter_list": [
            {"name": "strict", "filter": [{"function": "regex", "regex_pattern": "^(\\w+)$"}, TAKE_FIRST]},
            {"name": "digits", "filter": [{"function": "regex", "regex_pattern": "(\\d+)"}, TAKE_FIRST]},
        ],
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    },
    "two_metrics": {
        "output_type": "multiple_choice",
        "doc_to_choice": ["blue", "lol", "4"],
        "metric_list": [
            {"metric": "acc", "aggregation": "mean", "higher_is_better": True},
            {"metric": "acc_norm", "aggregation": "mean", "higher_is_better": True},
        ],
    },
}


def main():
    Path("questions.jsonl").write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS))
    for name, task in TASKS.items():
        Path(f"{name}.yaml").write_text(json.dumps({"task": name, **COMMON, **task}))  # JSON is YAML
    tracker = EvaluationTracker(output_path=sys.argv[1])
    results = lm_eval.simple_evaluate(
        model="dummy", tasks=list(TASKS), task_manager=TaskManager(include_path="."), log_samples=True,
        evaluation_tracker=tracker,
    )  # fmt: skip
    tracker.general_config_tracker.model_name_sanitized = ""
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for name in TASKS:
        tracker.save_results_samples(task_name=name, samples=samples[name])


if __name__ == "__main__":
    main()
