"""Docstrings are complete: each public name has one, with the sections that its signature asks for,
and help(weft) leads to all of them."""

import ast
import inspect
import pathlib
import pydoc
import re

import numpy as np
import weft
from weft import _weft

STUBS = ast.parse((pathlib.Path(_weft.__file__).parent / "_weft.pyi").read_text())
SECTIONS = ["Attributes", "Parameters", "Returns", "Raises", "Notes"]
WRITERS = {"PeProgram", "NeighborShift", "HaloExchange", "Broadcast", "MovingBroadcast",
           "ReduceChain", "ReduceTree", "AllReduce", "RingShift", "RingTranspose", "Scatter",
           "Gather", "AllToAll"}


def sections(doc):
    """The text below each underlined title."""
    found, title = {"": ""}, ""
    lines = inspect.cleandoc(doc or "").split("\n")
    for line, below in zip(lines, [*lines[1:], ""]):
        if below and set(below) == {"-"} and len(below) == len(line):
            title = line
            found[title] = ""
        elif set(line) != {"-"}:
            found[title] += line + "\n"
    return found


def functions():
    """Qualified name, parameters, whether it returns something, and docstring, of all public
    functions; of a class those of its constructor."""
    for node in STUBS.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, *signature(node), getattr(_weft, node.name).__doc__
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        kind, given = getattr(_weft, node.name), {}
        for item in node.body:
            if isinstance(item, ast.FunctionDef):
                given.setdefault(item.name, []).append(signature(item))
        for name, all in given.items():
            names = sorted({n for parameters, _ in all for n in parameters})
            returns = any(returned for _, returned in all)
            if name == "__init__":
                yield node.name, names, False, kind.__doc__
            elif not name.startswith("_"):
                yield f"{node.name}.{name}", names, returns, getattr(kind, name).__doc__
    for name in ("fft", "ifft", "rfft", "irfft"):
        function = getattr(weft, name)
        yield name, list(inspect.signature(function).parameters), True, function.__doc__


def signature(node):
    all = node.args.args + node.args.kwonlyargs + [a for a in (node.args.vararg, node.args.kwarg) if a]
    return ([a.arg for a in all if a.arg != "self"],
            not (isinstance(node.returns, ast.Constant) and node.returns.value is None))


def test_functions_have_the_sections_of_their_signatures():
    tried = 0
    for name, parameters, returns, doc in functions():
        tried += 1
        there = sections(doc)
        assert set(there) - {""} <= set(SECTIONS), name
        assert [t for t in SECTIONS if t in there] == [t for t in there if t], f"{name}: order"
        assert there[""].strip(), name
        listed = {word.lstrip("*") for line in there.get("Parameters", "").split("\n")
                  if line and not line.startswith(" ")
                  for word in re.split(r", ", line.partition(" : ")[0])}
        wanted = set(parameters) - ({"numbers"} if name == "Rect" else set())
        assert listed == wanted, name
        assert ("Returns" in there) == returns, name
        if parameters and name not in {"RingShift", "SwitchPosition.receive", "SwitchPosition.send"}:
            assert there.get("Raises", "").strip(), f"{name} raises nothing?"
    assert tried > 120


def test_writers_of_programs_tell_cycles():
    for name, _, _, doc in functions():
        if name.partition(".")[0] in WRITERS and "." in name:
            if name not in {"RingShift.place_of", "RingShift.pe_at"}:
                assert re.search("[Cc]ycles?|first \\+", sections(doc).get("Notes", "")), name


def test_attributes_have_docstrings_of_their_own():
    for node in STUBS.body:
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        kind = getattr(_weft, node.name)
        assert (kind.__doc__ or "").strip(), node.name
        if issubclass(kind, Exception) or hasattr(kind, "__members__"):
            continue
        for item, below in zip(node.body, [*node.body[1:], None]):
            if isinstance(item, ast.AnnAssign):
                assert isinstance(below, ast.Expr), f"{node.name}.{item.target.id}"
                assert getattr(kind, item.target.id).__doc__ == \
                    inspect.cleandoc(below.value.value) + "\n", f"{node.name}.{item.target.id}"


def test_constants_of_a_machine_tell_their_units():
    for name in dir(weft.Machine):
        if not name.startswith("_") and name != "name":
            assert re.search(r"\(\S+, (published|calibrated|chosen)\)", getattr(weft.Machine, name).__doc__)


def test_help_leads_to_all_names():
    doc = weft.__doc__
    missing = [name for name in weft.__all__ if not re.search(rf"\b{name}\b", doc)]
    assert missing == []
    for page in re.findall(r"docs/[\w/.-]+", doc):
        assert (pathlib.Path(__file__).parents[2] / page).exists(), page
    text = pydoc.plain(pydoc.render_doc(weft))
    assert "A short tour" in text and "fft(x" in text and "class Design" in text


def test_the_tour_runs(capsys):
    blocks = re.findall(r"::\n\n((?: {4}.*\n|\n)+)", weft.__doc__)
    assert len(blocks) == 2
    known = {"weft": weft, "x": np.ones((4, 4, 4))}
    for block in blocks:
        exec(inspect.cleandoc(block), known)
    assert "1.5" in capsys.readouterr().out


def test_nothing_private_is_in_the_namespace():
    shown = [name for name in dir(weft) if not re.fullmatch("__\\w+__", name)]
    assert shown == sorted(set(weft.__all__) - {"__version__"})
    assert {"fft", "Design", "FftResult", "HaloExchange"} <= set(shown)
