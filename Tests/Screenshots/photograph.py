#!/usr/bin/env python3
"""Writes an invented photograph as PPM: photograph.py FILE. It shows a valley with a river on a hazy evening."""
import math
import random
import sys

WIDTH, HEIGHT = 960, 540
HORIZON = 300
chance = random.Random(7)


def ridge(base, height, roughness, seed):
    """Returns the heights of a mountain range, by midpoint displacement."""
    source = random.Random(seed)
    points = [source.uniform(-1, 1) for _ in range(5)]
    scale = 0.9
    while len(points) < WIDTH + 2:
        middles = [(a + b) / 2 + source.uniform(-scale, scale) for a, b in zip(points, points[1:])]
        points = [value for pair in zip(points, middles) for value in pair] + [points[-1]]
        scale *= roughness
    return [base - height * value for value in points]


LATTICE = [[chance.random() for _ in range(256)] for _ in range(256)]


def noise(x, y):
    """Smooth noise from 0 to 1."""
    column, row = math.floor(x), math.floor(y)
    across, down = x - column, y - row
    across, down = across * across * (3 - 2 * across), down * down * (3 - 2 * down)
    upper, lower = LATTICE[row % 256], LATTICE[(row + 1) % 256]
    left, right = column % 256, (column + 1) % 256
    top = upper[left] + (upper[right] - upper[left]) * across
    bottom = lower[left] + (lower[right] - lower[left]) * across
    return top + (bottom - top) * down


def clouds(x, y):
    return sum(noise(x * 2**octave, y * 2**octave) / 2 ** (octave + 1) for octave in range(4))


def mix(one, other, share):
    share = max(0, min(1, share))
    return tuple(a + (b - a) * share for a, b in zip(one, other))


SUN = (690, 215)
HAZE = (246, 205, 160)
# From the farthest to the nearest range: heights, colour, and the share of haze.
RANGES = [
    (ridge(250, 34, 0.52, 3), (88, 104, 140), 0.62),
    (ridge(278, 40, 0.55, 11), (66, 92, 112), 0.42),
    (ridge(318, 38, 0.58, 5), (52, 84, 72), 0.22),
    (ridge(372, 34, 0.62, 23), (38, 66, 44), 0.08),
]


def sky(x, y):
    color = mix((58, 104, 172), HAZE, (y / HORIZON) ** 1.3)
    distance = math.hypot(x - SUN[0], y - SUN[1])
    color = mix(color, (255, 244, 214), math.exp(-distance / 60) + (1 if distance < 17 else 0))
    cover = clouds(x / 150, y / 38)
    return mix(color, (255, 226, 200), max(0, cover - 0.47) * 3.2)


def river(y):
    """The centre and half the width of the river in a row."""
    depth = (y - 372) / (HEIGHT - 372)
    return 560 + 150 * math.sin(depth * 4.2 + 0.4) * (0.25 + depth) - 130 * depth, 5 + 95 * depth**1.7


def color(x, y):
    shown = None
    for heights, own, haze in RANGES:
        if y >= heights[x]:
            below = y - heights[x]
            light = 0.78 + 0.5 * clouds(x / 46 + below / 70, y / 26)
            # The side towards the sun is brighter.
            light += 0.1 * max(-1, min(1, (heights[max(0, x - 12)] - heights[min(WIDTH - 1, x + 12)]) / 12))
            shown = mix(tuple(channel * light for channel in own), HAZE, haze + min(0.25, below / 420) * (haze > 0.1))
    if shown is None:
        return sky(x, y)
    if y > 384:
        centre, half = river(y)
        if abs(x - centre) < half:
            mirrored = sky(min(WIDTH - 1, int(x + 5 * noise(x / 9, y / 2))), max(0, 560 - y))
            return mix(mirrored, (34, 58, 66), 0.22 + 0.35 * noise(x / 60, y / 3))
        meadow = mix((70, 104, 44), (150, 138, 62), clouds(x / 60, y / 18) * 1.5 - 0.35)
        shade = 0.72 + 0.55 * clouds(x / 12, y / 5)
        shown = mix(shown, tuple(channel * shade for channel in meadow), (y - 384) / 40)
    return shown


with open(sys.argv[1], "wb") as file:
    file.write(b"P6 %d %d 255\n" % (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        row = bytearray()
        for x in range(WIDTH):
            dark = 1 - 0.28 * (math.hypot(x / WIDTH - 0.5, y / HEIGHT - 0.5) / 0.7) ** 2
            grain = chance.gauss(0, 2.5)
            row += bytes(max(0, min(255, round(channel * dark + grain))) for channel in color(x, y))
        file.write(row)
