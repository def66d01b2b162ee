"""How many machine instructions ptxas made of each line of PTX: the line table in a cubin.

Each kernel has copies of the functions that it calls, so lines count by kernel.
"""

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


def sections_of_addresses(data, all_sections):
    """The section that an address in the line table points into, by where the address stands."""
    symbols = next(s for s in all_sections if s.name == ".symtab")
    relocations = next(s for s in all_sections if s.name == ".rela.nv_debug_line_sass")
    found = {}
    for at in range(relocations.offset, relocations.offset + relocations.size, 24):
        place, info, _ = struct.unpack_from("<QQq", data, at)
        found[place] = all_sections[struct.unpack_from("<H", data, symbols.offset + 24 * (info >> 32) + 6)[0]].name
    return found


def rows_of_program(data, begin, section_at):
    """Rows (section, address, line, is the end) of one unit of the line table (DWARF, version 2); then its end."""
    r = Reader(data, begin)
    end = r.take("I") + begin + 4
    r.take("H")
    program = r.take("I") + r.at
    shortest, _, base, span, first_special = r.take("BBbBB")
    operands = list(data[r.at:r.at + first_special - 1])
    r.at = program
    section, address, line, rows = "", 0, 1, []
    while r.at < end:
        code = r.take("B")
        if code >= first_special:
            address += (code - first_special) // span * shortest
            line += base + (code - first_special) % span
            rows.append((section, address, line, False))
        elif code == 0:
            size = r.number()
            after = r.at + size
            extended = r.take("B")
            if extended == 1:
                rows.append((section, address, line, True))
                address, line = 0, 1
            elif extended == 2:
                section = section_at(r.at)
                address = r.take("Q")
            r.at = after
        elif code == 1:
            rows.append((section, address, line, False))
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
    """By section of the kernel, then by line of the PTX."""
    data = pathlib.Path(cubin).read_bytes()
    all_sections = sections(data)
    table = next(s for s in all_sections if s.name == ".nv_debug_line_sass")
    section_at = sections_of_addresses(data, all_sections)
    counts, at = collections.defaultdict(collections.Counter), table.offset
    while at < table.offset + table.size:
        rows, at = rows_of_program(data, at, lambda place: section_at[place - table.offset])
        for (section, address, line, is_end), (_, end, _, _) in zip(rows, rows[1:]):
            if not is_end:
                counts[section][line] += max(0, end - address) // INSTRUCTION_BYTES
    return counts
