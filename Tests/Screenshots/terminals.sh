# terminals.sh: starts real terminals on an invisible display, presses keys in them and takes pictures. Read by
# screenshots.sh and readme.sh, which set `program`.
font="DejaVu Sans Mono"
grounds_file=$(dirname "${BASH_SOURCE[0]}")/grounds.txt
terminal="" window="" tmux=tmux

# need TOOL…: ends with a message if a tool is missing.
need() {
    local tool missing=""
    for tool in "$@"; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
    [ -z "$missing" ] && return
    echo "Missing:$missing. On Debian install xvfb, xdotool, imagemagick, python3 and the terminals: xterm, kitty, tmux."
    exit 1
}

# Starts the display and prepares a home with a library, so that the welcome sheet doesn't appear.
prepare() {
    need Xvfb xdotool import identify
    home=$(mktemp -d)
    Xvfb -displayfd 1 -screen 0 2000x1200x24 -nolisten tcp >"$home/display" 2>/dev/null &
    server=$!
    trap cleanup EXIT
    for _ in $(seq 300); do [ -s "$home/display" ] && break; sleep 0.1; done
    export DISPLAY=":$(head -1 "$home/display")"
    export HOME=$home XDG_RUNTIME_DIR=$home LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C.UTF-8
    unset TMUX NO_COLOR COLORTERM
    "$program" list >/dev/null 2>&1 || true
    cp -r "$home/.local" "$home/fresh"
}

cleanup() {
    stop
    kill "$server" 2>/dev/null || true
    rm -rf "$home"
}

# launch PLACE ARGUMENTS…: writes the command that the terminal runs: the program itself, or `tmux` with it.
launch() {
    local place=$1
    shift
    printf '#!/bin/sh\nexec %q %s\n' "$program" "$*" >"$home/program"
    case $place in
        outside) cp "$home/program" "$home/run" ;;
        *)
            printf 'set -g status off\nset -g allow-passthrough %s\n' \
                "$([ "$place" = passthrough ] && echo on || echo off)" >"$home/tmux.conf"
            printf '#!/bin/sh\nexec %q -S %q -f %q new-session %q\n' \
                "$tmux" "$home/tmux" "$home/tmux.conf" "$home/program" >"$home/run" ;;
    esac
    chmod +x "$home/program" "$home/run"
}

# start TERMINAL COLUMNSxROWS GROUND: starts the launch command in a terminal, which is a program or "xterm-sixel".
start() {
    local name text ground colors color number=0 columns=${2%x*} rows=${2#*x} options=()
    read -r name text ground colors < <(grep "^$3 " "$grounds_file")
    rm -rf "$home/.local" && cp -r "$home/fresh" "$home/.local"
    case ${1##*/} in
        xterm*)
            for color in $colors; do options+=(-xrm "*color$number: #$color"); number=$((number + 1)); done
            [ "$1" = xterm-sixel ] && options+=(-ti vt340)
            xterm "${options[@]}" -b 0 +sb -fa "$font" -fs 10 -geometry "$2+0+0" -bg "#$ground" -fg "#$text" \
                -tn xterm-256color -e "$home/run" 2>"$home/log" & ;;
        foot)
            weston --backend=x11-backend.so --width=1900 --height=1100 -- foot --font="$font:size=10" -W "$2" \
                -o "colors.foreground=$text" -o "colors.background=$ground" "$home/run" >"$home/log" 2>&1 & ;;
        *)
            for color in $colors; do options+=(-o "color$number=#$color"); number=$((number + 1)); done
            "$1" --config NONE "${options[@]}" -o "font_family=$font" -o font_size=10 -o "foreground=#$text" \
                -o "background=#$ground" -o "initial_window_width=${columns}c" -o "initial_window_height=${rows}c" \
                -o window_padding_width=0 -o placement_strategy=top-left -o remember_window_size=no \
                -o update_check_interval=0 -o enable_audio_bell=no "$home/run" 2>"$home/log" & ;;
    esac
    terminal=$!
    window=""
    for _ in $(seq 80); do
        # A window may be gone when its name is read.
        window=$(xdotool search --onlyvisible --name . 2>/dev/null | head -1) || true
        [ -n "$window" ] && break
        sleep 0.25
    done
    [ -n "$window" ] || { echo "$1 opened no window:"; cat "$home/log"; exit 1; }
    xdotool mousemove 60 30
    settle 30
    # The terminal may report its colours late.
    sleep 1
}

stop() {
    if [ -S "$home/tmux" ]; then "$tmux" -S "$home/tmux" kill-server 2>/dev/null || true; fi
    if [ -n "$terminal" ]; then
        kill -9 "$terminal" 2>/dev/null || true
        wait "$terminal" 2>/dev/null || true
        # The program leaves when its terminal is gone.
        sleep 0.5
    fi
    terminal=""
}

# import waits for a click where its window is gone, hence the timeouts.
# settle ATTEMPTS: waits until two pictures in a row are the same and show more than an empty terminal.
settle() {
    local previous="" current
    for _ in $(seq "${1:-8}"); do
        current=$(timeout 10 import -window "$window" rgb:- | cksum) || true
        [ "$current" = "$previous" ] && [ "$(timeout 10 import -window "$window" png:- | identify -format %k -)" -gt 4 ] && return
        previous=$current
        sleep 0.25
    done
}

press() { for key in "$@"; do xdotool key "$key"; sleep 0.15; done; }

# shoot FILE: takes a picture of the terminal.
shoot() {
    settle
    timeout 10 import -window "$window" "$1"
}

# version PROGRAM: the name of a terminal or of tmux with its version, such as kitty0.26.5.
version() {
    case ${1##*/} in
        xterm*) echo "$1$(xterm -version | tr -dc 0-9)" ;;
        tmux*) echo "tmux$("$1" -V | cut -d ' ' -f 2)" ;;
        *) echo "${1##*/}$("$1" --version | grep -o '[0-9][0-9.]*' | head -1)" ;;
    esac
}
