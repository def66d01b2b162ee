"""How many machine instructions ptxas made of each line of PTX: the line table in a cubin."""

import collections
import pathlib
import struct
from typing import NamedTuple

INSTRUCTION_BYTES = 16


class Section(NamedTuple):
    name: str
    offset: int
    size: int


def sections(data):
    table, = struct.unpack_from("<Q", data, 0x28)
    entry_bytes, count, of_names = struct.unpack_from("<HHH", data, 0x3a)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + n * entry_bytes) for n in range(count)]
    names = headers[of_names][4]

    def name(at):
        return data[names + at:data.index(b"\0", names + at)].decode()

    return [Section(name(h[0]), h[4], h[5]) for h in headers]


class Reader:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def number(self, signed=False):
        """Of 7 bits a byte."""
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value


def rows_of_program(data, begin, end_of_section):
    """Rows (address, line, is the end) of one unit of the line table (DWARF, version 2); then where the next begins."""
    r = Reader(data, begin)
    end = r.take("I") + begin + 4
    r.take("H")
    program = r.take("I") + r.at
    shortest, _, base, span, first_special = r.take("BBbBB")
    operands = list(data[r.at:r.at + first_special - 1])
    r.at = program
    address, line, rows = 0, 1, []
    while r.at < end:
        code = r.take("B")
        if code >= first_special:
            address += (code - first_special) // span * shortest
            line += base + (code - first_special) % span
            rows.append((address, line, False))
        elif code == 0:
            size = r.number()
            after = r.at + size
            extended = r.take("B")
            if extended == 1:
                rows.append((address, line, True))
                address, line = 0, 1
            elif extended == 2:
                address = r.take("Q")
            r.at = after
        elif code == 1:
            rows.append((address, line, False))
        elif code == 2:
            address += r.number() * shortest
        elif code == 3:
            line += r.number(signed=True)
        elif code == 8:
            address += (255 - first_special) // span * shortest
        elif code == 9:
            address += r.take("H")
        else:
            for _ in range(operands[code - 1]):
                r.number()
    return rows, end


def instructions_by_line(cubin):
    """By line of the PTX."""
    data = pathlib.Path(cubin).read_bytes()
    table = next(s for s in sections(data) if s.name == ".nv_debug_line_sass")
    counts, at = collections.Counter(), table.offset
    while at < table.offset + table.size:
        rows, at = rows_of_program(data, at, table.offset + table.size)
        for (address, line, is_end), (end, _, _) in zip(rows, rows[1:]):
            if not is_end:
                counts[line] += max(0, end - address) // INSTRUCTION_BYTES
    return counts
