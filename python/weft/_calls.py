"""Calls that fit no signature: which argument is wrong, and what is wanted."""

from __future__ import annotations

import difflib
import functools
import inspect
import operator
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from . import _weft

Message = tuple[str, str, str]  # problem, reason, remedy


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The name that `word` was probably meant to be."""
    found = difflib.get_close_matches(word.lower(), known, 1, 0.6)
    return found[0] if found else None


class Parameter(NamedTuple):
    name: str
    type: str
    needed: bool
    by_name: bool = False  # only by keyword


def split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket and no quotes."""
    parts, depth, quote = [""], 0, ""
    for c in text:
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        depth += (not quote) * ((c in "([{<") - (c in ")]}>"))
        if c == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def parameters(signature: str) -> list[Parameter]:
    """Of pybind11's text: (self: weft.Design, width: int, height: int = 1) -> None."""
    inside = re.sub(r"\)( -> .*)?$", "", signature.partition("(")[2])
    found, by_name = [], False
    for part in split(inside):
        if part.startswith("*"):
            by_name = True
            if part != "*":
                found.append(Parameter(part, "object", False))
            continue
        name, _, rest = part.partition(": ")
        kind, _, default = rest.partition(" = ")
        found.append(Parameter(name, kind, not default, by_name))
    return found


# What a type of a signature is called.
WORDS = {"int": "a whole number", "float": "a number", "bool": "True or False", "str": "text",
         "function": "a function", "Callable": "a function", "os.PathLike": "a path",
         "weft._Value": "a number", "weft.Rect": "a rectangle (x, y, width, height)",
         "weft.Color": "a Color", "sequence": "a sequence", "tuple": "a tuple",
         "list": "a list", "List": "a list", "Tuple": "a tuple"}


def wanted(kind: str) -> str:
    """A type of a signature in words."""
    head, _, inner = kind.partition("[")
    if head in {"Optional", "Union"}:
        words = [wanted(part) for part in split(inner[:-1])]
        return " or ".join(dict.fromkeys(words + ["None"] * (head == "Optional")))
    members = getattr(getattr(_weft, head.rpartition(".")[2], None), "__members__", None)
    if members:
        return f"one of {', '.join(f'{head}.{name}' for name in members)}"
    if head in WORDS:
        return WORDS[head]
    name = head.rpartition(".")[2]
    return f"an {name}" if name[:1] in "AEIOU" else f"a {name}"


def _whole(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and operator.index(value) is not None
    except TypeError:
        return False


def _converts(kind: type, value: Any) -> bool:
    """Whether the class is made of the value; what it says of a value like that is passed on."""
    if isinstance(value, kind):
        return True
    if kind in (_weft.Rect, _weft.Color, _weft._Value) and not isinstance(value, str):
        if kind is _weft.Rect and not isinstance(value, Sequence) and not hasattr(value, "__len__"):
            return False
        if kind is _weft.Color and not _whole(value):
            return False
        kind(value)
        return True
    return False


def _is_sequence(value: Any) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


SIMPLE: Mapping[str, Callable[[Any], bool]] = {
    "int": _whole,
    "float": lambda v: hasattr(v, "__float__") or _whole(v),
    "bool": lambda v: isinstance(v, bool) or type(v).__name__ == "bool_",
    "str": lambda v: isinstance(v, (str, bytes)),
    "function": callable,
    "Callable": callable,
    "os.PathLike": lambda v: isinstance(v, (str, bytes, os.PathLike)),
    "sequence": _is_sequence,
    "tuple": lambda v: isinstance(v, tuple),
    "list": lambda v: isinstance(v, list),
}


def fits(kind: str, value: Any) -> bool:
    """Whether the value is of the type, as far as that can be seen. Raises an error of Weft's that
    tells more."""
    head, _, inner = kind.partition("[")
    if head in {"Optional", "Union"}:
        return (value is None and head == "Optional") or any(
            fits(part, value) for part in split(inner[:-1]))
    if head == "List":
        return _is_sequence(value) and not isinstance(value, str) and all(
            fits(inner[:-1], each) for each in value)
    if head in SIMPLE:
        return SIMPLE[head](value)
    bound = getattr(_weft, head.rpartition(".")[2], None) if head.startswith("weft.") else None
    return _converts(bound, value) if isinstance(bound, type) else True


def _limit(value: int) -> str:
    """Why a whole number did not fit, although one is wanted."""
    if value < 0:
        return "it is negative" if value >= -2**31 else "it is below -2**31"
    if 2**31 <= value < 2**32:
        return "it is not below 2**31"
    return f"it does not fit {16 if value < 2**31 else 32 if value < 2**64 else 64} bits"


def shown(value: Any) -> str:
    """A value in a line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def given(arguments: Sequence[Any], keywords: Mapping[str, Any],
          all: Sequence[Parameter]) -> Iterator[tuple[Parameter, Any]]:
    """Each given argument and its parameter."""
    places = [p for p in all if not p.by_name and not p.name.startswith("*")]
    yield from zip(places, arguments)
    for parameter in all:
        if parameter.name in keywords:
            yield parameter, keywords[parameter.name]


def objection(name: str, arguments: Sequence[Any], keywords: Mapping[str, Any],
              all: Sequence[Parameter]) -> tuple[int, Message, str]:
    """Why the arguments do not fit a signature: how far they do, the message, the wanted type."""
    help = f"help(weft.{name.split('.')[0]}) lists the arguments"
    names = [p.name for p in all if not p.name.startswith("*") and p.name != "self"]
    stars = "".join(p.name[:2] for p in all if p.name.startswith("*"))
    for word in keywords:
        if word not in names and "**" not in stars:
            near = nearest(word, names)
            reason = f"the nearest is {near}" if near else f"it has {', '.join(names) or 'none'}"
            return 1, (f"{name} has no argument {word}", reason,
                       f"write {near}=..." if near else help), ""
    places = [p for p in all if not p.by_name and not p.name.startswith("*")]
    if len(arguments) > len(places) and "*" not in stars.replace("**", ""):
        taken = [p.name for p in places if p.name != "self"]
        later = [p.name for p in all if p.by_name and not p.name.startswith("*")]
        return 1, (f"{name} takes {len(taken)} arguments without their names",
                   f"{len(arguments) - (len(places) - len(taken))} are given",
                   f"name the others: {later[0]}=..." if later else help), ""
    twice = [p.name for p in places[:len(arguments)] if p.name in keywords]
    if twice:
        return 1, (f"{twice[0]} of {name} is given twice", "by its place and by its name",
                   "leave one of them out"), ""
    there = list(given(arguments, keywords, all))
    missing = [p.name for p in all if p.needed and p.name not in {q.name for q, _ in there}
               and not p.name.startswith("*") and p.name != "self"]
    for number, (parameter, value) in enumerate(there):
        try:
            if fits(parameter.type, value):
                continue
            reason, remedy = f"it is of type {type(value).__name__}", ""
        except _weft.Error as e:
            reason, remedy = ": ".join(t for t in (e.problem, e.reason) if t), e.remedy
        return (10 + number, (f"invalid {parameter.name} of {name}: {shown(value)}", reason, remedy),
                "" if remedy else wanted(parameter.type))
    if missing:
        return 5, (f"{name} has too few arguments", f"{missing[0]} is missing", help), ""
    whole = [(p, operator.index(v)) for p, v in there
             if p.type in {"int", "Optional[int]"} and v is not None]
    for most in (2**31, 2**16):  # 32 bits are the rule
        for parameter, value in whole:
            if not 0 <= value < most:
                return 100, (f"invalid {parameter.name} of {name}: {value}", _limit(value),
                             "give a number in the range of this argument"), ""
    return 0, (f"the arguments of {name} do not fit",
               ", ".join(type(value).__name__ for _, value in there) + " are given", help), ""


def refusal(text: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Message:
    """The message for a call that pybind11 has refused, with this text of all signatures."""
    name = text.partition("(): ")[0]
    listed = text.partition("\n\nInvoked with: ")[0].split("\n")[1:]
    signatures = [parameters(line.strip().partition(" ")[2]) for line in listed if line.strip()]
    if "incompatible constructor" in text:
        name = type(arguments[0]).__name__
        signatures = [[Parameter("self", "object", True), *all] for all in signatures]
    elif signatures and signatures[0] and signatures[0][0].name == "self" and arguments:
        name = f"{type(arguments[0]).__name__}.{name}".rstrip(".")  # of a property: its object
    found = [objection(name, arguments, keywords, all) for all in signatures]
    best = max(found, key=lambda each: each[0])
    types = dict.fromkeys(each[2] for each in found if each[0] == best[0] and each[2])
    problem, reason, remedy = best[1]
    return problem, reason, remedy or f"give {' or '.join(types)}"


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function of Python's: a call that does not fit it raises CallError."""
    signature = inspect.signature(function)
    all = [Parameter(p.name, "object", p.default is p.empty, p.kind is p.KEYWORD_ONLY)
           for p in signature.parameters.values()]

    @functools.wraps(function)
    def call(*arguments, **keywords):
        try:
            signature.bind(*arguments, **keywords)
        except TypeError:
            message = objection(function.__name__, arguments, keywords, all)[1]
            raise call_error(message) from None
        return function(*arguments, **keywords)

    return call


def call_error(message: Message) -> _weft.CallError:
    """The error of a message, with the attributes that Weft's errors have."""
    problem, reason, remedy = message
    why = f" ({reason})" if reason else ""
    error = _weft.CallError(f"{problem}{why}" + (f"; {remedy}" if remedy else ""))
    error.category = "usage"
    error.problem, error.reason, error.remedy = message
    return error
