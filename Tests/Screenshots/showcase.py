#!/usr/bin/env python3
"""Writes invented feeds, and a race with a stage that is ridden now, into a folder: showcase.py FOLDER.

The folder's picture.jpg is the photograph of the first article.
"""
import datetime
import html
import json
import math
import sys
import xml.sax.saxutils

folder = sys.argv[1]
now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)

ARTICLE = """
<p>For two years the water level of the Rio Coura was a number that someone read off a painted pole on Mondays. Last winter
the pole fell over, and the club decided to <a href="https://example.org/gauge">measure it properly</a>.</p>
<p><img src="picture.jpg" alt="The valley in March"></p>
<h2>What it measures</h2>
<p>A pressure sensor in a pipe, a board that sleeps for nine minutes of ten, and a battery that lasts through a season. The
sensor reports pascals; everything else is arithmetic:</p>
<pre><code>func depth(pascals: Double, air: Double) -> Double {
    let water = 1000.0 * 9.81  // one metre of fresh water
    return max(0, pascals - air) / water
}</code></pre>
<h2>After one season</h2>
<table><tr><th>Month</th><th>Mean</th><th>Highest</th><th>Gaps</th></tr>
<tr><td>December</td><td>0.82 m</td><td>1.94 m</td><td>none</td></tr>
<tr><td>January</td><td>1.10 m</td><td>2.37 m</td><td>two hours, ice</td></tr>
<tr><td>February</td><td>0.97 m</td><td>2.02 m</td><td>none</td></tr></table>
<blockquote><p>The best instrument is the one that nobody has to remember.</p></blockquote>
<p>The data and the drawings are free to use. If you build one, tell us how cold it got.</p>
"""

# The folder, title and name of each feed, and its entries.
FEEDS = [
    ("Rivers", "The Weir", "river", ["A river gauge that runs on one battery", "Reading old flood marks", "How we lost a boat"]),
    ("Rivers", "Ferries and Fords", "ferries", ["The last chain ferry", "Crossing at low water"]),
    ("Code", "Kernel Notes", "kernel", ["A slower lock that scales", "Ten lines less in the scheduler", "What tracing costs"]),
    ("Code", "Small Compilers", "compilers", ["Registers are a colouring book", "Errors that point at the right line"]),
    ("Code", "The Terminal Post", "terminal", ["Cells, glyphs and clusters", "Why your line editor blinks"]),
    ("Home", "Ana's Kitchen", "kitchen", ["Sourdough without a schedule", "Quinces, three ways"]),
    ("Home", "A Shed of One's Own", "shed", ["Sharpening, finally explained", "A bench from one board"]),
    ("Away", "Night Trains", "trains", ["Lisbon to Madrid is back", "Sleeping well in a seat", "The border at four o'clock"]),
    ("Away", "Footpaths", "paths", ["Three days along the ridge", "What to leave out of a pack"]),
    ("Type", "Typeface of the Week", "type", ["Cooper, softened", "A monospace with old-style figures"]),
    ("Type", "Margins", "margins", ["The width of a good line"]),
]

TEXTS = [
    "What we tried first did not work, and it is worth saying why.",
    "Three photographs, one map and a correction to last week's figures.",
    "Everything here fits on a page, and most of it is wrong in an interesting way.",
    "A reader asked how long it takes. The honest answer is two evenings.",
    "The old method is slower, louder and, as it turns out, more precise.",
    "A short history of a tool that everybody owns and nobody reads about.",
    "We measured it in March, in rain, and again in June with better shoes.",
    "Two diagrams and a table, because one of them is easier to argue with.",
    "It took a century to forget this and an afternoon to find it again.",
    "The part that looks difficult is easy. The part that looks easy is this post.",
    "Notes from a visit, with prices, times and one good place for lunch.",
    "A small change in the right place, and what it cost to find that place.",
    "If it works the second time, write down what you did differently.",
]

for place, (folder_name, title, name, entries) in enumerate(FEEDS):
    items = ""
    for number, entry in enumerate(entries):
        date = now - datetime.timedelta(minutes=25 + 47 * place, hours=17 * number)
        text = ARTICLE if place == number == 0 else f"<p>{TEXTS[(place + 5 * number) % len(TEXTS)]}</p>"
        items += (
            f"<entry><id>urn:{name}:{number}</id><title>{html.escape(entry)}</title><author><name>Rita Prates</name></author>"
            f"<published>{date.isoformat()}</published><updated>{date.isoformat()}</updated>"
            f'<content type="html">{xml.sax.saxutils.escape(text)}</content></entry>'
        )
    with open(f"{folder}/{name}.atom", "w") as file:
        file.write(
            f'<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:{name}</id><title>{html.escape(title)}</title>{items}</feed>'
        )
with open(f"{folder}/feeds", "w") as file:
    file.writelines(f"{folder_name} {name}\n" for folder_name, _, name, _ in FEEDS)

# A day in the mountains: 172 km, three climbs, the race at kilometre 125.
LENGTH, REACHED = 172, 125
CLIMBS = [("Alto da Foz", 43, "3", 5.5), ("Serra da Nogueira", 103, "1", 14.4), ("Guarda", 172, "1", 18.0)]


def height(km):
    """The height at a place of the way, in metres."""
    hills = sum(
        rise * math.exp(-(((km - top) / wide) ** 2)) for top, rise, wide in [(43, 240, 9), (103, 820, 16), (172, 980, 22)])
    return 180 + hills + 25 * math.sin(km / 3.1) + 12 * math.sin(km / 1.3)


points = "".join(
    f'<trkpt lat="{41.15 + km * 0.005 + 0.06 * math.sin(km / 15):.5f}" lon="{-8.6 + km * 0.0098:.5f}"><ele>{height(km):.0f}</ele></trkpt>'
    for km in (step / 4 for step in range(LENGTH * 4 + 1)))
with open(f"{folder}/stage.gpx", "w") as file:
    file.write(f'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>')

GIVEN = ["Ana", "Bea", "Clara", "Dora", "Eva", "Fia", "Gil", "Ines", "Joana", "Lia"]
FAMILY = ["Sousa", "Costa", "Nunes", "Pinto", "Reis", "Lobo", "Matos", "Vaz", "Cruz", "Mota", "Faria", "Paiva", "Seixas", "Torres"]
NAMES = [f"{GIVEN[n * 3 % 10]} {family}" for n, family in enumerate(FAMILY)] + [
    f"{GIVEN[n * 7 % 10]} {family[:-1]}es" for n, family in enumerate(FAMILY)]
TEAMS = ["Clube do Minho", "Rodas Altas", "Serra e Mar", "Atlântico"]
riders = [
    {"id": str(n), "name": name, "number": n, "country": "PT", "team": TEAMS[n % 4]} for n, name in enumerate(NAMES, 1)]


def general(stage):
    """The general classification after a stage, in which the gaps grow and the first places change."""
    seconds = {n: 9 * (n + n * n // 9) * stage // 2 + 37 * ((n * 5 + stage * stage * 3) % 7) for n in range(1, len(NAMES) + 1)}
    order = sorted(seconds, key=seconds.get)
    best = seconds[order[0]]
    first = {"rider": str(order[0]), "time": f"{4 * stage}:11:0{stage}"}
    return [first] + [{"rider": str(n), "gap": seconds[n] - best} for n in order[1:]]


def scores(stage, step):
    """A classification by points after a stage."""
    points = {n: (n * step * 7 + stage * 5) % 40 + 2 * stage for n in range(1, 13)}
    return [{"rider": str(n), "points": points[n]} for n in sorted(points, key=points.get, reverse=True)]


TOWNS = ["Azinhal", "Ribalta", "Fonte Nova", "Monteiros", "Miranda", "Guarda", "Penha Alta", "Cabeço", "Lourosa"]
start = now - datetime.timedelta(hours=3, minutes=6)
stages = []
for number in range(1, 9):
    day = start.date() + datetime.timedelta(days=number - 5)
    stage = {
        "number": number, "date": day.isoformat(), "start": TOWNS[number - 1], "finish": TOWNS[number],
        "distance_km": 128 + number * 37 % 80, "type": ["flat", "hilly", "mountain"][number * 2 % 3]}
    if number < 5:
        stage |= {
            "results": [{"rider": str(3 * number + place % 5), "gap": 4 * place} for place in range(5)],
            "general": general(number), "points": scores(number, 3), "mountain": scores(number, 5)}
    if number == 5:
        stage |= {
            "start": "Miranda", "finish": "Guarda", "distance_km": LENGTH, "type": "mountain", "start_time": start.isoformat(),
            "finish_time": (now + datetime.timedelta(minutes=68)).isoformat(),
            "climbs": [
                {"name": name, "km": km, "category": category, "length_km": length,
                 "gradient": round((height(km) - height(km - length)) / length / 10, 1), "elevation_m": round(height(km))}
                for name, km, category, length in CLIMBS],
            "live": {
                "at": now.isoformat(), "km_to_go": LENGTH - REACHED, "speed": 42,
                "groups": [
                    {"name": "Leaders", "km_to_go": LENGTH - REACHED, "size": 3, "riders": ["4", "7", "9"]},
                    {"name": "Chasers", "gap": "+0:41", "km_to_go": LENGTH - REACHED + 4, "size": 6, "riders": ["2", "3"]},
                    {"name": "Peloton", "gap": "+1:24", "km_to_go": LENGTH - REACHED + 8, "size": 84, "riders": ["1", "5"]}]},
            "ticker": [
                {"time": (now - datetime.timedelta(minutes=minutes)).isoformat(), "km": REACHED - km, "text": text, "kind": kind}
                for minutes, km, text, kind in [
                    (2, 1, "Three riders have left the break.", "attack"),
                    (25, 19, "Dora Pinto is first at the Serra da Nogueira.", "climb"),
                    (140, 96, "Nine riders are away.", "breakaway")]],
        }
    stages.append(stage)
race = {
    "schema": 3, "race": "Volta", "year": now.year, "country": "PT", "kind": "national", "leader_jersey": "camisola amarela",
    "jerseys": [{"classification": "general", "name": "camisola amarela", "color": "yellow"},
                {"classification": "points", "name": "camisola verde", "color": "green"},
                {"classification": "mountain", "name": "camisola azul", "color": "blue"}], "riders": riders, "stages": stages,
}
with open(f"{folder}/volta.json", "w") as file:
    json.dump(race, file)
