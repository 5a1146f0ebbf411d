#!/usr/bin/env bash
# readme.sh PROGRAM FOLDER: takes the pictures of the README, in kitty, of invented feeds and a race.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/terminals.sh"
need kitty tmux python3 montage convert
prepare

# The feeds come from a server that ends with this script.
mkdir "$home/served"
python3 "$here/photograph.py" "$home/photograph.ppm"
convert "$home/photograph.ppm" -crop 960x390+0+130 -resize 448x -quality 92 "$home/served/picture.jpg"
python3 "$here/showcase.py" "$home/served"
(cd "$home/served" && exec timeout 900 python3 -u -m http.server --bind 127.0.0.1 0) >"$home/server" 2>&1 &
feeds=$!
trap 'kill $feeds 2>/dev/null; cleanup' EXIT
for _ in $(seq 50); do grep -q port "$home/server" && break; sleep 0.1; done
address=http://127.0.0.1:$(grep -o 'port [0-9]*' "$home/server" | cut -d ' ' -f 2)
rm -rf "$home/.local"
while read -r folder_name name; do
    "$program" add --folder "$folder_name" "$address/$name.atom" >/dev/null
done <"$home/served/feeds"
"$program" race import "$home/served/volta.json" >/dev/null
"$program" race track "volta-$(date +%Y)" 5 "$home/served/stage.gpx" >/dev/null
rm -rf "$home/fresh"
cp -r "$home/.local" "$home/fresh"

# opened SIZE GROUND SEGMENT KEY…: starts the program and presses keys.
opened() {
    launch outside dashboard --segment "$3" --set feeds.refresh=0
    start kitty "$1" "$2"
    press "${@:4}"
    # Pictures in pixels come later than those in cells.
    sleep 4
}

# take NAME: takes a picture for the README, with few colours so that it is small.
take() {
    shoot "$home/$1.png"
    convert "$home/$1.png" -colors 224 "png8:$folder/$1.png"
}

# The keys that open the first article, from the list of feeds.
article="Return Return"

opened 160x45 catppuccin-mocha feeds $article
take feeds
stop
opened 120x39 tokyo-night stages Return
take stage
stop

# The same entry in three panes of a tmux window, and the live stage in a fourth one.
for segment in feeds stages; do
    printf '#!/bin/sh\nexec %q dashboard --segment %s --set feeds.refresh=0 --set appearance.colors=direct\n' \
        "$program" $segment >"$home/$segment"
done
printf 'set -g status off\nset -g allow-passthrough on\n' >"$home/tmux.conf"
printf '#!/bin/sh\nexec tmux -S %q -f %q new-session %q\n' "$home/tmux" "$home/tmux.conf" "$home/feeds" >"$home/run"
chmod +x "$home/feeds" "$home/stages" "$home/run"
start kitty 160x53 catppuccin-mocha
tmux -S "$home/tmux" split-window -v -l 30 "$home/feeds" \; select-pane -t 0 \; split-window -h -l 117 "$home/feeds" \; \
    split-window -h -l 37 "$home/stages"
sleep 3
tmux -S "$home/tmux" send-keys -t 2 Enter
for pane in 0 1 3; do tmux -S "$home/tmux" send-keys -t "$pane" j Enter Enter; sleep 1; done
sleep 4
take panes
stop

for ground in catppuccin-latte gruvbox nord solarized-dark; do
    opened 84x24 "$ground" feeds $article
    shoot "$home/palette-$ground.png"
    stop
done
montage "$home"/palette-*.png -geometry '75%x75%+4+4' -tile 2x miff:- | convert - -colors 250 "png8:$folder/palettes.png"

# Widening and narrowing the list beside the article.
opened 100x28 tokyo-night feeds $article
frame=10
for key in greater greater greater greater greater less less less less less; do
    press "$key"
    shoot "$home/frame-$frame.png"
    frame=$((frame + 1))
done
stop
convert -delay 25 -loop 0 "$home"/frame-*.png -resize 640x +dither -colors 96 -layers optimize "$folder/split.gif"
