#!/bin/sh
# Holds tappa against a real Miniflux, by its own API and by the Google Reader API, on a database of its own, on loopback.
#
#     Tests/Servers/miniflux.sh MINIFLUX PROGRAM
#
# MINIFLUX is its program (Debian 13 has a package), PROGRAM the built tappa. Without them, or without pg_virtualenv (of
# postgresql-common, with postgresql), python3 or sqlite3, it says so and ends with 77, as skipped tests do.
set -eu
miniflux=${1:-} program=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
[ -x "$miniflux" ] || skip "there is no Miniflux"
[ -x "$program" ] || skip "there is no program"
program=$(realpath "$program")
for tool in pg_virtualenv python3 sqlite3 curl; do command -v $tool >/dev/null || skip "there is no $tool"; done
[ -n "${PGHOST:-}" ] || exec pg_virtualenv -t sh "$0" "$miniflux" "$program"

folder=$(mktemp -d)
port=${PORT:-8794}
servers=""
trap 'kill $servers 2>/dev/null || true; rm -rf "$folder"' EXIT INT TERM
feed one 300
feed two 5
feeds="http://127.0.0.1:$((port + 1))"
python3 -m http.server --bind 127.0.0.1 --directory "$folder/feeds" $((port + 1)) >/dev/null 2>&1 &
servers="$!"

createdb miniflux
# Its driver does not know this variable, and ends there.
unset PGSYSCONFDIR
DATABASE_URL="postgres://$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/miniflux?sslmode=disable" LISTEN_ADDR="127.0.0.1:$port" RUN_MIGRATIONS=1 \
    CREATE_ADMIN=1 ADMIN_USERNAME=alice ADMIN_PASSWORD=password1 "$miniflux" > "$folder/log" 2>&1 &
servers="$servers $!"
api() { curl -s -u alice:password1 "http://127.0.0.1:$port/v1/$1" ${2:+-X "$2"} ${3:+--data-binary "$3"}; }
tries=0
until api me | grep -q alice; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { cat "$folder/log"; exit 1; }
    sleep 0.2
done
psql -q miniflux -c "CREATE EXTENSION IF NOT EXISTS pgcrypto" -c "UPDATE integrations SET googlereader_enabled = true,
    googlereader_username = 'alice', googlereader_password = crypt('secret12', gen_salt('bf'))"
api import POST "<opml version='2.0'><body><outline text='News'><outline type='rss' text='Feed one' xmlUrl='$feeds/one.xml'/></outline></body></opml>" \
    >/dev/null
api feeds/refresh PUT
tries=0
until api "entries?limit=1" | grep -q '"total":300'; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || { cat "$folder/log"; exit 1; }
    sleep 0.2
done

# Machines 1 and 2 speak its own API, machine 3 the Google Reader API, which has a password of its own.
mkdir "$folder/home1" "$folder/home2" "$folder/home3"
on() { machine=$1; case $1 in 3) password=secret12 ;; *) password=password1 ;; esac; }
count() { library "SELECT sum(is_read) || ' ' || sum(is_starred) FROM entry"; }
everywhere() { # WHAT WANTED
    for number in 1 2 3; do
        on $number
        tappa account sync >/dev/null
        expect "$1, on machine $number" "$(count)" "$2"
    done
}
kind=Miniflux
for number in 1 2 3; do
    on $number
    [ $number != 3 ] || kind="Google Reader API"
    tappa account add home "http://127.0.0.1:$port" --user alice > "$folder/added"
    expect "the kind is found" "$(head -1 "$folder/added")" "added home: $kind at http://127.0.0.1:$port"
    expect "all entries come" "$(tail -1 "$folder/added")" "home	300 new, 0 sent"
    expect "nothing else does" "$(tappa list)" "300/300	Feed one	$feeds/one.xml"
done

on 1
mark is_read read 250
mark is_starred starred 30
expect "marks are sent" "$(tappa account sync)" "home	0 new, 280 sent"
expect "none is left" "$(tappa account outbox)" ""
everywhere "marks arrive" "250 30"
on 3
mark is_read read 20
mark is_starred starred 5
expect "those of the other API too" "$(tappa account sync)" "home	0 new, 25 sent"
everywhere "they arrive" "270 35"
on 2
mark is_starred starred 7 0
mark is_read read 3 0
expect "marks are taken away" "$(tappa account sync)" "home	0 new, 10 sent"
everywhere "everywhere" "267 28"
expect "the server says so" "$(api 'entries?starred=true&limit=1' | cut -c1-11)" '{"total":28'

on 2
tappa add --as-is "$feeds/two.xml" >/dev/null
given=$(tappa account give home "$feeds/two.xml" | tail -1)
expect "a feed is handed over" "${given##*; }" "home 2 feeds, 305 entries, 38 unread, 28 starred"
everywhere "it comes to all" "267 28"
expect "once" "$(tappa list | grep -c '5/5	Feed two')" 1
on 3
taken=$(tappa account take home "$feeds/two.xml" | tail -1)
expect "it is taken back" "${taken##*; }" "home 1 feed, 300 entries, 33 unread, 28 starred"
on 1
expect "and goes from the others" "$(tappa account sync >/dev/null; tappa list | grep -c two)" 0
