#!/bin/sh
# Records the files of a user of this release, and what its program prints about them: release-fixture.sh PROGRAM FOLDER.
#
# Writes FOLDER/VERSION.tar.gz. Every later version must open it and print the same (OpensEveryRelease).
set -eu
program=$(readlink -f "$1")
folder=$2
version=$("$program" --version | awk 'NR == 1 { print $2 }')
home=/tmp/tappa-release
rm -rf "$home"
mkdir "$home"
trap 'tmux -L tappa-fixture kill-server 2>/dev/null || true; rm -rf "$home"' EXIT
tappa() { env -i HOME="$home" PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm-256color "$program" "$@"; }

mkdir -p "$home/.config/tappa/themes"
cat >"$home/.config/tappa/config.toml" <<'TOML'
[feeds]
refresh = 45
[keys]
"entry.toggleStar" = ["S", ", a"]
[[rules]]
name = "work"
when = "title:third"
then = ["tag work", "later"]
[[commands]]
name = "count"
sh = "wc -w"
input = "markdown"
mode = "output"
TOML
entry() { printf '<item><guid>%s</guid><title>The %s entry</title><link>https://a.example/%s</link>' "$1" "$2" "$1"
    printf '<pubDate>%s Nov 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;Text %s&lt;/p&gt;</description></item>' "$1" "$1"; }
feed() { printf '<rss version="2.0"><channel><title>News</title><link>https://a.example/</link>%s</channel></rss>' "$1" >"$home/feed.xml"; }
feed "$(entry 1 first)$(entry 2 second)"
cat >"$home/race.json" <<'JSON'
{"race": "Volta", "year": 2026, "stages": [
  {"number": 1, "date": "2026-05-10", "start": "Porto", "finish": "Lisbon", "distance": 150.5}]}
JSON
tappa add --as-is "file://$home/feed.xml" >/dev/null
feed "$(entry 1 first)$(entry 2 second)$(entry 3 third)"
# Without a terminal, the feed wouldn't be due yet.
env -i HOME="$home" PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm script -qec "$program reload" /dev/null >/dev/null
id() { tappa search --json "title:$1" | sed -n 's/^ *"id": \([0-9]*\),*$/\1/p' | head -1; }
tappa mark starred "$(id first)"
tappa mark read "$(id second)"
tappa tag "$(id second)" +home
tappa race import "$home/race.json" >/dev/null
# A dashboard leaves the state of its pane, and a setting that was changed in the program.
env -i HOME="$home" PATH=/usr/bin:/bin LANG=C.UTF-8 tmux -L tappa-fixture -f /dev/null new-session -d -x 100 -y 30 "$program"
sleep 2
tmux -L tappa-fixture send-keys Tab; sleep 1; tmux -L tappa-fixture send-keys q; sleep 2
rm -f "$home/feed.xml" "$home/race.json" "$home"/.local/share/tappa/*-shm
{
    for words in 'search is:starred' 'search is:read' 'search tag:home' 'search tag:work' 'search is:later' list 'rules list' \
        'config --here' 'stages --race volta-2026' check; do
        # shellcheck disable=SC2086
        printf '== %s\n' "$words"; tappa $words
    done
} >"$home/expected.txt" 2>/dev/null
mkdir -p "$folder"
tar --create --sort=name --owner=0 --group=0 --directory="$home" . | gzip -9n >"$folder/$version.tar.gz"
