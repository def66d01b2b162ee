"""A Sphinx extension: where a page links to a source or a folder of the repository, the site has a
page that shows it."""

import pathlib
import posixpath

from docutils import nodes
from pygments.lexers import guess_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = "source"  # of the site
TREES = {}  # of pages, by the depth of the page that shows it and the theme's choices


def page_of(path):
    return posixpath.join(FOLDER, path)


def shown(env):
    """By page, the sources and folders that it links to."""
    if not hasattr(env, "weft_sources"):
        env.weft_sources = {}
    return env.weft_sources


class LinksToSources(SphinxTransform):
    default_priority = 400

    def apply(self, **kwargs):
        here = posixpath.dirname(self.env.docname)
        for node in list(self.document.findall()):
            if not isinstance(node, (addnodes.pending_xref, addnodes.download_reference)):
                continue
            target = node["reftarget"]
            if node.get("reftype") != "myst" or target.startswith("#"):
                continue
            path = posixpath.normpath(posixpath.join(here, target.split("#")[0]))
            if path.endswith(".md") or path.startswith("..") or not (ROOT / path).exists():
                continue
            shown(self.env).setdefault(self.env.docname, set()).add(path)
            uri = self.app.builder.get_relative_uri(self.env.docname, page_of(path))
            link = nodes.reference("", "", *node.children, internal=True, refuri=uri)
            node.replace_self(link)


def forget(app, env, docname):
    shown(env).pop(docname, None)


def merge(app, env, docnames, other):
    shown(env).update({name: shown(other)[name] for name in docnames if name in shown(other)})


def lexer_of(path):
    if path.suffix in (".def", ".cuh", ".hpp"):
        return "cpp"
    try:
        return guess_lexer_for_filename(path.name, path.read_text(errors="replace")).aliases[0]
    except ClassNotFound:
        return "none"


def pages(app):
    # A linked folder shows its files, so they have pages too.
    linked = set().union(*shown(app.env).values()) if shown(app.env) else set()
    folders = {path for path in linked if (ROOT / path).is_dir()}
    inside = {path: sorted(set((ROOT / path).iterdir()) - {ROOT / path / "__pycache__"})
              for path in folders}
    files = linked - folders | {str(child.relative_to(ROOT)) for children in inside.values()
                                for child in children if child.is_file()}
    for path in sorted(folders):
        rows = []
        for child in inside[path]:
            name = str(child.relative_to(ROOT))
            to = app.builder.get_relative_uri(page_of(path), page_of(name))
            known = name in files or name in folders
            text = child.name + ("/" if child.is_dir() else "")
            rows.append(f'<li><a href="{to}">{text}</a></li>' if known else f"<li>{text}</li>")
        body = f"<h1>{path}/</h1><ul>{''.join(rows)}</ul>"
        yield page_of(path), {"title": path, "body": body}, "page.html"
    for path in sorted(files):
        source = ROOT / path
        try:
            code = source.read_text()
        except UnicodeDecodeError:
            continue
        shows = app.builder.highlighter.highlight_block(code, lexer_of(source), linenos="inline")
        yield page_of(path), {"title": path, "body": f"<h1>{path}</h1>{shows}"}, "page.html"


def remember_trees(app, name, template, context, doctree):
    """Pages of sources at one depth have the same tree of pages beside them: made once, it takes a
    third of the site's time less."""
    if doctree is not None or not name.startswith(FOLDER + "/"):
        return
    make = context["toctree"]

    def toctree(**choices):
        key = (name.count("/"), *sorted(choices.items()))
        if key not in TREES:
            TREES[key] = make(**choices)
        return TREES[key]

    context["toctree"] = toctree


def setup(app):
    app.add_transform(LinksToSources)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("html-collect-pages", pages)
    app.connect("html-page-context", remember_trees, priority=100)  # before the theme's
    return {"parallel_read_safe": True, "parallel_write_safe": True}
