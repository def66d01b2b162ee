"""docs/site/dead_links.py finds links that lead nowhere, and no others."""

import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "docs/site/dead_links.py"


def looked_at(folder, **pages):
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(f"<html><body>{body}</body></html>")
    ended = subprocess.run([sys.executable, str(SCRIPT), str(folder)], capture_output=True,
                           text=True)
    return ended.returncode, ended.stdout


def test_links_that_lead_somewhere(tmp_path):
    code, said = looked_at(tmp_path, a='<p id="here"><a href="#here">x</a><a href="b.html#b">y</a>',
                           b='<h1 id="b">b</h1><a href="a.html">a</a><a href="https://x.y/z">z</a>')
    assert code == 0 and said == "2 pages looked at for dead links\n"


def test_links_that_lead_nowhere(tmp_path):
    code, said = looked_at(
        tmp_path, a='<a href="c.html">c</a><img src="no.png"><a href="#no">x</a>')
    assert code == 1
    for link in ("c.html, which is not there", "no.png, which is not there", "#no, which has no"):
        assert f"a.html links to {link}" in said
