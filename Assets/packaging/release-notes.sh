#!/bin/sh
# Prints the notes of this version from CHANGELOG.md. Fails if the version has no date yet, or a package names another.
set -eu
. "$(dirname "$0")/project.sh"
changelog=$(dirname "$0")/../../CHANGELOG.md
grep -qE "^## $version \([0-9]{4}-[0-9]{2}-[0-9]{2}\)\$" "$changelog" ||
    { echo "release-notes.sh: write '## $version ($(date +%Y-%m-%d))' into CHANGELOG.md" >&2; exit 1; }
for file in arch/PKGBUILD homebrew/tappa.rb nix/default.nix; do
    grep -qE "(pkgver=|tag: \"v|version = \")$version" "$(dirname "$0")/$file" ||
        { echo "release-notes.sh: $file names another version than $version" >&2; exit 1; }
done
awk -v version="$version" '/^## / { prints = $2 == version; next } prints' "$changelog"
