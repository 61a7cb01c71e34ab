"""Naive Bayes from statistics that merge: those of two sets of rows give those of both, by additions alone.

Counts and sums add. Means and sums of squared deviations merge pairwise (Chan, Golub & LeVeque, 1979); nothing is ever
taken away, so nothing cancels. ``GaussianNB.partial_fit`` would not do: it takes ``epsilon_``, which it adds to every
variance, from the rows of its last call alone. Here it comes from the merged statistics, as in ``fit``.

Formulas are written as scikit-learn has them, in its order of operations, so that whole-number counts give its very
bits. Only sums over features, and for Gaussians over rows, are taken in another order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from howsure.arrays import Floats, IntArray
from howsure.errors import HowsureError

Stats = tuple[Floats, ...]  # of shapes (parts, classes) and (parts, classes, columns); the first counts rows
NOISE = 1e-24  # a variance below this share of the squared mean is rounding


@dataclass(frozen=True, eq=False)
class Mergeable:
    """A learner with the rows it may see; ``codes`` number their classes 0..k-1."""

    learner: Any
    X: Any
    codes: IntArray
    k: int

    @property
    def columns(self) -> int:
        """Columns that the statistics have for each class."""
        return int(self.X.shape[1])

    @property
    def cells(self) -> int:
        """Numbers stored for one part."""
        return self.k * self.columns

    @property
    def entries(self) -> int:
        """Numbers that make one row, on average."""
        stored = self.X.nnz if hasattr(self.X, "tocsr") else self.X.size
        return max(1, int(stored) // len(self.codes))

    def read(self, rows: IntArray) -> Any:
        return self.X[rows].astype(float)

    def own(self, rows: IntArray, part: IntArray, parts: int) -> Stats:
        """Statistics of each part from its own rows; ``part`` is that of each row, 0..parts-1."""
        count, groups, _ = self._grouped(rows, part, parts)
        sums = groups @ self.read(rows)
        dense = sums.toarray() if hasattr(sums, "toarray") else sums
        return count, dense.reshape(parts, self.k, -1)

    def merge(self, one: Stats, two: Stats) -> Stats:
        return tuple(a + b for a, b in zip(one, two, strict=True))

    def prepare(self, stats: Stats) -> Stats:
        """Turn the statistics of training sets into what their predictions need, the additive term first."""
        raise NotImplementedError

    def joint(self, prepared: Stats, rows: IntArray, part: IntArray) -> Floats:
        """Logarithm of the joint likelihood of each row and class, by the training set of its ``part``."""
        offset, weights = prepared
        return offset[part] + _dot(self.read(rows), weights, part)

    def _grouped(self, rows: IntArray, part: IntArray, parts: int) -> tuple[Floats, Any, IntArray]:
        """Rows of each part and class: their number, the matrix that adds them up, and each row's group."""
        from scipy import sparse

        group = part * self.k + self.codes[rows]
        count = np.bincount(group, minlength=parts * self.k).astype(float)
        adding = sparse.csr_array((np.ones(len(rows)), (group, np.arange(len(rows)))), shape=(len(count), len(rows)))
        return count.reshape(parts, self.k), adding, group

    def _alpha(self) -> Any:
        alpha = self.learner.alpha if np.ndim(self.learner.alpha) == 0 else np.asarray(self.learner.alpha)
        return alpha if self.learner.force_alpha else np.maximum(alpha, 1e-10)

    def _log_prior(self, count: Floats) -> Floats:
        prior = self.learner.class_prior
        if prior is not None:
            return _fixed_prior("class_prior", prior, count)
        if self.learner.fit_prior:
            return np.asarray(np.log(count) - np.log(count.sum(-1, keepdims=True)))
        return np.broadcast_to(-np.log((count > 0).sum(-1, keepdims=True)), count.shape)


class Gaussian(Mergeable):
    @property
    def cells(self) -> int:
        return 2 * self.k * self.columns

    def own(self, rows: IntArray, part: IntArray, parts: int) -> Stats:
        count, groups, group = self._grouped(rows, part, parts)
        values = self.read(rows)
        mean = (groups @ values) / np.maximum(count, 1).reshape(-1, 1)
        values -= mean[group]
        values *= values
        shape = (parts, self.k, self.columns)
        return count, mean.reshape(shape), (groups @ values).reshape(shape)

    def merge(self, one: Stats, two: Stats) -> Stats:
        (count, mean, squares), (more, other, added) = one, two
        total = count + more
        share = more / np.maximum(total, 1)
        apart = other - mean
        merged = apart * share[..., None]
        merged += mean
        apart *= apart
        apart *= (count * share)[..., None]
        apart += squares
        apart += added
        return total, merged, apart

    def prepare(self, stats: Stats) -> Stats:
        count, mean, squares = stats
        fixed = self.learner.priors
        prior = np.log(count / count.sum(-1, keepdims=True)) if fixed is None else _fixed_prior("priors", fixed, count)
        variance = squares / np.maximum(count, 1)[..., None]
        variance += self.learner.var_smoothing * self._largest_variance(stats)[:, None, None]
        variance[variance <= NOISE * mean**2] = np.nan  # scikit-learn's value is rounding too: let it decide
        return prior - 0.5 * np.log(2.0 * np.pi * variance).sum(-1), mean, variance

    def joint(self, prepared: Stats, rows: IntArray, part: IntArray) -> Floats:
        offset, mean, variance = prepared
        distance = self.read(rows)[:, None, :] - mean[part]
        distance *= distance
        distance /= variance[part]
        return np.asarray(offset[part] - 0.5 * distance.sum(-1))

    @staticmethod
    def _largest_variance(stats: Stats) -> Floats:
        """Variance of the training rows of all classes together, in the feature where it is largest."""
        count, mean, squares = stats
        total = count.sum(-1)[:, None]
        centre = np.einsum("pk,pkd->pd", count, mean) / total
        between = mean - centre[:, None, :]
        between *= between
        return np.asarray(((np.einsum("pk,pkd->pd", count, between) + squares.sum(1)) / total).max(-1))


class Multinomial(Mergeable):
    def prepare(self, stats: Stats) -> Stats:
        count, sums = stats
        smoothed = sums + self._alpha()
        return self._log_prior(count), np.log(smoothed) - np.log(smoothed.sum(-1, keepdims=True))


class Complement(Mergeable):
    def prepare(self, stats: Stats) -> Stats:
        count, sums = stats
        self._log_prior(count)  # not used, but refused as scikit-learn refuses it
        others = sums.sum(1, keepdims=True) + self._alpha() - sums
        logged = np.log(others / others.sum(-1, keepdims=True))
        weights = logged / logged.sum(-1, keepdims=True) if self.learner.norm else -logged
        return np.zeros_like(count), weights


class Bernoulli(Mergeable):
    def read(self, rows: IntArray) -> Any:
        values, threshold = super().read(rows), self.learner.binarize
        if threshold is None:
            return values
        return (values > threshold).astype(float)

    def prepare(self, stats: Stats) -> Stats:
        count, sums = stats
        alpha = self._alpha()
        present = np.log(sums + alpha) - np.log(count + alpha * 2)[..., None]
        absent = np.log(1 - np.exp(present))
        return self._log_prior(count) + absent.sum(-1), present - absent


class Categorical(Mergeable):
    """Each category is a column of zeros and ones."""

    @property
    def columns(self) -> int:
        return int(self.starts[-1])

    def read(self, rows: IntArray) -> Any:
        from scipy import sparse

        columns = self.X[rows] + self.starts[:-1]
        m, d = columns.shape
        return sparse.csr_array((np.ones(m * d), columns.ravel(), np.arange(0, m * d + 1, d)), shape=(m, self.columns))

    def prepare(self, stats: Stats) -> Stats:
        count, sums = stats
        starts, alpha = self.starts, self._alpha()
        sizes = np.diff(starts)
        category = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        seen = np.where(sums.any(1), category + 1, 0)
        categories = np.maximum.reduceat(seen, starts[:-1], axis=1)  # scikit-learn has none above the largest it saw
        if self.learner.min_categories is not None:
            categories = np.maximum(categories, self.learner.min_categories)
        smoothed = np.repeat(np.log(count[..., None] + alpha * categories[:, None, :]), sizes, axis=-1)
        return self._log_prior(count), np.log(sums + alpha) - smoothed, categories.astype(float)

    def joint(self, prepared: Stats, rows: IntArray, part: IntArray) -> Floats:
        offset, weights, categories = prepared
        beyond = np.argwhere(self.X[rows] >= categories[part])
        if len(beyond):
            row, feature = beyond[0]
            raise HowsureError(
                f"row {rows[row]} has category {self.X[rows[row], feature]} of feature {feature}, which is above all "
                "of its training set; set `min_categories`."
            )
        return super().joint((offset, weights), rows, part)

    @cached_property
    def starts(self) -> IntArray:
        """First column of each feature, and the number of columns."""
        sizes = np.maximum(self.X.max(0) + 1, 0 if self.learner.min_categories is None else self.learner.min_categories)
        return np.concatenate([[0], np.cumsum(sizes)])


def _dot(values: Any, weights: Floats, part: IntArray) -> Floats:
    """Multiply each row by the weights of its part, for each class."""
    if not hasattr(values, "tocsr"):
        return np.asarray(np.einsum("nd,nkd->nk", values, weights[part]))
    from scipy import sparse

    filled = np.repeat(part, np.diff(values.indptr))
    adding = sparse.csr_array((values.data, np.arange(values.nnz), values.indptr), shape=(len(part), values.nnz))
    return np.asarray(adding @ weights[filled, :, values.indices])


def _fixed_prior(name: str, prior: Any, count: Floats) -> Floats:
    present = (count > 0).sum(-1).min()
    if present < count.shape[-1]:
        raise HowsureError(f"`{name}` is for {count.shape[-1]} classes, and a training set has only {present} of them.")
    return np.broadcast_to(np.log(np.asarray(prior, float)), count.shape)


def family(learner: Any) -> type[Mergeable] | None:
    """How a learner of scikit-learn merges. Subclasses are not taken: they may fit in ways of their own."""
    kind = type(learner)
    return FAMILIES.get(kind.__name__) if kind.__module__ == "sklearn.naive_bayes" else None


def unusable(learner: Any, X: Any) -> str | None:
    """Why a learner of these families cannot be used, as it is or with these rows."""
    name = type(learner).__name__
    if name == "BernoulliNB" and np.ndim(learner.alpha):
        return "BernoulliNB of scikit-learn adds an array `alpha` to classes instead of features"
    if X is None or name not in ("GaussianNB", "CategoricalNB"):
        return None
    if hasattr(X, "tocsr"):
        return f"{name} takes no sparse matrix"
    kind = np.asarray(X).dtype
    if name == "GaussianNB" and kind.kind == "f" and kind != np.float64:
        return f"GaussianNB computes in {kind} where `X` is {kind}, and its rounding then depends on the order of rows"
    return None


FAMILIES: dict[str, type[Mergeable]] = {
    "GaussianNB": Gaussian,
    "MultinomialNB": Multinomial,
    "ComplementNB": Complement,
    "BernoulliNB": Bernoulli,
    "CategoricalNB": Categorical,
}
