"""Draws the pictures of the tutorial and the gallery (needs matplotlib):

PYTHONPATH=build/release/python /usr/bin/python3 draw.py
"""

import pathlib
import runpy

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parent / "examples"


def example(name):
    try:
        return runpy.run_path(str(EXAMPLES / f"{name}.py"))
    except SystemExit as end:
        raise RuntimeError(f"{name} ended before its picture") from end


def until_its_exit(name):
    """The names of an example that ends with its exit status."""
    source = (EXAMPLES / f"{name}.py").read_text().split("sys.exit")[0]
    names = {}
    exec(compile(source, f"{name}.py", "exec"), names)
    return names


def saved(figure, name):
    figure.savefig(HERE / f"{name}.png", dpi=110)
    plt.close(figure)


def draw(values, name, title, **how):
    figure, axes = plt.subplots(figsize=(4.2, 3.4), constrained_layout=True)
    figure.colorbar(axes.imshow(values, **how), ax=axes)
    axes.set_title(title, fontsize=10)
    axes.set_xlabel("column")
    axes.set_ylabel("row")
    saved(figure, name)


def bars(name, title, plots):
    """Bars side by side: plots are pairs of a title and the heights."""
    figure, all_axes = plt.subplots(1, len(plots), figsize=(4.2, 3.4), sharey=True,
                                    constrained_layout=True, squeeze=False)
    for axes, (what, heights) in zip(all_axes[0], plots):
        axes.bar(range(len(heights)), heights, color="#14968d")
        axes.set_xlabel(what)
    figure.suptitle(title, fontsize=10)
    saved(figure, name)


def draw_cannon():
    cannon = until_its_exit("cannon")
    side, block = cannon["SIDE"], cannon["BLOCK"]
    figure, axes = plt.subplots(figsize=(4.2, 3.4), constrained_layout=True)
    product = cannon["product"].transpose(0, 2, 1, 3).reshape(side, side)
    figure.colorbar(axes.imshow(product, cmap="PiYG"), ax=axes)
    for edge in range(block, side, block):  # of the PEs' blocks
        axes.axhline(edge - 0.5, color="white", linewidth=1)
        axes.axvline(edge - 0.5, color="white", linewidth=1)
    axes.set_title("C = A B, a block in each PE", fontsize=10)
    saved(figure, "cannon")


def draw_bars():
    histogram, sort = until_its_exit("histogram"), until_its_exit("sort_line")
    bars("histogram", "counts, eight bins in each PE", [("bin", histogram["counts"])])
    bars("sort_line", "one number in each PE",
         [("before", sort["numbers"]), ("after", sort["in_order"])])


def draw_heat():
    heat = until_its_exit("heat")
    planes = {"at the start": heat["exact"](0)[:, :, 0],
              f"after {heat['STEPS']} steps, on the wafer": heat["result"].real[:, :, 0]}
    figure, all_axes = plt.subplots(1, 2, figsize=(7.2, 3.2), constrained_layout=True)
    for axes, (title, plane) in zip(all_axes, planes.items()):
        shown = axes.imshow(plane.T, cmap="inferno", vmin=-1.5, vmax=1.5)
        axes.set_title(title, fontsize=10)
    figure.colorbar(shown, ax=all_axes)
    saved(figure, "heat")


def draw_kraichnan():
    names = until_its_exit("kraichnan")
    field, xi, n = names["fields"][0], names["XI"], names["N"]
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10.8, 3.5), constrained_layout=True)
    left.imshow(np.abs(field), cmap="magma", interpolation="bicubic")
    every = slice(2, None, 4)
    at = np.arange(n)[every]
    left.quiver(at, at, field.real[every, every], -field.imag[every, every], color="white", scale=12)
    left.set_title("a velocity", fontsize=10)
    middle.imshow(names["scalar"], cmap="RdYlBu_r", interpolation="bicubic")
    middle.set_title(f"four stripes, {names['STEPS']} velocities later", fontsize=10)
    for axes in (left, middle):
        axes.set_xticks([])
        axes.set_yticks([])
    r = np.arange(1, n // 2)
    squares = [np.mean(np.abs(names["fields"] - np.roll(names["fields"], -by, 2))**2) for by in r]
    right.loglog(r, squares, "o", color="#d1602b", markersize=4, label="on the wafer")
    right.loglog(r, squares[3] * (r / r[3])**xi, "--", color="#1f6fb4", label=f"r^{xi:g}")
    right.set_title("mean square of a velocity's differences", fontsize=10)
    right.set_xlabel("distance r")
    right.legend(fontsize=8)
    saved(figure, "kraichnan")


def draw_reductions():
    names = until_its_exit("reductions")
    numbers = [1, 4, 16, 64, 128, 256, 512]
    figure, axes = plt.subplots(figsize=(4.2, 3.4), constrained_layout=True)
    for way, color in (("chain", "#1f6fb4"), ("tree", "#d1602b"), ("two_phase", "#2c8f57")):
        title = "two phases" if way == "two_phase" else way
        taken = [names["cycles"](names[way], n)[1] for n in numbers]
        axes.plot(numbers, taken, "o-", color=color, label=title, markersize=4)
        axes.plot(numbers, [names["model"](title, n) for n in numbers], "--", color=color, linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xlabel("numbers of a PE")
    axes.set_ylabel("cycles (broken lines: the model)")
    axes.set_title(f"a sum along {names['PES']} PEs", fontsize=10)
    axes.legend(fontsize=8)
    saved(figure, "reductions")


def cycles_of_broadcast():
    names = until_its_exit("broadcast")
    return names["fabric"].read(names["design"].all, "cycle")[:, :, 0]


draw(cycles_of_broadcast(), "broadcast", "cycle in which a PE has the numbers")

stencil = example("stencil")
pes, block = stencil["PES"], stencil["BLOCK"]
plate = stencil["fabric"].read(stencil["design"].all, "u").reshape(pes, pes, block + 2, block + 2)
points = plate[:, :, 1:-1, 1:-1].transpose(0, 2, 1, 3).reshape(pes * block, pes * block)
draw(points, "plate", f"degrees after {stencil['STEPS']} steps", cmap="inferno")

draw_heat()
draw_kraichnan()
draw_cannon()
draw_bars()
draw_reductions()
