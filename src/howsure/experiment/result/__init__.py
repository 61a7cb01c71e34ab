"""The results of an experiment: assessments, comparisons, resources and preference."""
