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
cp "$here/../../Assets/pictures/giro-d-italia-2010/15.png" "$home/served/picture.png"
python3 "$here/showcase.py" "$home/served"
(cd "$home/served" && exec timeout 900 python3 -u -m http.server --bind 127.0.0.1 0) >"$home/server" 2>&1 &
feeds=$!
trap 'kill $feeds 2>/dev/null; cleanup' EXIT
for _ in $(seq 50); do grep -q port "$home/server" && break; sleep 0.1; done
address=http://127.0.0.1:$(grep -o 'port [0-9]*' "$home/server" | cut -d ' ' -f 2)
rm -rf "$home/.local"
for name in kitchen river kernel trains type; do "$program" add "$address/$name.atom" >/dev/null; done
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

# The keys that open the first article, from the list of feeds.
article="Return Return"

opened 160x45 catppuccin-mocha feeds $article
shoot "$folder/feeds.png"
stop
opened 120x39 tokyo-night stages Return
shoot "$folder/stage.png"
stop

# The same entry in three panes of a tmux window.
printf '#!/bin/sh\nexec %q dashboard --segment feeds --set feeds.refresh=0\n' "$program" >"$home/program"
printf 'set -g status off\nset -g allow-passthrough on\n' >"$home/tmux.conf"
cat >"$home/run" <<RUN
#!/bin/sh
exec tmux -S $home/tmux -f $home/tmux.conf new-session $home/program \\; split-window -v -l 30 $home/program \\; \
    select-pane -t 0 \\; split-window -h -l 117 $home/program
RUN
chmod +x "$home/program" "$home/run"
start kitty 160x53 catppuccin-mocha
sleep 3
for pane in 0 1 2; do tmux -S "$home/tmux" send-keys -t "$pane" j Enter Enter; sleep 1; done
sleep 4
shoot "$folder/panes.png"
stop

for ground in catppuccin-latte gruvbox nord solarized-dark; do
    opened 84x24 "$ground" feeds $article
    shoot "$home/palette-$ground.png"
    stop
done
montage "$home"/palette-*.png -geometry '75%x75%+4+4' -tile 2x "png8:$folder/palettes.png"

# Widening and narrowing the list beside the article.
opened 100x28 tokyo-night feeds $article
frame=10
for key in greater greater greater greater greater less less less less less; do
    press "$key"
    shoot "$home/frame-$frame.png"
    frame=$((frame + 1))
done
stop
convert -delay 25 -loop 0 "$home"/frame-*.png -resize 640x -colors 64 -layers optimize "$folder/split.gif"
