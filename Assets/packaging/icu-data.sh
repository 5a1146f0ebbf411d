#!/bin/sh
# Creates FOLDER/icu-data.ld, which makes the linker use a small package of this toolchain's ICU data: icu-data.sh SWIFT FOLDER.
#
# If that is impossible (another system, a toolchain without static libraries) the script is empty, and the program contains the
# complete package: larger, but otherwise the same.
set -eu
swift=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
resources=$($swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
library=${resources}_static/linux/lib_FoundationICU.a
compiler=$(dirname "$(dirname "$resources")")/bin/clang
[ -x "$compiler" ] || compiler=clang
mkdir -p "$folder"
stamp="$library $(stat -c '%s %Y' "$library" 2>/dev/null || true) $(cksum <"$here/icu-data.swift")"
if [ -f "$folder/icu-data.ld" ] && [ "$(cat "$folder/stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi
if [ -f "$library" ] &&
    "${compiler%clang}swiftc" -swift-version 6 -O "$here/icu-data.swift" -o "$folder/icu-data" &&
    "$folder/icu-data" "$library" "$folder" && "$compiler" -c "$folder/icu-data.s" -o "$folder/icu-data.o"; then
    :
else
    echo "icu-data.sh: the whole of ICU's data is linked" >&2
    echo '/* The whole of ICU'"'"'s data. */' >"$folder/icu-data.ld"
fi
printf '%s' "$stamp" >"$folder/stamp"
