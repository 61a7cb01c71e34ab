"""The site: Sphinx reads the pages, and what `docs.tools` makes of the registries before it."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from collections.abc import Iterator  # noqa: E402

from sphinx.application import Sphinx  # noqa: E402
from sphinx.domains.std import StandardDomain  # noqa: E402
from sphinx.environment import BuildEnvironment  # noqa: E402

from howsure import __version__  # noqa: E402

project = "Howsure"
author = "The Howsure developers"
copyright = "2026, the Howsure developers"  # noqa: A001 - the name that Sphinx asks for
release = version = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_click",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "docs.tools.sphinx_mathml",
    "docs.tools.sphinx_markdown",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "made/pages.json", "tools", "gallery/GALLERY_HEADER.rst", "**/README.rst"]
nitpicky = False
default_role = "py:obj"
smartquotes = False  # options are typed with two dashes
suppress_warnings = ["config.cache"]  # the order of examples is a function, which cannot be kept

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the parameters' texts say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "plot_gallery": True,
    "abort_on_example_error": True,
    "image_srcset": [],
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "Howsure"
html_static_path = ["_static"]
html_css_files = ["site.css", "calculators.css"]
html_js_files = [("site.js", {"defer": "defer"}), ("calculators.js", {"defer": "defer"})]
html_show_search_summary = False  # a page that is a local file must not fetch others
html_extra_path: list[str] = []
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 8,
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "which": [], "calculators/*": ["sidebar-nav-bs"]}


NOT_SEARCHED = ("decisions/",)  # pages that would stand before the guide in the search
HIDDEN = -1  # the priority of names that the search leaves out


class WithoutOptions(StandardDomain):
    """Sphinx's own domain, with the options of commands left out of the search."""

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        for name, shown, kind, page, anchor, priority in super().get_objects():
            yield name, shown, kind, page, anchor, HIDDEN if kind == "cmdoption" else priority


def setup(app: Sphinx) -> None:
    for event in ("description", "options", "arguments", "epilog"):
        app.connect(f"sphinx-click-process-{event}", plain_text)
    app.add_domain(WithoutOptions, override=True)
    app.connect("env-updated", leave_out_of_search)


def leave_out_of_search(_app: Sphinx, env: BuildEnvironment) -> None:
    """Leave pages out of the full-text search."""
    for page in env.all_docs:
        if page.startswith(NOT_SEARCHED):
            env.metadata[page]["nosearch"] = True


def plain_text(_app: Sphinx, _context: object, lines: list[str]) -> None:
    """Escape the help texts of the command line, which Sphinx reads as reStructuredText."""
    lines[:] = [
        line if line.startswith((".. ", "   :")) else line.replace("*", r"\*").replace("`", r"\`") for line in lines
    ]
