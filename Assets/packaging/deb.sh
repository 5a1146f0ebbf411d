#!/bin/sh
# Builds a Debian package of an installation below a folder: deb.sh FOLDER OUTPUT-FOLDER.
#
# The package depends on the libraries that the program is linked with here, in their versions, and on libcurl.
set -eu
. "$(dirname "$0")/project.sh"
# Debian's folders with ldconfig aren't in everyone's path.
export PATH="$PATH:/usr/sbin:/sbin"
output=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/package
cp -a "$1" "$root"
program=$root/usr/bin/tappa
# The libraries differ between releases of the system, so their packages have versions of their own.
version=$version-1~$(. /etc/os-release && echo "${VERSION_CODENAME:-$ID}")
architecture=$(dpkg --print-architecture)

# dpkg-shlibdeps wants a control file in the folder debian below the working folder.
mkdir "$work/debian"
printf 'Source: tappa\n\nPackage: tappa\nArchitecture: any\n' >"$work/debian/control"
linked=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$program" | sed -n 's/^shlibs:Depends=//p')
[ -n "$linked" ] || { echo "deb.sh: dpkg-shlibdeps found no libraries" >&2; exit 1; }

# The program opens libcurl itself, so the linker doesn't know about it.
library=$(ldconfig -p | awk '$1 == "libcurl.so.4" { print $NF; exit }')
curl=$(dpkg-query -S "$(readlink -f "$library")" | head -1 | cut -d: -f1)
curl_version=$(dpkg-query -W -f '${Version}' "$curl" | sed 's/-.*//')
depends="$linked, $curl (>= $curl_version), ncurses-base"

# Debian's policy: manual pages and the changelog are compressed, and the copyright has a file of its own.
documents=$root/usr/share/doc/tappa
gzip -9nf "$root/usr/share/man/man1/tappa.1"
mv "$documents/CHANGELOG.md" "$documents/changelog" && gzip -9nf "$documents/changelog"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n'
    printf 'Upstream-Name: tappa\n\nFiles: *\nCopyright: %s\nLicense: Expat\n' \
        "$(sed -n 's/^Copyright (c) //p' "$documents/LICENSE")"
    sed '1,/^Copyright/d; 1d' "$documents/LICENSE" | sed '/./,$!d; s/^$/./; s/^/ /'
} >"$documents/copyright"
rm "$documents/LICENSE"
mkdir -p "$root/DEBIAN" "$output"
cat > "$root/DEBIAN/control" <<CONTROL
Package: tappa
Version: $version
Section: net
Priority: optional
Architecture: $architecture
Maintainer: $maintainer
Homepage: $home_page
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
Depends: $depends
Recommends: tmux
Suggests: mpv, libsecret-tools
Description: RSS reader and bike-race tracker for the terminal
 A dashboard for people who live in tmux: news feeds (RSS, Atom, JSON Feed)
 with rules, searches and sync, stage races with pictures, maps and standings,
 and settings, in panes of every size.
CONTROL
dpkg-deb --root-owner-group --build "$root" "$output/tappa_${version}_$architecture.deb"
