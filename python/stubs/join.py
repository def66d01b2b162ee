"""Joins the stubs of the compiled part, and takes the docstrings out of them for the module.

  join.py STUBS TABLE    writes _weft.pyi, and the table that python/src/docs.cpp includes
"""

import ast
import inspect
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PARTS = ["head", "errors", "machine", "layout", "vectors", "pe_program", "design", "patterns", "profile",
         "explanation", "fabric", "fft"]  # named as the sources that bind them


def joined():
    return "\n".join((HERE / f"{part}.pyi").read_text().strip() + "\n" for part in PARTS)


def docs(body, owner=""):
    """Name and docstring of each class, function, method and attribute. Of overloads it is at the
    last one; an attribute's stands below it."""
    for item, after in zip(body, [*body[1:], None]):
        if isinstance(item, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(item):
            yield owner + item.name, ast.get_docstring(item)
        if isinstance(item, ast.ClassDef):
            yield from docs(item.body, f"{item.name}.")
        if isinstance(item, ast.AnnAssign) and isinstance(after, ast.Expr):
            yield owner + item.target.id, inspect.cleandoc(after.value.value)


def main(stubs, table):
    text = joined()
    pathlib.Path(stubs).write_text(text)
    rows = [f'{{"{name}", R"doc({doc}\n)doc"}},\n' for name, doc in docs(ast.parse(text).body)
            if not is_of_python(name)]
    pathlib.Path(table).write_text("".join(rows))


def is_of_python(name):
    """Attributes that are in an instance only."""
    return name.partition(".")[0].endswith("Error") and "." in name


if __name__ == "__main__":
    main(*sys.argv[1:])
