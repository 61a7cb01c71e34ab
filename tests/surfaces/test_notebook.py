"""A notebook shows what a person expects: each chart as a picture, each result as a table or an image."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks are run where nbconvert and ipykernel are installed")
execute = pytest.importorskip("nbconvert.preprocessors", reason="notebooks are run where nbconvert is installed")
pytest.importorskip("ipykernel", reason="notebooks are run where ipykernel is installed")

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "examples" / "tour.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """The cells that compute something, run in a kernel of their own."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # it is stored without what it shows
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MPLBACKEND", raising=False)  # the kernel has its own
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        execute.ExecutePreprocessor(timeout=300).preprocess(notebook, {"metadata": {"path": str(ROOT)}})
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def forms(cell):
    return {form for output in cell.outputs for form in output.get("data", {})}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_every_chart_and_every_result_shows(cells):
    pictures = results = 0
    for cell in cells:
        assert not [output for output in cell.outputs if output.output_type in ("error", "stream")], cell.source
        last = ast.parse(cell.source).body[-1]
        if ".plot(" in cell.source:
            assert "image/png" in forms(cell), cell.source
            pictures += 1
        elif isinstance(last, ast.Expr):
            (html,) = [output.data["text/html"] for output in cell.outputs if "text/html" in output.get("data", {})]
            assert "<table" in html or "<img alt=" in html, cell.source
            results += 1
    assert (pictures, results) == (7, 3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_each_cell_shows_one_figure(cells):
    for cell in cells:
        if ".plot(" in cell.source:
            assert sum("image/png" in output.get("data", {}) for output in cell.outputs) == 1, cell.source
