"""The logs of model evaluations: what inspect_ai and lm-evaluation-harness write becomes columns.

`recognise` tells a log from other files, `read` is the way in, and `pair` puts several logs together by sample. What
the two write is read by `inspect_ai` and `harness`; an archive is opened by `archive`, which bounds what is unpacked.
`outcomes` states what an answer counts.
"""

from assay.data.read.logs.log import EvaluationLog
from assay.data.read.logs.pair import PairedLogs, pair_logs
from assay.data.read.logs.read import read_log
from assay.data.read.logs.recognise import is_log

__all__ = ["EvaluationLog", "PairedLogs", "is_log", "pair_logs", "read_log"]
