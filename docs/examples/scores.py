"""One PE turns each row of numbers into standard scores, by a subroutine that divides, takes a root,
checks and prints."""

import numpy as np
import weft

ROWS, COUNT = 3, 4
design = weft.Design(1, 1)


def scores(pe):
    u = pe.array("u", (ROWS, COUNT))
    v, total = pe.array("v", COUNT), pe.array("total", 1)

    def body():
        with pe.scope():
            mean, deviation = pe.scalar("mean", "float32"), pe.scalar("deviation", "float32")
            pe.sum(total, v)
            pe.load(mean, total)
            pe.divide(mean, mean, COUNT)
            pe.sub(v, v, mean)
            pe.dot(total, v, v)
            pe.load(deviation, total)
            pe.divide(deviation, deviation, COUNT)
            pe.square_root(deviation, deviation)
            pe.check(deviation > 0, "all numbers of a row are equal")
            pe.print("deviation", deviation)
            pe.reciprocal(deviation, deviation)
            pe.mul(v, v, deviation)

    standardise = pe.subroutine("standardise", body)
    for row in range(ROWS):
        pe.copy(v, u.row(row))
        pe.call(standardise)
        pe.copy(u.row(row), v)


design.program(design.all, "scores", scores)
fabric = design.fabric(check=True)
numbers = np.array([[1, 2, 3, 6], [4, 4, 4, 5], [0, 8, 0, 8]], np.float32)
fabric.write(design.all, "u", numbers[None, None])
fabric.run_until_idle()
print(fabric.printed(), end="")
for row in fabric.read(design.all, "u")[0, 0]:
    print(" ".join(f"{number:.4f}" for number in row))
