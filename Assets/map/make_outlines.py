#!/usr/bin/env python3
"""Makes outlines.bin: the coasts and borders of the map page, from Natural Earth's countries at 1:50,000,000.

Natural Earth (https://www.naturalearthdata.com) is in the public domain. Debian's package r-cran-rnaturalearthdata
carries it; Python's package rdata reads that:

    make_outlines.py /usr/lib/R/site-library/rnaturalearthdata/data/Rdata outlines.bin

The file: "TAPPAMAP", then lines until its end. A line: 1 byte (0: a coast, 1: a border), the number of its points in 2
bytes, and for each point 2 bytes of latitude and 2 of longitude in hundredths of a degree, signed, the lowest first.
"""
import bz2
import collections
import gzip
import lzma
import struct
import sys
import warnings
import zlib

import rdata

TOLERANCE = 1.2  # hundredths of a degree, some 1.3 km
LEAST_ISLAND = 12  # hundredths of a degree across: smaller ones are left out

warnings.filterwarnings("ignore")


def unpacked(base, name):
    """An object of R's lazy-load database."""
    index = gzip.decompress(open(base + ".rdx", "rb").read())
    variables = rdata.conversion.convert(rdata.parser.parse_data(index))["variables"]
    offset, length = (int(number) for number in variables[name])
    packed = open(base + ".rdb", "rb").read()[offset : offset + length]
    kind = packed[4:5]
    if kind == b"2":
        return bz2.decompress(packed[5:])
    if kind == b"Z":
        return lzma.decompress(packed[5:], format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
    return zlib.decompress(packed[4:])


def rings(node, seen):
    """The coordinates of all polygons below a node, each as points of latitude and longitude in hundredths."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    attributes = node.attributes
    while attributes is not None and attributes.info.type.name == "LIST":
        tag = attributes.tag
        if tag is not None and tag.info.type.name == "REF":
            tag = tag.referenced_object
        name = tag.value.value if tag is not None and tag.value is not None else b""
        value = attributes.value[0]
        if name == b"coords":
            numbers = list(value.value)
            half = len(numbers) // 2
            yield [(round(north * 100), round(east * 100)) for east, north in zip(numbers[:half], numbers[half:])]
        else:
            yield from rings(value, seen)
        attributes = attributes.value[1]
    if isinstance(node.value, list):
        for child in node.value:
            if hasattr(child, "info"):
                yield from rings(child, seen)


def arcs(all_rings):
    """Lines between the points where several meet, each once, and whether two countries share it."""
    uses = collections.Counter()
    neighbours = collections.defaultdict(set)
    for ring in all_rings:
        for a, b in zip(ring, ring[1:]):
            if a != b:
                uses[frozenset((a, b))] += 1
                neighbours[a].add(b)
                neighbours[b].add(a)

    def kind(a, b):
        return uses[frozenset((a, b))] > 1

    def ends(point):
        around = [kind(point, other) for other in neighbours[point]]
        return len(around) != 2 or around[0] != around[1]

    left = set(uses)

    def walk(start, following):
        line = [start, following]
        left.discard(frozenset((start, following)))
        while not ends(line[-1]) and line[-1] != start:
            onward = [p for p in neighbours[line[-1]] if frozenset((line[-1], p)) in left]
            if not onward:
                break
            left.discard(frozenset((line[-1], onward[0])))
            line.append(onward[0])
        return line

    for point in sorted(neighbours):
        if ends(point):
            for other in sorted(neighbours[point]):
                if frozenset((point, other)) in left:
                    yield walk(point, other), kind(point, other)
    for point in sorted(neighbours):
        for other in sorted(neighbours[point]):
            if frozenset((point, other)) in left:
                yield walk(point, other), kind(point, other)


def simplified(line):
    """Without the points that lie within the tolerance of the line between others (Douglas and Peucker)."""
    keep = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        (y0, x0), (y1, x1) = line[first], line[last]
        length = ((y1 - y0) ** 2 + (x1 - x0) ** 2) ** 0.5
        worst, place = TOLERANCE, None
        for index in range(first + 1, last):
            y, x = line[index]
            if length == 0:
                distance = ((y - y0) ** 2 + (x - x0) ** 2) ** 0.5
            else:
                distance = abs((y1 - y0) * (x - x0) - (x1 - x0) * (y - y0)) / length
            if distance > worst:
                worst, place = distance, index
        if place is not None:
            keep.add(place)
            spans += [(first, place), (place, last)]
    return [line[index] for index in sorted(keep)]


def main():
    base, output = sys.argv[1:3]
    tree = rdata.parser.parse_data(unpacked(base, "countries50")).object
    found = list(rings(tree, set()))
    points = lines = 0
    with open(output, "wb") as file:
        file.write(b"TAPPAMAP")
        for line, is_border in arcs(found):
            across = max(max(p[k] for p in line) - min(p[k] for p in line) for k in (0, 1))
            if line[0] == line[-1] and across < LEAST_ISLAND:
                continue
            line = simplified(line)
            if len(line) < 2:
                continue
            file.write(struct.pack("<BH", is_border, len(line)))
            for north, east in line:
                file.write(struct.pack("<hh", north, east))
            lines, points = lines + 1, points + len(line)
    print(f"{len(found)} rings, {lines} lines, {points} points")


main()
