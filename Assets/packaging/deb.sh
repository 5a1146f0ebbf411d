#!/bin/sh
# Builds a Debian package of an installation below a folder: deb.sh FOLDER OUTPUT-FOLDER.
#
# The packages that it depends on are those that have the libraries that the program is linked with here, and libcurl, which it opens
# by itself.
set -eu
root=$1
output=$2
program=$root/usr/bin/tappa
version=$("$program" --version | awk 'NR == 1 { print $2 }')
architecture=$(dpkg --print-architecture)

owner_of() {
    dpkg-query -S "$1" 2>/dev/null | head -1 | cut -d: -f1
}

depends=$(
    {
        ldd "$program" | awk '$2 == "=>" { print $3 }' | while read -r library; do
            # Where /lib is a link, dpkg knows the file by one of its two names.
            package=$(owner_of "$library")
            [ -n "$package" ] || package=$(owner_of "$(readlink -f "$library")")
            [ -n "$package" ] || package=$(owner_of "/usr$library")
            [ -z "$package" ] || echo "$package"
        done
        echo libcurl4
        echo ncurses-base
    } | sort -u | paste -sd, | sed 's/,/, /g'
)
mkdir -p "$root/DEBIAN" "$output"
cat > "$root/DEBIAN/control" <<CONTROL
Package: tappa
Version: $version
Section: net
Priority: optional
Architecture: $architecture
Maintainer: The tappa authors <tappa@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $depends
Recommends: tmux
Suggests: mpv, libsecret-tools
Description: stage races, news feeds and settings in one terminal pane
 A segmented dashboard for people who live in tmux: stage races with
 pictures, maps and standings, news feeds (RSS, Atom, JSON Feed) with rules,
 searches and sync, and their settings, in panes of every size.
CONTROL
dpkg-deb --root-owner-group --build "$root" "$output/tappa_${version}_$architecture.deb"
