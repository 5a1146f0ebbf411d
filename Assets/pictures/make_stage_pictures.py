"""Draws a small landscape for each stage of a race file: sky by the date, hills by the type, a road, a finish arch.

Usage: make_stage_pictures.py RACE.json FOLDER      (no packages needed; the same input gives the same pictures)
"""
import json, math, pathlib, struct, sys, zlib

WIDTH, HEIGHT = 256, 160

def noise(seed):
    state = seed * 2654435761 % 2**32 or 1
    while True:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        yield state / 2**32

def ridge(random, base, height, rough):
    """Heights of a chain of hills across the picture, by halving and shifting."""
    points = [base, base + (next(random) - 0.5) * height]
    size = height
    while len(points) < WIDTH:
        wider = []
        for left, right in zip(points, points[1:]):
            wider += [left, (left + right) / 2 + (next(random) - 0.5) * size]
        points = wider + [points[-1]]
        size *= rough
    return points

def mix(a, b, share):
    return tuple(int(x + (y - x) * share) for x, y in zip(a, b))

def picture(stage):
    random = noise(stage["number"] * 7919 + 11)
    kind = stage.get("type", "flat")
    steep = {"mountain": 78, "mountain time trial": 84, "hilly": 40}.get(kind, 14)
    evening = stage["number"] % 4 == 0
    top, low = ((64, 92, 160), (240, 170, 130)) if evening else ((70, 130, 210), (200, 225, 240))
    pixels = [[mix(top, low, y / HEIGHT) for _ in range(WIDTH)] for y in range(HEIGHT)]
    sun_x, sun_y = 30 + int(next(random) * 190), 18 + int(next(random) * 30)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            far = math.hypot(x - sun_x, y - sun_y)
            if far < 40:
                pixels[y][x] = mix(pixels[y][x], (255, 244, 200), max(0, 1 - far / 40) ** 1.5 if far > 9 else 1)
    for index, share in enumerate((1.0, 0.72, 0.45)):
        line = ridge(random, 78 + index * 20 - steep * share * 0.55, steep * share, 0.55)
        ground = mix((120, 140, 170), (62, 110, 58), index / 2 + 0.1)
        for x in range(WIDTH):
            start = max(4, int(line[min(x * len(line) // WIDTH, len(line) - 1)]))
            for y in range(start, HEIGHT):
                depth = min(1, (y - start) / 60)
                color = mix(ground, (44, 78, 40), depth * 0.7)
                if steep > 60 and index == 0 and y - start < 10 - (x * 7 % 5):
                    color = mix((245, 248, 252), ground, (y - start) / 12)
                pixels[y][x] = color
    bend = (next(random) - 0.5) * 3
    def road(y):
        """The nearness, the middle and half the width of the road in a line."""
        near = (y - 104) / (HEIGHT - 104)
        return near, WIDTH / 2 + math.sin(near * 3 + bend) * 46 * (1 - near * 0.4), 2 + near * 26
    for y in range(104, HEIGHT):
        near, middle, half = road(y)
        for x in range(WIDTH):
            if abs(x - middle) < half:
                shade = (236, 228, 210) if abs(x - middle) > half - 1 - near * 2 else (92, 92, 98)
                pixels[y][x] = shade
            if abs(x - middle) < 0.6 + near and int(1 / (near + 0.06) * 2) % 2 == 0:
                pixels[y][x] = (240, 240, 240)
        if y == 118:
            for x in range(int(middle - half - 10), int(middle + half + 11)):
                for up in range(22, 28):
                    if 0 <= x < WIDTH:
                        pixels[y - up][x] = (236, 110, 150)
            for post in (int(middle - half - 10), int(middle + half + 9)):
                for up in range(0, 28):
                    for wide in (0, 1):
                        if 0 <= post + wide < WIDTH:
                            pixels[y - up][post + wide] = (236, 110, 150)
    for rider in range(3 + stage["number"] % 5):
        side = next(random) - 0.5
        y = 128 + int(next(random) * 22)
        _, middle, half = road(y)
        x = int(middle + side * (half - 4) * 2)
        color = [(236, 110, 150), (250, 220, 80), (80, 140, 240), (240, 240, 240), (220, 70, 60)][rider % 5]
        for dy in range(-7, 1):
            for dx in range(-2, 3):
                if dy < -4 and abs(dx) > 1:
                    continue
                pixels[y + dy][x + dx] = color if dy < -1 else (30, 30, 34)
    return pixels

def png(pixels):
    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    # 32 levels a colour compress well and are more than a terminal shows.
    rows = b"".join(b"\2" + bytes(
        (pixels[y][x][c] & 0xF8) - ((pixels[y - 1][x][c] & 0xF8) if y else 0) & 0xFF
        for x in range(WIDTH) for c in range(3)) for y in range(HEIGHT))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))

race = json.loads(pathlib.Path(sys.argv[1]).read_text())
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
for stage in race["stages"]:
    (folder / f"{stage['number']:02}.png").write_bytes(png(picture(stage)))
