"""The plan of an experiment: data sets, learners described in plain values, and the tasks."""
