"""A run as a page that plays: in a notebook, or as a file."""

import html
import os
import tempfile

from ._world import run

# Where `make wheel` puts the player of recorded pages.
_WEB = os.path.join(os.path.dirname(__file__), "web")
if os.path.exists(os.path.join(_WEB, "player.html")):
    os.environ.setdefault("PLIANT_WEB", _WEB)


class Page:
    """Plays in any browser, without a server or a network. A notebook shows it inline."""

    def __init__(self, text, height):
        self.text = text
        self.height = height

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def _repr_html_(self):
        page = html.escape(self.text, quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'


def show(world, frames=None, *, height=480):
    """Steps a world, by default as far as its scene says, and gives a page that plays what happened; `height` is in pixels."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.html")
        run(world, frames, path)
        with open(path, encoding="utf-8") as file:
            return Page(file.read(), height)
