"""Three PEs share one color into a PE between them. Its router has a switch whose positions form a
ring: it listens to the west, then to the north, then to the east, and again to the west. Each
sender's part ends with a control wavelet, which advances the switch."""

import sys

import numpy as np
import weft
from weft import Port, SwitchPosition

WORDS, ROUNDS = 4, 3
design = weft.Design(3, 2)
color = design.color("numbers")
design.route((1, 1, 1, 1), color, rx=Port.west, tx=Port.ramp, ring=True,
             positions=[SwitchPosition.receive(Port.north), SwitchPosition.receive(Port.east)])
design.route((0, 1, 1, 1), color, rx=Port.ramp, tx=Port.east)
design.route((1, 0, 1, 1), color, rx=Port.ramp, tx=Port.south)
design.route((2, 1, 1, 1), color, rx=Port.ramp, tx=Port.west)


def sender(pe):
    numbers = pe.array("numbers", WORDS, "int32")
    end = pe.values("end", np.array([weft.control_payload(["advance"])], np.uint32))
    with pe.repeat(ROUNDS):
        pe.send(color, numbers)
        pe.copy(pe.to(color, control=True), end)


def receiver(pe):
    pe.receive(pe.array("all", 3 * WORDS * ROUNDS, "int32"), color)


senders = {"west": (0, 1, 1, 1), "north": (1, 0, 1, 1), "east": (2, 1, 1, 1)}
for name, where in senders.items():
    design.program(where, name, sender)
design.program((1, 1, 1, 1), "receiver", receiver)
fabric = design.fabric()
for number, where in enumerate(senders.values(), start=1):
    fabric.write(where, "numbers", np.full(WORDS, number, np.int32))
fabric.run_until_idle()
received = fabric.read((1, 1, 1, 1), "all").ravel()
print(*received, f"after {fabric.cycle} cycles")
sys.exit(bool(not np.array_equal(received, np.tile(np.repeat([1, 2, 3], WORDS), ROUNDS))))
