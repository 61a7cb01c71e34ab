"""Make the three synthetic sets of agreement_ratings.json. Run it in this folder: it sees that they are those there."""

import json
from pathlib import Path

import numpy as np


def ordered():
    """Give 40 items, rated by three raters into four ordered categories; the third tends upward."""
    rng = np.random.default_rng(1)
    truth = rng.choice(4, size=40, p=[0.35, 0.3, 0.2, 0.15])
    shares = ([0.1, 0.8, 0.1], [0.15, 0.7, 0.15], [0.05, 0.6, 0.35])
    steps = [rng.choice([-1, 0, 1], size=40, p=share) for share in shares]
    return (np.clip(truth + steps, 0, 3) + 1).T.tolist()


def gaps():
    """Give 40 items of five raters and three categories, with about a quarter of the ratings missing."""
    rng = np.random.default_rng(3)
    truth = rng.choice(3, size=40, p=[0.5, 0.3, 0.2])
    kept = rng.random((40, 5)) < 0.7
    guessed = rng.choice(3, size=(40, 5), p=[0.5, 0.3, 0.2])
    ratings = np.where(kept, truth[:, None], guessed)
    there = rng.random((40, 5)) >= 0.22
    there[::13] = False
    there[np.arange(40), rng.integers(5, size=40)] = True  # so that items 1, 14, 27 and 40 have one rating each
    return np.where(there, np.array(["a", "b", "c"], dtype=object)[ratings], None).tolist()


def skewed():
    """Give 60 items of two raters and two categories, of which one in twenty is positive."""
    rng = np.random.default_rng(12)
    truth = rng.permutation(np.arange(60) < 3)
    errors = rng.random((2, 60)) < [[0.03], [0.02]]
    return (truth ^ errors).astype(int).T.tolist()


if __name__ == "__main__":
    sets = {one["name"]: one for one in json.loads(Path("agreement_ratings.json").read_text())["sets"]}
    for made in (ordered, gaps, skewed):
        assert sets[f"synthetic_{made.__name__}"]["ratings"] == made(), made.__name__
    print("The synthetic sets are those of agreement_ratings.json.")
