"""The types in _weft.pyi name what the module has, and nothing else."""

import ast
import pathlib
import re

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


def typed_parameters(node):
    """By method: the parameters of each of its overloads."""
    found = {}
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            arguments = item.args
            names = [a.arg for a in arguments.args + arguments.kwonlyargs if a.arg != "self"]
            found.setdefault(item.name, []).append(names)
    return found


def bound_parameters(method):
    """The same of the module, by its signatures: name(self: T, first: U, second: V = W) -> X."""
    found = []
    for line in (method.__doc__ or "").splitlines():
        signature = re.match(r"(\d+\. )?\w+\((.*)\) -> ", line)
        if signature:
            names = re.findall(r"(?:^|, )(\w+): ", signature.group(2))
            found.append([name for name in names if name != "self"])
    return found


def test_parameters_agree():
    for node in ast.parse(STUBS.read_text()).body:
        if not isinstance(node, ast.ClassDef) or node.name in {"PeScalar", "Machine", "_Block"}:
            continue
        for name, typed in typed_parameters(node).items():
            if name.startswith("__"):
                continue
            bound = bound_parameters(getattr(getattr(_weft, node.name), name))
            for parameters in bound:
                # `*operations` and `**route` have no names.
                if name not in {"wait", "route"}:
                    assert parameters in typed, f"{node.name}.{name}: {parameters}, typed {typed}"
