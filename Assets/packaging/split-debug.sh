#!/bin/sh
# Splits a program into one without debug information and a debug file beside it: split-debug.sh PROGRAM FOLDER.
#
# Both have the same build id: gdb -s tappa.debug tappa. The program has no link to the debug file, whose content depends on the folder
# of the build. Without objcopy (binutils) the program is copied unchanged.
set -eu
program=$1
folder=$2
name=$(basename "$program")
mkdir -p "$folder"
[ -n "$(find "$program" -newer "$folder/$name" 2>&1)" ] || exit 0
objcopy=$(command -v objcopy || command -v llvm-objcopy || true)
if [ -z "$objcopy" ]; then
    cp "$program" "$folder/$name"
    exit 0
fi
"$objcopy" --only-keep-debug "$program" "$folder/$name.debug"
"$objcopy" --strip-all "$program" "$folder/$name.new"
mv "$folder/$name.new" "$folder/$name"
