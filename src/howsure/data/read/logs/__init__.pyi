from .log import EvaluationLog as EvaluationLog
from .pair import PairedLogs as PairedLogs
from .pair import pair_logs as pair_logs
from .read import read_log as read_log
from .recognise import is_log as is_log
