"""Reads PTX as nvcc writes it: variables, functions, and their instructions with their places in the source."""

import re
from typing import NamedTuple

BYTES = {"pred": 1, **{f"{kind}{bits}": bits // 8 for kind in "busf" for bits in (8, 16, 32, 64)}}


class Place(NamedTuple):
    """Of an instruction: the functions that were inlined there, the innermost first."""
    functions: tuple[str, ...]


class Instruction(NamedTuple):
    line: int  # of the PTX
    guard: str  # "", "%p1" or "!%p1"
    operation: list[str]  # ld.shared.u32 is ["ld", "shared", "u32"]
    operands: list[str]
    place: Place


class Label(NamedTuple):
    name: str


class Scope(NamedTuple):
    opens: bool


class Variable(NamedTuple):
    space: str  # reg, param, local, shared, const, global
    type: str
    name: str
    size: int  # bytes; of registers their number, 0: one with this very name
    align: int
    values: list[int]  # at launch


class Function(NamedTuple):
    name: str
    is_entry: bool
    parameters: list[Variable]
    results: list[Variable]
    body: list  # Instruction, Label, Scope, Variable


def split(text):
    """At commas outside of brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "{[(") - (c in "}])")
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()] if part.strip() else parts


VARIABLE = re.compile(
    r"(?:\.visible\s+|\.extern\s+|\.weak\s+)*\.(?P<space>param|local|shared|const|global)\s+"
    r"(?:\.align\s+(?P<align>\d+)\s+)?\.(?P<type>\w+)\s+(?:\.ptr\s+[^$%]*?)?(?P<name>[\w$]+)"
    r"(?:\[(?P<count>\d*)\])?(?:\s*=\s*\{?(?P<values>[^}]*)\}?)?\s*$")


def variable(text):
    m = VARIABLE.match(text.strip())
    if not m:
        return None
    each = BYTES[m["type"]]
    count = int(m["count"]) if m["count"] else (0 if m["count"] == "" else 1)
    values = [int(v, 0) for v in (m["values"] or "").split(",") if v.strip()]
    return Variable(m["space"], m["type"], m["name"], each * count, int(m["align"] or each), values)


def strings(text):
    """Names of inlined functions by label, from the debug section."""
    found, label = {}, None
    section = re.search(r"\.section\s+\.debug_str\s*\{(.*?)\n\s*\}", text, re.S)
    for line in section[1].splitlines() if section else []:
        m = re.match(r"(\$L__info_string\d+):", line.strip())
        if m:
            label = m[1]
            found[label] = ""
            line = line.strip()[m.end():]
        m = re.match(r"\s*\.b8\s+(.*)", line)
        if m and label:
            found[label] += "".join(chr(int(b, 0)) for b in m[1].split(",") if int(b, 0))
    return found


class Places:
    """Follows .loc lines."""

    def __init__(self, names):
        self.names, self.outer, self.now = names, {}, Place(())

    def see(self, line):
        m = re.match(r"\.loc\s+(\d+ \d+ \d+)(?:, function_name (\S+?)(?:\+\d+)?, inlined_at (\d+ \d+ \d+))?", line)
        if m[2]:
            self.outer[m[1]] = (self.names.get(m[2], m[2]), m[3])
        functions, at, seen = [], m[1], set()
        while at in self.outer and at not in seen:
            seen.add(at)
            functions.append(self.outer[at][0])
            at = self.outer[at][1]
        self.now = Place(tuple(functions))


def instruction(text, line, place):
    m = re.match(r"(?:@(!?%\w+)\s+)?(\S+)\s*(.*)$", text, re.S)
    return Instruction(line, m[1] or "", m[2].split("."), split(m[3]), place)


def statements(body):
    """(line in the body, text): what ends with a semicolon, labels, and braces."""
    text, begin, depth = "", 0, 0
    for number, line in enumerate(body.split("\n")):
        line = line.split("//")[0].strip()
        if re.match(r"\.loc\s", line):
            yield number, line
            continue
        for piece in re.findall(r"[^;{}]+:(?=\s|$)|[^;{}]+|[;{}]", line):
            closes = text.strip() != "" and (depth > 0 or piece == "{")  # {a, b} of a vector
            if piece == "{" and not closes or piece == "}" and depth == 0:
                yield number, piece
            elif piece == ";":
                if text.strip():
                    yield begin, re.sub(r"\s+", " ", text.strip())
                text = ""
            elif re.fullmatch(r"\s*[\w$]+:", piece) and not text.strip():
                yield number, piece.strip()
            else:
                depth += (piece == "{") - (piece == "}")
                if not text.strip():
                    begin = number
                text += piece + " "


def registers(text):
    kind, names = re.match(r"\.reg\s+\.(\w+)\s+(.+)$", text).groups()
    for name in names.split(","):
        m = re.match(r"\s*(%?\w+)(?:<(\d+)>)?", name)
        yield Variable("reg", kind, m[1], int(m[2] or 0), 0, [])


def parse_body(body, first_line, names):
    places = Places(names)
    for number, text in statements(body):
        if re.match(r"\.loc\s", text):
            places.see(text)
        elif text in "{}":
            yield Scope(text == "{")
        elif text.endswith(":"):
            yield Label(text[:-1])
        elif text.startswith(".reg"):
            yield from registers(text)
        elif text.startswith("."):
            if found := variable(text):
                yield found
        else:
            yield instruction(text, first_line + number, places.now)


FUNCTION = re.compile(
    r"\.(?P<kind>entry|func)\s*(?:\((?P<results>[^()]*)\))?\s*(?P<name>[\w$]+)\s*\((?P<parameters>[^()]*)\)"
    r"\s*(?:\.\w+[^{;]*)?\{(?P<body>.*?)^\}", re.S | re.M)


def declared(text):
    return [v for v in map(variable, split(text or "")) if v]


def parse(text):
    """(variables of the module, functions)."""
    names = strings(text)
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    module = [v for line in text.splitlines() if not line.startswith("\t")
              and line.rstrip().endswith(";") and (v := variable(line.rstrip().rstrip(";")))]
    functions = []
    for m in FUNCTION.finditer(text):
        first_line = text.count("\n", 0, m.start("body")) + 1
        functions.append(Function(m["name"], m["kind"] == "entry", declared(m["parameters"]),
                                  declared(m["results"]), list(parse_body(m["body"], first_line, names))))
    return module, functions
