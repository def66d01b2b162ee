"""How Sphinx makes the site of the repository's own pages: see docs/site/build."""

import os
import pathlib
import re
import sys

SITE = pathlib.Path(__file__).resolve().parent
ROOT = SITE.parent.parent
sys.path.insert(0, str(SITE))

project = "Weft"
author = "The Weft developers"
project_copyright = "The Weft developers, Apache License 2.0"
version = re.search(r"project\(weft VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe",
              "sphinx_copybutton", "source_pages", "python_api"]

# The pages are the files of the repository, at their places; nothing else of it is read.
root_doc = "docs/site/contents"
include_patterns = ["*.md", "docs/**.md", "tests/README.md", "viewer/README.md",
                    "bench/gpu_count/README.md"]
exclude_patterns = ["build", "[!bdtv]*/**"]
templates_path = ["templates"]

myst_heading_anchors = 4
nitpicky = True
# Types of the standard library, and names that stand for template parameters.
nitpick_ignore_regex = [
    ("cpp:identifier", r"(std(::.*)?|T|HostWord|Symbol|Element|Impl|Findings)"),
    ("cpp:identifier", r"u?int\d+_t|size_t"),
    ("cpp:identifier", r"(EventKind|PathKind)::\w+"),  # of tables that Doxygen does not read
    ("py:.*", ".*"),  # types of docstrings are words: "int, optional"
]

# The public headers, read by Doxygen before.
breathe_projects = {"weft": os.environ["WEFT_DOXYGEN_XML"]}
breathe_default_project = "weft"
highlight_language = "none"
default_role = "code"

napoleon_google_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}

html_theme = "furo"
html_title = f"Weft {version}"
html_static_path = ["static", "../images"]
html_css_files = ["weft.css"]
html_js_files = ["theme.js"]
html_favicon = "static/weft.svg"
html_show_sphinx = False
html_copy_source = False
html_additional_pages = {"index": "landing.html"}
html_theme_options = {
    "light_logo": "wordmark.svg",
    "dark_logo": "wordmark-dark.svg",
    "sidebar_hide_name": True,
    "light_css_variables": {"color-brand-primary": "#0f6b66", "color-brand-content": "#0f6b66"},
    "dark_css_variables": {"color-brand-primary": "#5fd0c5", "color-brand-content": "#5fd0c5"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"
copybutton_prompt_text = "$ "


def headers_without_a_page():
    shown = "".join(page.read_text() for page in (SITE / "cpp").glob("*.md"))
    return [header.name for header in sorted((ROOT / "include/weft").glob("*.hpp"))
            if header.name not in ("weft.hpp", "version.hpp")  # they declare nothing to explain
            and f"doxygenfile:: {header.name}\n" not in shown]


def setup(app):
    missing = headers_without_a_page()
    if missing:
        raise SystemExit(f"error: no page of docs/site/cpp/ shows {', '.join(missing)}")
