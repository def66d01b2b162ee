"""Draws the pictures of the tutorial (needs matplotlib): PYTHONPATH=build/release/python python3 draw.py"""

import pathlib
import runpy

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parent / "examples"


def example(name):
    try:
        return runpy.run_path(str(EXAMPLES / f"{name}.py"))
    except SystemExit as end:
        raise RuntimeError(f"{name} ended before its picture") from end


def draw(values, name, title, **how):
    figure, axes = plt.subplots(figsize=(4.2, 3.4), constrained_layout=True)
    figure.colorbar(axes.imshow(values, **how), ax=axes)
    axes.set_title(title, fontsize=10)
    axes.set_xlabel("column")
    axes.set_ylabel("row")
    figure.savefig(HERE / f"{name}.png", dpi=110)
    plt.close(figure)


def cycles_of_broadcast():
    source = (EXAMPLES / "broadcast.py").read_text().split("sys.exit")[0]
    names = {}
    exec(compile(source, "broadcast.py", "exec"), names)
    return names["fabric"].read(names["design"].all, "cycle")[:, :, 0]


draw(cycles_of_broadcast(), "broadcast", "cycle in which a PE has the numbers")

stencil = example("stencil")
pes, block = stencil["PES"], stencil["BLOCK"]
plate = stencil["fabric"].read(stencil["design"].all, "u").reshape(pes, pes, block + 2, block + 2)
points = plate[:, :, 1:-1, 1:-1].transpose(0, 2, 1, 3).reshape(pes * block, pes * block)
draw(points, "plate", f"degrees after {stencil['STEPS']} steps", cmap="inferno")
