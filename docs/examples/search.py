"""Breadth-first search in a maze of 16 x 16 cells, one a PE. A number from a neighbour starts a
task: a distance, which a cell takes and sends on if it is less than its own, or 0, an answer. A
cell answers the distance that woke it once all that it sent on are answered (Dijkstra and
Scholten). So the first cell knows when the search is over."""

import sys

import numpy as np
import weft
from weft import Port

SIDE, FAR, NOBODY, HOST = 16, 1 << 20, -1, 4
STEPS = {Port.east: (1, 0), Port.west: (-1, 0), Port.south: (0, 1), Port.north: (0, -1)}
y, x = np.indices((SIDE, SIDE))
walls = (6 * y * y + 2 * x * x + 5 * x * y) % 7 < 3
walls[0, 0] = False
design = weft.Design(SIDE, SIDE)
to = {side: weft.NeighborShift(design, design.all, side, side.name) for side in STEPS}
east, west, south, north = to.values()
number_of = {side: k for k, side in enumerate(STEPS)}
back = {Port.east: west, Port.west: east, Port.south: north, Port.north: south}


def cell(pe):
    sides = [side for side in STEPS if pe.has_neighbor(side)]
    answer, onward = pe.array("answer", 1, "int32"), pe.array("onward", 1, "int32")
    found, end = pe.array("distance", 1, "int32"), pe.array("end", 1, "int32")
    distance, open_ = pe.scalar("distance"), pe.scalar("unanswered")
    next_, woken_by = pe.scalar("next"), pe.scalar("woken by")

    def send_on():
        pe.store(found, distance)
        pe.add(next_, distance, 1)
        pe.store(onward, next_)
        pe.add(open_, open_, len(sides))
        for side in sides:
            to[side].send(pe, onward)

    def came(side, number):
        with pe.when(number == 0) as answered:
            pe.add(open_, open_, -1)
        with answered.otherwise():
            with pe.when(number < distance) as nearer:
                pe.set(distance, number)
                with pe.when(woken_by == NOBODY) as asleep:
                    pe.set(woken_by, number_of[side])
                with asleep.otherwise():
                    to[side].send(pe, answer)
                send_on()
            with nearer.otherwise():
                to[side].send(pe, answer)
        with pe.when(open_ == 0):
            for waker in sides:
                with pe.when(woken_by == number_of[waker]):
                    pe.set(woken_by, NOBODY)
                    to[waker].send(pe, answer)
            with pe.when(woken_by == HOST):
                pe.tsc(next_)
                pe.store(end, next_)

    is_first = pe.where(lambda x, y: x == 0 and y == 0)
    is_wall = pe.where(lambda x, y: bool(walls[y, x]))
    pe.set(distance, 0 if is_first or is_wall else FAR)
    pe.set(woken_by, HOST if is_first else NOBODY)
    if is_first:
        send_on()
    for side in sides:
        color = back[side].incoming  # from the neighbour on this side
        pe.on_data(color, lambda number, side=side: came(side, number), "int32")


design.program(design.all, "cell", cell)
fabric = design.fabric()
fabric.run_until_idle()
expected, front, steps = np.zeros((SIDE, SIDE), int), {(0, 0)}, 0
seen = walls.copy()
while front:
    for cell_ in front:
        expected[cell_], seen[cell_] = steps, True
    steps += 1
    front = {(r + dy, c + dx) for r, c in front for dx, dy in STEPS.values()
             if 0 <= r + dy < SIDE and 0 <= c + dx < SIDE and not seen[r + dy, c + dx]}
end, m = int(fabric.read((0, 0, 1, 1), "end").item()), weft.Machine()
# There and back, each step starts a task, which starts a send, and crosses two ramps and a link.
least = 2 * (steps - 1) * (m.task_start_cycles + m.microthread_start_cycles + 2 * m.ramp_cycles
                           + 1 + m.hop_cycles)
right = np.count_nonzero(fabric.gather(design.all, "distance") == expected)
print(f"{right} of {SIDE * SIDE} distances are right, the longest {steps - 1}; the first cell knew "
      f"the end after {end} cycles (at least {least})")
sys.exit(bool(right != SIDE * SIDE or end < least))
