"""A Sphinx extension for the page of the Python module. Each name of the module must have a place
on the page; without the module, the page says why it is empty."""

import importlib
import re

from sphinx.ext.napoleon.docstring import GoogleDocstring

PAGE = "docs/site/python"
NOTE = """# The Python module

```{note}
The module was not built when this site was made. `make docs` builds it; in Python, `help(weft)`
shows the same texts.
```
"""


def read(app, docname, source):
    if docname != PAGE:
        return
    try:
        weft = importlib.import_module("weft")
    except ImportError:
        source[0] = NOTE
        return
    placed = set(re.findall(r"auto\w+:: weft[.](\w+)", source[0]))
    missing = sorted(set(weft.__all__) - placed - {"__version__"})
    if missing:
        raise SystemExit(f"error: {PAGE}.md has no place for {', '.join(missing)}")


def public(text):
    """The names of the compiled part, as users write them."""
    return re.sub(r"\bweft[.]_weft[.]", "weft.", text) if text else text


def signature(app, what, name, thing, options, arguments, returns):
    return public(arguments), public(returns)


def as_words(text):
    """Text between code: |a| is no substitution, from_ is no reference, and the * of a signature no emphasis."""
    parts = re.split(r"(`+[^`]*`+)", text)
    parts[::2] = [re.sub(r"(?<!\\)(\||_(?!\w)|(?<=, )\*(?=, ))", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def docstring(app, what, name, thing, options, lines):
    lines[:] = [as_words(public(line)) for line in lines]


def setup(app):
    # A colon in the text of an attribute does not end its type.
    GoogleDocstring._parse_attribute_docstring = lambda self: self._consume_to_end()
    app.connect("source-read", read)
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-docstring", docstring, priority=900)  # after napoleon
    return {"parallel_read_safe": True, "parallel_write_safe": True}
