from .bootstrap import bootstrap_error as bootstrap_error
from .nested import conservative_z_error as conservative_z_error
from .nested import nested_cv_error as nested_cv_error
