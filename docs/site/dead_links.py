"""Looks for links of a site's pages that lead nowhere in it: python3 dead_links.py FOLDER"""

import pathlib
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and tag != "use" and value:
                self.links.add(value)


def dead_links(folder):
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue  # another site, or data in place
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.exists():
                yield f"{path.relative_to(folder)} links to {link}, which is not there"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{path.relative_to(folder)} links to {link}, which has no such place"
    print(f"{len(pages)} pages looked at for dead links")


def main():
    dead = list(dead_links(pathlib.Path(sys.argv[1]).resolve()))
    for link in dead:
        print(link)
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
