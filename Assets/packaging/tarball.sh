#!/bin/sh
# Packs an installation below a folder for any Linux: tarball.sh FOLDER OUTPUT-FOLDER.
#
# The same files and SOURCE_DATE_EPOCH give the same bytes.
set -eu
. "$(dirname "$0")/project.sh"
root=$(cd "$1/usr" && pwd)
output=$2
name=tappa-$version-linux-$(uname -m)
glibc=$(objdump -T "$root/bin/tappa" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
{
    echo "tappa needs these libraries, $glibc or newer, and a terminal:"
    echo
    linked "$root/bin/tappa"
    echo "libcurl.so.4 (opened when something is fetched)"
    echo
    echo "Copy bin and share to one folder, such as ~/.local or /usr/local."
} >"$root/LIBRARIES"
mkdir -p "$output"
tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode='u+w,go-w' \
    --directory="$root" --transform="s,^\.,$name," . | gzip -9n >"$output/$name.tar.gz"
rm "$root/LIBRARIES"
echo "$output/$name.tar.gz"
