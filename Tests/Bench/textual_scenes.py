"""The scenes of `make bench` in Textual: `textual_scenes.py list`, `table` or `screens`. `q` quits.

The list draws single lines, since that is Textual's fastest way to show a long list.
"""

import os
import sys

# Input must not wait for animations.
os.environ["TEXTUAL_ANIMATIONS"] = "none"

from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import DataTable

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Rows(ScrollView, can_focus=True):
    """A list of 100,000 rows, of which only the visible ones are drawn."""

    BINDINGS = [
        ("down", "move(1)"),
        ("up", "move(-1)"),
        ("pagedown", "move_page(1)"),
        ("pageup", "move_page(-1)"),
        ("home", "move_to(0)"),
        ("end", "move_to(99999)"),
    ]
    COUNT = 100_000
    selected = 0
    plain = Style.null()
    highlight = Style(reverse=True)

    @property
    def row_width(self):
        return self.scrollable_content_region.width

    def on_mount(self):
        self.virtual_size = Size(0, self.COUNT)

    def render_line(self, y):
        row = self.scroll_offset.y + y
        title = f"Row {row} of a list about climbs, sprints and descents"
        text = title.ljust(self.row_width - 6) + "12 Nov"
        style = self.highlight if row == self.selected else self.plain
        return Strip([Segment(text, style)], self.row_width)

    def action_move(self, rows):
        self.action_move_to(self.selected + rows)

    def action_move_page(self, pages):
        self.action_move_to(self.selected + pages * self.size.height)

    def action_move_to(self, row):
        before = self.selected
        self.selected = max(0, min(row, self.COUNT - 1))
        for changed in (before, self.selected):
            self.refresh(Region(0, changed - self.scroll_offset.y, self.row_width, 1))
        top = min(self.scroll_offset.y, self.selected)
        top = max(top, self.selected + 1 - self.size.height)
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True, immediate=True)


class Letters(Widget, can_focus=True):
    """A letter in each cell. `x` changes all of them."""

    BINDINGS = [("x", "switch")]
    letters = LETTERS

    def render_line(self, y):
        text = "".join(self.letters[(x + y) % 26] for x in range(self.size.width))
        return Strip([Segment(text)], self.size.width)

    def action_switch(self):
        self.letters = self.letters.swapcase()
        self.refresh()


def make_table():
    """A table of 1,000 rows and 8 columns. Its columns leave room for the scroll bar."""
    table = DataTable(cursor_type="row")
    for column in range(8):
        table.add_column(f"Column {column}", width=12)
    table.add_rows([f"r{row}-c{column}" for column in range(8)] for row in range(1000))
    return table


SCENES = {"list": Rows, "table": make_table, "screens": Letters}


class Scenes(App):
    """Shows one scene in the whole terminal."""

    CSS = "Rows, DataTable, Letters { width: 100%; height: 100%; }"
    BINDINGS = [("q", "quit")]
    ENABLE_COMMAND_PALETTE = False

    def compose(self):
        yield SCENES[sys.argv[1]]()


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in SCENES:
        sys.exit("usage: textual_scenes.py list|table|screens")
    Scenes().run()
