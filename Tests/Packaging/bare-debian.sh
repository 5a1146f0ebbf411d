#!/bin/sh
# Installs a package of tappa on a bare Debian 12 that debootstrap makes in a folder, uses it there, and takes it away again:
# bare-debian.sh PACKAGE.deb. As root; the packages come from the mirror that DEBIAN_MIRROR names.
set -eu
package=$1
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "debootstrap needs root"; exit 1; }
command -v debootstrap >/dev/null || apt-get install -q -y --no-install-recommends debootstrap >/dev/null
root=$(mktemp -d)
# The arguments of a program come from /proc.
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/tappa.deb"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
fails() { echo "bare-debian.sh: $1"; exit 1; }

inside find / -xdev -type f -o -xdev -type l | grep -vE '^/(proc|sys|dev|var/(cache|lib|log)|tmp|root)' | sort >"$root/before"
inside apt-get update -q >/dev/null 2>&1
inside apt-get install -q -y --no-install-recommends /tappa.deb >/dev/null 2>&1 || fails "it cannot be installed"
inside tappa --version
inside tappa doctor | grep '^!' | grep -v TERM && fails "the doctor finds faults"
cat >"$root/feed.xml" <<'FEED'
<rss version="2.0"><channel><title>Bare</title><item><title>One entry</title><guid>1</guid></item></channel></rss>
FEED
inside tappa add --as-is file:///feed.xml >/dev/null || fails "no feed can be added"
inside tappa reload --quiet file:///feed.xml 2>/dev/null || inside tappa reload >/dev/null 2>&1 || true
inside tappa search entry | grep -q 'One entry' || fails "the entry is not found"
inside tappa stages | grep -q . || fails "the races that come with it are not found"
inside tappa parse /feed.xml | grep -q 'One entry' || fails "a feed cannot be read"
inside test -s /usr/share/man/man1/tappa.1.gz -o -s /usr/share/man/man1/tappa.1 || echo "(this system leaves manual pages out)"
inside apt-get purge -q -y tappa >/dev/null
inside apt-get autoremove -q -y --purge >/dev/null
inside find / -xdev -type f -o -xdev -type l | grep -vE '^/(proc|sys|dev|var/(cache|lib|log)|tmp|root|before|feed.xml)' | sort >"$root/after"
left=$(grep -i tappa "$root/after" | grep -v '^/tappa.deb' || true)
[ -z "$left" ] || fails "it leaves: $left"
echo "installed, used and taken away again on a bare Debian 12"
