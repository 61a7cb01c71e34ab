from .experiment import Experiment as Experiment
from .plan.datasets import Dataset as Dataset
from .result.preference import Preference as Preference
from .result.preference import prefer as prefer
from .result.result import ExperimentResult as ExperimentResult
from .result.verification import Verification as Verification
from .result.verification import verify as verify
