#!/bin/sh
# Installs a package of tappa on a minimal Debian created by debootstrap, uses it, and removes it: bare-debian.sh PACKAGE.deb [SUITE].
#
# Needs root. Packages come from the mirror in DEBIAN_MIRROR.
set -eu
package=$1
suite=${2:-bookworm}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "debootstrap needs root"; exit 1; }
command -v debootstrap >/dev/null || apt-get install -q -y --no-install-recommends debootstrap >/dev/null
root=$(mktemp -d)
# Programs read their arguments from /proc.
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/tappa.deb"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
fails() { echo "bare-debian.sh: $1"; exit 1; }

inside find / -xdev -type f -o -xdev -type l | grep -vE '^/(proc|sys|dev|var/(cache|lib|log)|tmp|root)' | sort >"$root/before"
inside apt-get update -q >/dev/null 2>&1
inside apt-get install -q -y --no-install-recommends /tappa.deb >/dev/null 2>&1 || fails "the package can't be installed"
inside tappa --version
inside tappa doctor | grep '^!' | grep -v TERM && fails "tappa doctor reports faults"
cat >"$root/feed.xml" <<'FEED'
<rss version="2.0"><channel><title>Bare</title><item><title>One entry</title><guid>1</guid></item></channel></rss>
FEED
inside tappa add --as-is file:///feed.xml >/dev/null || fails "adding a feed fails"
inside tappa reload --quiet file:///feed.xml 2>/dev/null || inside tappa reload >/dev/null 2>&1 || true
inside tappa search entry | grep -q 'One entry' || fails "the search doesn't find the entry"
inside tappa stages | grep -q . || fails "the bundled races are missing"
inside tappa parse /feed.xml | grep -q 'One entry' || fails "parsing a feed fails"
inside test -s /usr/share/man/man1/tappa.1.gz || echo "(this system excludes manual pages)"
inside test -s /usr/share/doc/tappa/copyright || fails "the copyright file is missing"
inside apt-get purge -q -y tappa >/dev/null
inside apt-get autoremove -q -y --purge >/dev/null
inside find / -xdev -type f -o -xdev -type l | grep -vE '^/(proc|sys|dev|var/(cache|lib|log)|tmp|root|before|feed.xml)' | sort >"$root/after"
left=$(grep -i tappa "$root/after" | grep -v '^/tappa.deb' || true)
[ -z "$left" ] || fails "files remain after removal: $left"
echo "installed, used and removed on a minimal Debian ($suite)"
