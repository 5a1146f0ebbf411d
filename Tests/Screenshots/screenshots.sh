#!/usr/bin/env bash
# screenshots.sh PROGRAM FOLDER: walks through the program in real terminals and writes a picture of each screen, a
# sheet with all pictures of a screen for each size, and a table of contrasts and blank shares (measure.py).
#
# Environment variables select a subset (defaults below), such as GROUNDS="nord white" SIZES=39x11 SCREENS="feeds map".
# TERMINALS can be xterm, xterm-sixel, foot (in weston), and kitty or paths of other kitties; TMUX_PROGRAM can name
# several tmuxes. With MOVES=1 each walk begins with 18 moves through the stages, each with a picture taken at once.
set -euo pipefail
program=$(realpath "$1")
folder=$2
screens=${SCREENS:-"stages map standings feeds entries article popover palette settings"}
sizes=${SIZES:-"200x50 120x39 70x24 60x19 39x11"}
grounds=${GROUNDS:-"solarized-dark solarized-light gruvbox nord dracula white black"}
terminals=${TERMINALS:-"xterm kitty"}
places=${PLACES:-"outside tmux passthrough"}
tmuxes=${TMUX_PROGRAM:-tmux}
here=$(dirname "$0")
. "$here/terminals.sh"
case " $terminals " in *" foot "*) need weston ;; esac
case $places in *tmux* | *passthrough*) need $tmuxes ;; esac
need montage convert python3 ${terminals//xterm-sixel/xterm}
prepare
mkdir -p "$folder"

wants() { case " $screens " in *" $1 "*) true ;; *) false ;; esac }

# Takes a picture of the current screen if it is wanted.
screen() { if wants "$1"; then shoot "${prefix}_$1.png"; fi; }

# The walk through the nine screens, from the first stage on.
walk() {
    screen stages
    if [ -n "${MOVES:-}" ]; then moves; press g g; fi
    press Return bracketright bracketright; screen map
    press bracketright; screen standings
    press Tab; screen feeds
    press Return; screen entries
    press Return; screen article
    press p; screen popover
    press p colon; screen palette
    press Escape; sleep 1
    press Tab; screen settings
}

# Moves through 18 stages and takes a picture at once after each move, settled or not.
moves() {
    local number
    for number in $(seq -w 18); do
        xdotool key j
        timeout 10 import -window "$window" "${prefix}_move-$number.png"
    done
}

# visit TERMINAL PLACE GROUND SIZE: takes the pictures of a walk, named TERMINAL_PLACE_GROUND_SIZE_SCREEN.png.
visit() {
    local name=$2
    [ "$2" = outside ] || name=$(version "$tmux")-$2
    prefix=$folder/$(version "$1")_${name}_$3_$4
    launch "$2" dashboard --segment stages --set feeds.refresh=0
    start "$1" "$4" "$3"
    walk
    stop
    echo "$(date +%T) $prefix"
}

for terminal_program in $terminals; do
    for place in $places; do
        for tmux in $tmuxes; do
            for ground in $grounds; do
                for size in $sizes; do visit "$terminal_program" "$place" "$ground" "$size"; done
            done
            [ "$place" = outside ] && break
        done
    done
done

# A sheet of all pictures of a screen at a size.
for size in $sizes; do
    columns=${size%x*}
    for name in $screens; do
        montage -label '%t' "$folder"/*_"${size}_$name.png" -resize '640x>' -geometry +6+6 \
            -tile "$((columns < 80 ? 240 / columns : 3))x" "$folder/sheet-$name-$size.png"
    done
done
python3 "$here/measure.py" "$folder" >"$folder/measures.txt"
tail -n 12 "$folder/measures.txt"
