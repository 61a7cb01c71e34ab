"""Tables of counts: small, exact, and added to one another."""

from assay.tables.confusion import Confusion
from assay.tables.counts import BinaryCounts, LabelCounts, ScoreCounts, ScoreRows
from assay.tables.scores import ScoreTable

__all__ = ["BinaryCounts", "Confusion", "LabelCounts", "ScoreCounts", "ScoreRows", "ScoreTable"]
