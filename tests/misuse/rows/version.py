"""The module and the command are there, and of one version."""

import weft
from row import command, row


@row("weft --version", "the module's version")
def version():
    said = command("--version").stdout
    assert weft.__version__ in said, said
