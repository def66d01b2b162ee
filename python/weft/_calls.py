"""Calls that fit no signature: which argument is wrong, and what is wanted."""

from __future__ import annotations

import difflib
import functools
import inspect
import operator
import os
import re
from collections.abc import Callable, Mapping, Sequence
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
    says more."""
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


class Call(NamedTuple):
    """A call of a function, and the parameters that a signature of it has."""

    function: str
    arguments: Sequence[Any]
    keywords: Mapping[str, Any]
    parameters: Sequence[Parameter]

    @property
    def advice(self) -> str:
        return f"help(weft.{self.function.partition('.')[0]}) lists the arguments"

    def named(self) -> list[Parameter]:
        return [p for p in self.parameters if not p.name.startswith("*")]

    def places(self) -> list[Parameter]:
        """Parameters that need no name."""
        return [p for p in self.named() if not p.by_name]

    def takes(self, stars: str) -> bool:
        """Whether it takes any number of arguments, "*", or of names, "**"."""
        return any(p.name.startswith(stars) and not p.name.startswith(stars + "*")
                   for p in self.parameters)

    def given(self) -> list[tuple[Parameter, Any]]:
        """Each argument and its parameter."""
        return [*zip(self.places(), self.arguments),
                *((p, self.keywords[p.name]) for p in self.parameters if p.name in self.keywords)]


class Objection(NamedTuple):
    reach: int  # how far the call fits the signature
    message: Message
    wanted: str = ""  # a type


def unknown_name(call: Call) -> Objection | None:
    names = [p.name for p in call.named() if p.name != "self"]
    for word in call.keywords:
        if word not in names and not call.takes("**"):
            near = nearest(word, names)
            reason = f"the nearest is {near}" if near else f"it has {', '.join(names) or 'none'}"
            return Objection(1, (f"{call.function} has no argument {word}", reason,
                                 f"write {near}=..." if near else call.advice))
    return None


def too_many(call: Call) -> Objection | None:
    places = call.places()
    if len(call.arguments) > len(places) and not call.takes("*"):
        hidden = sum(p.name == "self" for p in places)
        later = [p.name for p in call.named() if p.by_name]
        return Objection(1, (
            f"{call.function} takes {len(places) - hidden} arguments without their names",
            f"{len(call.arguments) - hidden} are given",
            f"name the others: {later[0]}=..." if later else call.advice))
    for p in places[:len(call.arguments)]:
        if p.name in call.keywords:
            return Objection(1, (f"{p.name} of {call.function} is given twice",
                                 "by its place and by its name", "leave one of them out"))
    return None


def wrong_type(call: Call) -> Objection | None:
    for number, (p, value) in enumerate(call.given()):
        try:
            if fits(p.type, value):
                continue
            reason, remedy = f"it is of type {type(value).__name__}", ""
        except _weft.Error as e:
            reason, remedy = ": ".join(t for t in (e.problem, e.reason) if t), e.remedy
        problem = f"invalid {p.name} of {call.function}: {shown(value)}"
        return Objection(10 + number, (problem, reason, remedy), "" if remedy else wanted(p.type))
    return None


def too_few(call: Call) -> Objection | None:
    there = [p.name for p, _ in call.given()]
    for p in call.named():
        if p.needed and p.name not in there and p.name != "self":
            return Objection(10 + len(there), (f"{call.function} has too few arguments",
                                               f"{p.name} is missing", call.advice))
    return None


def out_of_range(call: Call) -> Objection | None:
    whole = [(p, operator.index(value)) for p, value in call.given()
             if p.type in {"int", "Optional[int]"} and value is not None]
    for most in (2**31, 2**16):  # 32 bits are the rule
        for p, value in whole:
            if not 0 <= value < most:
                return Objection(100, (f"invalid {p.name} of {call.function}: {value}",
                                       _limit(value), "give a number in the range of this argument"))
    return None


def objection(call: Call) -> Objection:
    """Why a call does not fit a signature."""
    for check in (unknown_name, too_many, wrong_type, too_few, out_of_range):
        found = check(call)
        if found:
            return found
    types = ", ".join(type(value).__name__ for _, value in call.given())
    return Objection(0, (f"invalid arguments of {call.function}", f"{types} are given",
                         call.advice))


def refusal(text: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Message:
    """The message for a call that pybind11 has refused, with this text of all signatures."""
    name = text.partition("(): ")[0]
    listed = text.partition("\n\nInvoked with: ")[0].split("\n")[1:]
    signatures = [parameters(line.strip().partition(" ")[2]) for line in listed if line.strip()]
    if "incompatible constructor" in text:
        name = type(arguments[0]).__name__
        signatures = [[Parameter("self", "object", True), *each] for each in signatures]
    elif signatures and signatures[0] and signatures[0][0].name == "self" and arguments:
        name = f"{type(arguments[0]).__name__}.{name}".rstrip(".")  # of a property: its object
    found = [objection(Call(name, arguments, keywords, each)) for each in signatures]
    best = max(found, key=lambda each: each.reach)
    types = dict.fromkeys(each.wanted for each in found if each.reach == best.reach and each.wanted)
    problem, reason, remedy = best.message
    return problem, reason, remedy or f"give {' or '.join(types)}"


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function of Python's: a call that does not fit it raises CallError."""
    signature = inspect.signature(function)
    known = [Parameter(p.name, "object", p.default is p.empty, p.kind is p.KEYWORD_ONLY)
             for p in signature.parameters.values()]

    @functools.wraps(function)
    def call(*arguments, **keywords):
        try:
            signature.bind(*arguments, **keywords)
        except TypeError:
            found = objection(Call(function.__name__, arguments, keywords, known))
            raise usage_error(*found.message, kind=_weft.CallError) from None
        return function(*arguments, **keywords)

    return call


def usage_error(problem: str, reason: str, remedy: str,
                kind: type[_weft.UsageError] = _weft.UsageError) -> _weft.UsageError:
    """An error as the compiled part raises it."""
    error = kind(f"{problem} ({reason}); {remedy}")
    error.category, error.problem, error.reason, error.remedy = "usage", problem, reason, remedy
    return error
