"""Information criteria, description length and VC bound, compared with cross-validation."""

from howsure.theory.information.capacity import vc_bound
from howsure.theory.information.criteria_table import Criteria, criteria

__all__ = ["Criteria", "criteria", "vc_bound"]
