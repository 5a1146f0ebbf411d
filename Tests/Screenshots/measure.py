#!/usr/bin/env python3
"""measure.py FOLDER: measures contrasts and blank cells in the pictures that screenshots.sh wrote, and prints a table.

A word is a run of at least three letters on one ground. Its contrast (WCAG 2.2) is that of its strongest pixel, since
the edges of letters are smoothed. Body and secondary text are the strongest and the weakest colour with at least 5 % of
the letters on the page's ground; selected is the minimum on other grounds that cover few rows; title is the minimum in
the bar of titles; faintest is the minimum of all words, with its row and column. If a popover or a sheet is open, it is
the page, and what is behind it is not measured. A list over the detail fades the detail to 3 on purpose.
"""
import collections
import functools
import pathlib
import subprocess
import sys

Word = collections.namedtuple("Word", "row column length ground ink")


@functools.lru_cache(maxsize=None)
def luminance(color):
    parts = [channel / 255 for channel in color]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@functools.lru_cache(maxsize=None)
def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def are_mixes(colors, ground, ink):
    """Whether each channel of the colours is about between those of ground and ink."""
    bounds = [sorted(pair) for pair in zip(ground, ink)]
    return all(low - 8 <= channel <= high + 8 for color in colors for channel, (low, high) in zip(color, bounds))


class Cell:
    """A cell's ground, its strongest colour, and whether it shows a letter."""

    def __init__(self, rows):
        counts = collections.Counter(pixel for row in rows for pixel in row)
        self.ground = counts.most_common(1)[0][0]
        self.ink = max(counts, key=lambda color: contrast(color, self.ground))
        # Weaker differences are shadows, or parts of pictures.
        self.is_blank = contrast(self.ink, self.ground) < 1.25
        self.is_letter = not self.is_blank and self._is_letter(rows, counts)

    def _is_letter(self, rows, counts):
        """Letters are neither lines, blocks nor a few dots, and all their colours are mixes of ground and ink."""
        share = 1 - counts[self.ground] / counts.total()
        inked = [row for row in rows if set(row) != {self.ground}]
        if all(self.ground not in row for row in inked) or any(self.ground not in column for column in zip(*rows)):
            return False
        return share > 0.12 and len(counts) > 4 and are_mixes(counts, self.ground, self.ink)


def cells(path, columns, rows):
    size = subprocess.run(["identify", "-format", "%w %h", path], capture_output=True, text=True, check=True).stdout
    width, height = map(int, size.split())
    data = subprocess.run(["convert", path, "-depth", "8", "rgb:-"], capture_output=True, check=True).stdout
    pixels = list(zip(data[0::3], data[1::3], data[2::3]))
    across, down = width // columns, height // rows
    for row in range(rows):
        lines = [pixels[y * width:(y + 1) * width] for y in range(row * down, (row + 1) * down)]
        yield [Cell([tuple(line[x * across:(x + 1) * across]) for line in lines]) for x in range(columns)]


def words(grid):
    for row, line in enumerate(grid):
        grounds = collections.Counter(cell.ground for cell in line)
        start = 0
        for column in range(len(line) + 1):
            ends = column == len(line) or line[column].is_blank or line[column].ground != line[start].ground
            if not ends:
                continue
            letters = [cell for cell in line[start:column] if cell.is_letter]
            # In pictures the ground changes from cell to cell, and few cells look like letters.
            is_text = len(letters) >= 3 and len(letters) > 0.6 * (column - start)
            if is_text and grounds[letters[0].ground] >= 5:
                ground = letters[0].ground
                ink = max((cell.ink for cell in letters), key=lambda color: contrast(color, ground))
                if are_mixes((cell.ink for cell in letters), ground, ink):
                    yield Word(row, start, len(letters), ground, ink)
            start = column if column < len(line) and not line[column].is_blank else column + 1


def measure(grid):
    everything = [cell for line in grid for cell in line]
    rows_of_ground = collections.Counter(ground for line in grid for ground in {cell.ground for cell in line})
    found = list(words(grid))
    # What is behind a popover is faded.
    strong = 0.75 * max((contrast(word.ink, word.ground) for word in found), default=0)
    firm = collections.Counter()
    for word in found:
        if contrast(word.ink, word.ground) >= strong:
            firm[word.ground] += word.length
    page = firm.most_common(1)[0][0] if firm else everything[0].ground
    cells_of_ground = collections.Counter(cell.ground for cell in everything)
    is_covered = any(
        rows > len(grid) / 2 and cells_of_ground[ground] > 0.05 * len(everything)
        for ground, rows in rows_of_ground.items() if ground != page)
    if is_covered:
        found = [word for word in found if word.ground == page]
    shares = collections.Counter()
    for word in found:
        if word.ground == page:
            shares[word.ink] += word.length
    usual = [contrast(ink, page) for ink, count in shares.items() if count >= 0.05 * sum(shares.values())]
    bar = 1 if any(word.row == 1 for word in found) else 2

    def least(chosen):
        return min((contrast(word.ink, word.ground) for word in chosen), default=None)

    faintest = min(found, key=lambda word: contrast(word.ink, word.ground), default=None)
    return {
        "body": max(usual, default=None),
        "secondary": min(usual, default=None),
        "selected": least(w for w in found if w.ground != page and rows_of_ground[w.ground] <= 4),
        "title": least(w for w in found if w.row == bar and not is_covered),
        "faintest": least(found),
        "blank": 100 * sum(cell.is_blank for cell in everything) / len(everything),
        "place": f"{faintest.row + 1},{faintest.column + 1}" if faintest else "",
    }


def shown(value):
    return "" if value is None else value if isinstance(value, str) else f"{value:.1f}"


def main(folder):
    columns = ["body", "secondary", "selected", "title", "faintest", "blank", "place"]
    print(f"{'picture':72}" + "".join(f"{name:>10}" for name in columns))
    summary = collections.defaultdict(list)
    for path in sorted(pathlib.Path(folder).glob("*_*_*x*_*.png")):
        terminal, place, ground, size, screen = path.stem.split("_")
        if terminal.startswith("foot"):
            # Its window has a frame, so that the places of cells are unknown.
            continue
        width, height = map(int, size.split("x"))
        values = measure(list(cells(path, width, height)))
        print(f"{path.stem:72}" + "".join(f"{shown(values[name]):>10}" for name in columns), flush=True)
        summary[screen.split("-")[0]].append(values)
    print("\nMinimum contrasts and the largest share of blank cells, by screen")
    for screen, all_values in summary.items():
        least = {name: min((v[name] for v in all_values if v[name] is not None), default=None) for name in columns[:5]}
        least["blank"] = max(v["blank"] for v in all_values)
        print(f"{screen:72}" + "".join(f"{shown(least[name]):>10}" for name in columns[:6]))


main(sys.argv[1])
