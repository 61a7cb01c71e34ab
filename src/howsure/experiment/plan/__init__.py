"""The plan of an experiment: data sets, descriptions of learners, splits and tasks."""
