"""Tables of counts: small, exact, and added to one another."""

from assay.tables.classes import ClassScores
from assay.tables.clusters import Clusters
from assay.tables.confusion import Confusion
from assay.tables.counts import BinaryCounts, LabelCounts, ScoreCounts, ScoreRows
from assay.tables.folds import Design, FoldTable
from assay.tables.paired import PairedScores, PairedTable
from assay.tables.scores import ScoreTable
from assay.tables.tally import Tally

__all__ = [
    "BinaryCounts",
    "ClassScores",
    "Clusters",
    "Confusion",
    "Design",
    "FoldTable",
    "LabelCounts",
    "PairedScores",
    "PairedTable",
    "ScoreCounts",
    "ScoreRows",
    "ScoreTable",
    "Tally",
]
