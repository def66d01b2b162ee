#!/usr/bin/env python3
"""Translates PTX into C++ that counts its basic blocks: translate.py KERNEL.ptx KERNEL.cpp BLOCKS.json"""

import json
import pathlib
import re
import sys

import ptx

SPECIAL = {"%tid": "place->thread", "%ntid": "place->threads", "%ctaid": "place->block", "%nctaid": "place->blocks"}
LANES = {"%laneid": "lane()", "%lanemask_lt": "((1U << lane()) - 1U)", "%lanemask_le": "((2U << lane()) - 1U)"}
# The grid barrier's words, as two halves of an address.
GRID_WORDS = {"%envreg1": "std::uint32_t(grid_words() >> 32)", "%envreg2": "std::uint32_t(grid_words())"}
INFIX = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "div": "/", "rem": "%"}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=",
           "hi": ">", "hs": ">="}
TWICE = {"s16": "s32", "u16": "u32", "s32": "s64", "u32": "u64"}
ENDS_BLOCK = {"bra", "ret", "exit", "call"}


def c_type(kind):
    if kind == "pred":
        return "bool"
    bits = kind[1:]
    if kind[0] == "f":
        return {"32": "float", "64": "double"}[bits]
    return f"std::{'' if kind[0] == 's' else 'u'}int{bits}_t"


def name_of(symbol):
    return re.sub(r"[%$]", "_", symbol)


class Writer:
    """Writes one function."""

    def __init__(self, function, module, blocks):
        self.function, self.module, self.blocks = function, module, blocks
        self.types = {}
        self.offsets = layout(function.parameters)[0] | layout(function.results)[0]
        self.results = {v.name for v in function.results}
        self.lines, self.declarations, self.begins, self.depth = [], [], True, 0

    # Operands
    def value(self, text, kind):
        """An operand, as a value of this type."""
        c = c_type(kind)
        if text in self.types:
            return f"as<{c}>({name_of(text)})"
        if text.startswith("0f"):
            return f"as<{c}>(std::uint32_t(0x{text[2:]}))"
        if text.startswith("0d"):
            return f"as<{c}>(std::uint64_t(0x{text[2:]}))"
        if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)U?", text):
            return f"{c}({text.rstrip('U')}LL)" if kind != "pred" else str(int(text, 0) != 0).lower()
        if text.rsplit(".", 1)[0] in SPECIAL:
            return f"{c}({SPECIAL[text.rsplit('.', 1)[0]]}.{text[-1]})"
        if text in LANES or text in GRID_WORDS:
            return f"{c}({(LANES | GRID_WORDS)[text]})"
        if text in self.module.shared:
            return f"{c}({self.module.shared[text]})"
        if text in self.module.arrays or text in self.types:
            return f"{c}(std::uintptr_t({name_of(text)}))"
        if text in self.offsets:
            return f"{c}({self.offsets[text]})"
        raise ValueError(f"unknown operand {text}")

    def address(self, text, space):
        base, _, offset = text.strip("[] ").partition("+")
        offset = int(offset or 0)
        if space == "param":
            if base in self.types:  # a register
                return f"(parameters + {name_of(base)} + {offset})"
            if base in self.offsets:
                of = "results" if base in self.results else "parameters"
                return f"({of} + {self.offsets[base] + offset})"
            return f"({name_of(base)} + {offset})"  # of a call
        if base in self.types:
            at = f"std::uint64_t({name_of(base)}) + std::int64_t({offset})"
        else:
            at = f"{self.value(base, 'u64')} + {offset}"
        return f"shared({at})" if space == "shared" else f"reinterpret_cast<unsigned char*>({at})"

    def set(self, register, expression):
        if register == "_":
            return f"(void)({expression});"
        return f"{name_of(register)} = as<{c_type(self.types[register])}>({expression});"

    # Instructions
    def statement(self, i):
        op, kind, a = i.operation[0], i.operation[-1], i.operands
        found = getattr(self, "on_" + op, None)
        if found:
            return found(i, kind, a)
        if op in INFIX:
            x, y = self.value(a[1], kind), self.value(a[2], kind)
            return self.set(a[0], f"{c_type(kind)}({x} {INFIX[op]} {y})")
        if op in ("min", "max", "prmt", "brev", "popc", "bfi", "bfind", "clz"):
            rest = ", ".join(self.value(x, kind) for x in a[1:])
            shift = "_shift" if "shiftamt" in i.operation else ""
            return self.set(a[0], f"ptx_{op}{shift}<{c_type(kind)}>({rest})")
        raise ValueError(f"line {i.line}: unknown instruction {'.'.join(i.operation)}")

    def on_mov(self, i, kind, a):
        if a[0].startswith("{"):
            parts = [p.strip() for p in a[0].strip("{} ").split(",")]
            bits = 8 * ptx.BYTES[kind] // len(parts)
            return "{ const std::uint64_t whole = " + self.value(a[1], kind) + "; " + " ".join(
                self.set(p, f"std::uint{bits}_t(whole >> {n * bits})") for n, p in enumerate(parts)) + " }"
        if a[1].startswith("{"):
            parts = [p.strip() for p in a[1].strip("{} ").split(",")]
            bits = 8 * ptx.BYTES[kind] // len(parts)
            whole = " | ".join(f"std::uint64_t({self.value(p, f'u{bits}')}) << {n * bits}" for n, p in enumerate(parts))
            return self.set(a[0], f"{c_type(kind)}({whole})")
        return self.set(a[0], self.value(a[1], kind))

    def on_mul(self, i, kind, a):
        x, y = self.value(a[1], kind), self.value(a[2], kind)
        if "wide" in i.operation:
            wide = c_type(TWICE[kind])
            return self.set(a[0], f"{wide}({wide}({x}) * {wide}({y}))")
        if "hi" in i.operation:
            return self.set(a[0], f"ptx_mul_hi<{c_type(kind)}>({x}, {y})")
        return self.set(a[0], f"{c_type(kind)}({x} * {y})")

    def on_mad(self, i, kind, a):
        x, y = self.value(a[1], kind), self.value(a[2], kind)
        kind = TWICE[kind] if "wide" in i.operation else kind
        return self.set(a[0], f"{c_type(kind)}({c_type(kind)}({x}) * {c_type(kind)}({y}) + {self.value(a[3], kind)})")

    def on_fma(self, i, kind, a):
        return self.set(a[0], f"std::fma({', '.join(self.value(x, kind) for x in a[1:])})")

    def on_shl(self, i, kind, a):
        x, by = self.value(a[1], kind), self.value(a[2], "u32")
        return self.set(a[0], f"ptx_{i.operation[0]}<{c_type(kind)}>({x}, {by})")

    on_shr = on_shl

    def on_shf(self, i, kind, a):
        return self.set(a[0], f"ptx_shf_{i.operation[1]}({', '.join(self.value(x, 'u32') for x in a[1:])})")

    def on_not(self, i, kind, a):
        return self.set(a[0], ("!" if kind == "pred" else "~") + self.value(a[1], kind))

    def on_neg(self, i, kind, a):
        return self.set(a[0], f"{c_type(kind)}(-{self.value(a[1], kind)})")

    def on_abs(self, i, kind, a):
        return self.set(a[0], f"std::abs({self.value(a[1], kind)})")

    def on_setp(self, i, kind, a):
        x, y, how = self.value(a[1], kind), self.value(a[2], kind), i.operation[1]
        unordered = f"({x} != {x} || {y} != {y})"
        if how in ("num", "nan"):
            return self.set(a[0], ("!" if how == "num" else "") + unordered)
        if kind[0] == "f" and how[-1] == "u" and how[:-1] in COMPARE:
            return self.set(a[0], f"({unordered} || {x} {COMPARE[how[:-1]]} {y})")
        same = f"{x} {COMPARE[how]} {y}"
        return self.set(a[0], f"(!{unordered} && {same})" if kind[0] == "f" and how == "ne" else f"({same})")

    def on_selp(self, i, kind, a):
        return self.set(a[0], f"({self.value(a[3], 'pred')} ? {self.value(a[1], kind)} : {self.value(a[2], kind)})")

    def on_cvt(self, i, kind, a):
        to, x = c_type(i.operation[-2]), self.value(a[1], kind)
        if kind[0] == "f" and i.operation[-2][0] != "f":
            x = {"rni": "std::nearbyint", "rmi": "std::floor", "rpi": "std::ceil"}.get(i.operation[1], "") + f"({x})"
        return self.set(a[0], f"{to}({x})")

    def on_cvta(self, i, kind, a):
        x = self.value(a[1], "u64")
        if "shared" in i.operation:
            x = f"shared_offset({x})" if "to" in i.operation else f"std::uint64_t(shared({x}))"
        elif "param" in i.operation:  # of the kernel, whose parameters do not move
            x = f"std::uint64_t(parameters) + {x}"
        return self.set(a[0], x)

    def memory(self, i, kind, where, those):
        space = next((s for s in ("param", "shared", "const", "local", "global") if s in i.operation), "generic")
        order = next((o for o in ("acquire", "release", "relaxed", "volatile") if o in i.operation), "")
        parts = [p.strip() for p in those.strip("{} ").split(",")]
        return self.address(where, space), order, parts

    def on_ld(self, i, kind, a):
        at, order, parts = self.memory(i, kind, a[1], a[0])
        load = f"load_{'atomic' if order else 'plain'}<{c_type(kind)}>"
        text = " ".join(self.set(p, f"{load}(at + {n * ptx.BYTES[kind]})") for n, p in enumerate(parts))
        return "{ unsigned char* const at = " + at + "; " + text + " }" + (" let_others(kSite);" if order else "")

    def on_st(self, i, kind, a):
        at, order, parts = self.memory(i, kind, a[0], a[1])
        store = f"store_{'atomic' if order else 'plain'}<{c_type(kind)}>"
        return "{ unsigned char* const at = " + at + "; " + " ".join(
            f"{store}(at + {n * ptx.BYTES[kind]}, {self.value(p, kind)});" for n, p in enumerate(parts)) + " }"

    def on_atom(self, i, kind, a):
        at, what = self.memory(i, kind, a[1], a[0])[0], i.operation[1]
        return self.set(a[0], f"atomic_{what}<{c_type(kind)}>({at}, {self.value(a[2], kind)})")

    def on_bar(self, i, kind, a):
        return f"meet_block(Site{{kFile, {i.line}}});"

    on_barrier = on_bar

    def on_vote(self, i, kind, a):
        return self.set(a[0], f"meet_ballot({self.value(a[1], 'pred')}, Site{{kFile, {i.line}}})")

    def on_redux(self, i, kind, a):
        if "or" not in i.operation:
            raise ValueError(f"line {i.line}: unknown instruction {'.'.join(i.operation)}")
        return self.set(a[0], f"meet_or({self.value(a[1], 'u32')}, Site{{kFile, {i.line}}})")

    def on_shfl(self, i, kind, a):
        x = ", ".join(self.value(v, "u32") for v in a[1:4])
        return self.set(a[0].split("|")[0], f"meet_shuffle_{i.operation[2]}({x}, Site{{kFile, {i.line}}})")

    def on_nanosleep(self, i, kind, a):
        return "let_others(kSite);"

    def on_bra(self, i, kind, a):
        return f"goto {name_of(a[0])};"

    def on_ret(self, i, kind, a):
        return "return;"

    on_exit = on_ret

    def on_trap(self, i, kind, a):
        return "std::abort();"

    def on_call(self, i, kind, a):
        result, a = (a[0], a[1:]) if a[0].startswith("(") else ("", a)
        callee = self.module.functions[a[0]]
        offsets, size = layout(callee.parameters)
        given = [p.strip() for p in a[1].strip("() ").split(",")] if len(a) > 1 else []
        copies = "".join(f" std::memcpy(frame + {offsets[v.name]}, {name_of(p)}, {v.size});"
                         for v, p in zip(callee.parameters, given))
        back = name_of(result.strip("() ")) if result else "nullptr"
        return f"{{ alignas(16) unsigned char frame[{max(size, 16)}];{copies} {name_of(a[0])}(frame, {back}); }}"

    def on_fence(self, i, kind, a):
        return "std::atomic_thread_fence(std::memory_order_seq_cst);"

    on_membar = on_fence

    # The function
    def take(self, item):
        if isinstance(item, ptx.Label):
            self.lines.append(f"{name_of(item.name)}:;")
            self.begins = True
        elif isinstance(item, ptx.Scope):
            self.depth += 1 if item.opens else -1
            self.lines.append("{" if item.opens else "}")
        elif isinstance(item, ptx.Variable):
            self.declare(item)
        elif item.operation[0] != "pragma":
            self.execute(item)

    def declare(self, v):
        to = self.lines if self.depth else self.declarations
        if v.space == "reg":
            names = [f"{v.name}{n}" for n in range(v.size)] if v.size else [v.name]
            self.types.update(dict.fromkeys(names, v.type))
            to.extend(f"{c_type(v.type)} {name_of(n)};" for n in names)
        elif v.space != "shared":
            to.append(f"alignas(16) unsigned char {name_of(v.name)}[{v.size}];")
            if v.space == "local":
                self.module.arrays.add(v.name)

    def execute(self, i):
        if self.begins:
            self.lines.append(f"count_block({len(self.blocks)});")
            self.blocks.append([])
            self.begins = False
        here = [self.function.name, *reversed(i.place.functions)]
        self.blocks[-1].append({"line": i.line, "in": here, "is": ".".join(i.operation)})
        self.begins = i.operation[0] in ENDS_BLOCK
        guard = i.guard.replace("!", "")
        prefix = f"if ({'!' if i.guard[:1] == '!' else ''}{name_of(guard)}) " if guard else ""
        self.lines.append(prefix + self.statement(i))

    def text(self):
        for item in self.function.body:
            self.take(item)
        return "\n".join([f"{head(self.function)} {{", *self.declarations, *self.lines, "}"])


def head(function):
    return f"static void {name_of(function.name)}(unsigned char* parameters, unsigned char* results)"


def layout(variables):
    """(offsets by name, size)."""
    offsets, size = {}, 0
    for v in variables:
        size = (size + v.align - 1) // v.align * v.align
        offsets[v.name] = size
        size += v.size
    return offsets, size


class Module:
    def __init__(self, variables, functions):
        self.functions = {f.name: f for f in functions}
        self.arrays, self.shared, self.lines = set(), {}, []
        inside = [v for f in functions for v in f.body if isinstance(v, ptx.Variable) and v.space == "shared"]
        size = 0
        for v in [v for v in variables if v.space == "shared"] + inside:
            if v.size:
                size = (size + v.align - 1) // v.align * v.align
                self.shared[v.name] = size
                size += v.size
        self.static_bytes = (size + 127) // 128 * 128
        for v in variables:
            if v.space == "shared" and not v.size:
                self.shared[v.name] = self.static_bytes  # the dynamic ones come last
            if v.space in ("const", "global"):
                self.arrays.add(v.name)
                each = ptx.BYTES[v.type]
                values = ", ".join(str(b) for x in v.values for b in (x % 256 ** each).to_bytes(each, "little"))
                self.lines.append(f"alignas(16) static unsigned char {name_of(v.name)}[{v.size}] = {{{values}}};")


def translate(text):
    """(C++, instructions by block)."""
    variables, functions = ptx.parse(text)
    module, blocks = Module(variables, functions), []
    bodies = [Writer(f, module, blocks).text() for f in functions]
    entries = [f'{{"{f.name}", {name_of(f.name)}, {{{", ".join(map(str, layout(f.parameters)[0].values()))}}}}},'
               for f in functions if f.is_entry]
    return "\n".join([
        '#include "bench/gpu_count/ptx_runtime.hpp"', "namespace weft::gpu_count {", "namespace {",
        f"constexpr unsigned kStaticBytes = {module.static_bytes};",
        'constexpr const char* kFile = "the PTX";', "constexpr Site kSite{kFile, 0};",
        "unsigned char* shared(std::uint64_t at) { return shared_memory<kStaticBytes>(at); }",
        *module.lines, *[head(f) + ";" for f in functions], *bodies, "}  // namespace",
        f"const std::size_t kBlocks = {len(blocks)};",
        "const std::vector<Entry>& entries() {", "static const std::vector<Entry> all = {", *entries, "};",
        "return all;", "}", "}  // namespace weft::gpu_count", ""]), blocks


def main():
    source, target, table = sys.argv[1:]
    text, blocks = translate(pathlib.Path(source).read_text())
    pathlib.Path(target).write_text(text)
    pathlib.Path(table).write_text(json.dumps(blocks))


if __name__ == "__main__":
    main()
