#!/usr/bin/env bash
# screenshots.sh PROGRAM FOLDER [README-FOLDER]: walks through the program in the terminals that are installed (xterm, xterm with
# sixels, kitty, foot in weston), at six sizes, on dark and on light grounds, and writes a PNG of each screen. Pictures for the
# README are written too where a folder for them is named.
set -euo pipefail
program=$(realpath "$1")
folder=$2
readme=${3:-}
sizes=${SIZES:-"200x50 120x39 79x23 60x19 39x11 80x7"}
grounds=${GROUNDS:-"dark light"}
terminals=${TERMINALS:-"xterm xterm-sixel kitty foot"}
font="DejaVu Sans Mono"
mkdir -p "$folder"

for tool in Xvfb xdotool import; do
    command -v "$tool" >/dev/null || {
        echo "Please install xvfb, xdotool and imagemagick, and the terminals that are to be seen: xterm, kitty, foot and weston."
        exit 1
    }
done

home=$(mktemp -d)
terminal=""
display_file="$home/display"
Xvfb -displayfd 1 -screen 0 2000x1200x24 -nolisten tcp >"$display_file" 2>/dev/null &
server=$!
cleanup() {
    [ -n "$terminal" ] && kill -9 "$terminal" 2>/dev/null
    kill -9 "$server" 2>/dev/null
    rm -rf "$home"
    return 0
}
trap cleanup EXIT
for _ in $(seq 50); do [ -s "$display_file" ] && break; sleep 0.1; done
export DISPLAY=":$(head -1 "$display_file")"
export HOME=$home XDG_RUNTIME_DIR=$home LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C.UTF-8
unset TMUX NO_COLOR
# The library is made here, so that the sheet of the first start comes only where it is wanted.
"$program" list >/dev/null 2>&1 || true

colors() { # what stands for text and ground
    if [ "$1" = dark ]; then echo "#d0d0d0 #1c1c1c"; else echo "#303030 #fafafa"; fi
}

start() { # start NAME WIDTHxHEIGHT GROUND
    local text ground columns=${2%x*} rows=${2#*x}
    read -r text ground < <(colors "$3")
    case $1 in
        xterm) xterm -fa "$font" -fs 10 -geometry "$2+0+0" -bg "$ground" -fg "$text" -tn xterm-256color -e "$program" & ;;
        xterm-sixel)
            xterm -ti vt340 -fa "$font" -fs 10 -geometry "$2+0+0" -bg "$ground" -fg "$text" -tn xterm-256color -e "$program" & ;;
        kitty)
            kitty --config NONE -o "font_family=$font" -o font_size=10 -o "foreground=$text" -o "background=$ground" \
                -o "initial_window_width=${columns}c" -o "initial_window_height=${rows}c" -o remember_window_size=no \
                -o update_check_interval=0 "$program" 2>/dev/null & ;;
        foot)
            weston --backend=x11-backend.so --width=1900 --height=1100 -- \
                foot --font="$font:size=10" -W "$2" -o "colors.foreground=${text#?}" -o "colors.background=${ground#?}" \
                "$program" >/dev/null 2>&1 & ;;
    esac
    terminal=$!
    sleep "${PAUSE:-1.8}"
    xdotool mousemove 60 30
}

stop() {
    kill -9 "$terminal" 2>/dev/null || true
    wait "$terminal" 2>/dev/null || true
    terminal=""
    # The program leaves when its terminal is gone.
    sleep 0.5
}

press() { for key in "$@"; do xdotool key "$key"; sleep 0.25; done; }

shoot() { # shoot FILE
    sleep 0.6
    import -window root -trim +repage "$1"
}

walk() { # walk PREFIX
    shoot "$1-stages.png"
    press l bracketright bracketright
    shoot "$1-map.png"
    press bracketright bracketright
    shoot "$1-standings.png"
    press Tab
    shoot "$1-feeds.png"
    press Return
    shoot "$1-entries.png"
    press Return
    shoot "$1-article.png"
    press p
    shoot "$1-popover.png"
    press p colon
    shoot "$1-palette.png"
    press Escape Tab
    shoot "$1-settings.png"
}

for name in $terminals; do
    needed=$name
    [ "$name" = xterm-sixel ] && needed=xterm
    if ! command -v "$needed" >/dev/null || { [ "$name" = foot ] && ! command -v weston >/dev/null; }; then
        echo "$name is not installed: left out."
        continue
    fi
    for ground in $grounds; do
        for size in $sizes; do
            rm -rf "$home/.local/state" || true
            start "$name" "$size" "$ground"
            walk "$folder/$name-$ground-$size"
            stop
            echo "$name, $ground, $size"
        done
    done
done

if [ -n "$readme" ]; then
    mkdir -p "$readme"
    rm -rf "$home/.local/state" || true
    start xterm 120x34 dark
    press Tab Return Return j
    shoot "$readme/feeds.png"
    stop
    rm -rf "$home/.local/state" || true
    start xterm-sixel 79x30 dark
    press j j j j j j j j j j j j j j
    sleep 1
    shoot "$readme/stages.png"
    stop
    rm -rf "$home/.local/state" || true
    start xterm 42x24 light
    press Tab Return Return
    shoot "$readme/narrow.png"
    stop
fi
