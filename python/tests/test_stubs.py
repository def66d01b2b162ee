"""The types in _weft.pyi name what the module has, and nothing else."""

import ast
import pathlib

from weft import _weft

STUBS = pathlib.Path(_weft.__file__).parent / "_weft.pyi"
UNTYPED = {"__doc__", "__file__", "__loader__", "__name__", "__package__", "__spec__", "Where"}


def members(node):
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            yield item.name
        elif isinstance(item, ast.AnnAssign):
            yield item.target.id
        elif isinstance(item, ast.Assign):
            yield item.targets[0].id


def test_names_agree():
    tree = ast.parse(STUBS.read_text())
    assert set(members(tree)) - UNTYPED == set(vars(_weft)) - UNTYPED
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        kind = getattr(_weft, node.name)
        if issubclass(kind, Exception) or hasattr(kind, "__members__"):
            continue
        typed = {name for name in members(node) if not name.startswith("_")}
        there = {name for name in vars(kind) if not name.startswith("_")}
        if node.name == "Machine":
            there = {"name"}
        assert typed == there, node.name
