#!/usr/bin/env bash
# readme.sh PROGRAM FOLDER: takes the pictures of the README.
set -euo pipefail
program=$(realpath "$1")
folder=$2
. "$(dirname "$0")/terminals.sh"
need xterm
prepare
mkdir -p "$folder"

# picture NAME TERMINAL SIZE GROUND SEGMENT KEY…
picture() {
    local name=$1 terminal_program=$2 size=$3 ground=$4
    launch outside dashboard --segment "$5" --set feeds.refresh=0
    start "$terminal_program" "$size" "$ground"
    press "${@:6}"
    # Pictures in pixels come later than those in cells.
    sleep 5
    shoot "$folder/$name.png"
    stop
}

picture feeds xterm 120x34 dark feeds Return Return j
picture stages xterm-sixel 79x30 dark stages j j j j j j j j j j j j j j
picture narrow xterm 42x24 light feeds Return Return
