"""One PE squares eight numbers and adds a half to each."""

import numpy as np
import weft

design = weft.Design(1, 1)


def squares(pe):
    u = pe.array("u", 8)
    pe.mul(u, u, u)
    pe.add(u, u, 0.5)


design.program(design.all, "squares", squares)
fabric = design.fabric()
fabric.write(design.all, "u", np.arange(8, dtype=np.float32))
fabric.run_until_idle()
print(*(f"{number:g}" for number in fabric.read(design.all, "u").ravel()),
      f"after {fabric.cycle} cycles")
