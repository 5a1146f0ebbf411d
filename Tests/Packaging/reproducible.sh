#!/bin/sh
# Builds a release of the last commit in two folders of different names and compares all bytes: reproducible.sh FOLDER.
set -eu
folder=$1
rm -rf "$folder"
mkdir -p "$folder"
for name in one another; do
    git clone -q . "$folder/$name"
    make -C "$folder/$name" release >"$folder/$name.log" 2>&1 || { tail "$folder/$name.log"; exit 1; }
done
cd "$folder"
differences=$(diff -rq one/.build/packages another/.build/packages) || { echo "$differences"; exit 1; }
cat one/.build/packages/*.sha256
echo "The same bytes in two folders."
