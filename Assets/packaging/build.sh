#!/bin/sh
# Builds with SwiftPM and prints a line for each phase: build.sh ESTIMATE SWIFT build ARGUMENT….
#
# ESTIMATE is the time of a first build on two idle cores. The output always goes through a pipe, because SwiftPM passes other options
# to the compiler in a terminal, and would compile everything again. Errors and warnings are printed, the rest is in .build/build.log.
set -u
estimate=$1
shift
folder=$(pwd)/.build
mkdir -p "$folder/temporary"
[ -e "$folder/checkouts" ] || echo "Fetching Swift packages: a few seconds."
begun=$folder/begun-$(echo "$@" | cksum | cut -d ' ' -f 1)
[ -e "$begun" ] && echo "Compiling what has changed." || echo "Compiling everything: $estimate on two idle cores."
: >"$begun"
{ TMPDIR=$folder/temporary "$@" 2>&1; echo $? >"$folder/status"; } | tee "$folder/build.log" | grep -aE '(error|warning): ' | sort -u
status=$(cat "$folder/status")
rm -rf "$folder/temporary" "$folder/status"
[ "$status" = 0 ] || { tail -n 5 "$folder/build.log"; echo "The build failed. Its complete output is in .build/build.log."; }
exit "$status"
