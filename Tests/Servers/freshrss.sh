#!/bin/sh
# Holds tappa against a real FreshRSS: its source is laid out in a temporary folder, and served by PHP on loopback.
#
#     Tests/Servers/freshrss.sh SOURCE PROGRAM
#
# SOURCE is a copy of FreshRSS's repository, PROGRAM the built tappa. Without them, or without PHP and its modules (php-cli,
# php-sqlite3, php-curl, php-xml, php-mbstring, php-zip, php-intl), it says so and ends with 77, as skipped tests do.
# With SERVE=1 it goes on serving until it is ended, and says where.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
in_php "FreshRSS" "${1:-}" "${2:-}"

folder=$(mktemp -d)
port=${PORT:-8792}
servers=""
trap 'kill $servers 2>/dev/null || true; rm -rf "$folder"' EXIT INT TERM
if [ -d "$source/p" ]; then cp -r "$source" "$folder/f"; else git clone -q "$source" "$folder/f"; fi

# Beside these the server follows one of its own makers.
serve_feeds

cd "$folder/f"
log="$folder/log"
{
    php cli/prepare.php
    php cli/do-install.php --default-user=alice --auth-type=form --base-url="http://127.0.0.1:$port/p/" --api-enabled --db-type=sqlite
    php cli/create-user.php --user=alice --password=password1 --api-password=secret12
    cat > "$folder/list.opml" <<OPML
<opml version="2.0"><body><outline text="News"><outline type="rss" text="Feed one" xmlUrl="http://127.0.0.1:$((port + 1))/one.xml"/></outline></body></opml>
OPML
    php cli/import-for-user.php --user=alice --filename="$folder/list.opml"
    php cli/actualize-user.php --user=alice
} > "$log" 2>&1 || { cat "$log"; exit 1; }
php -S "127.0.0.1:$port" >/dev/null 2>&1 &
servers="$servers $!"
sleep 1

password=secret12
mkdir "$folder/home1" "$folder/home2"
machine=1
tappa account add home "http://127.0.0.1:$port" --user alice | tee "$folder/added"
expect "the kind is found" "$(head -1 "$folder/added")" "added home: FreshRSS at http://127.0.0.1:$port/p/api/greader.php"
expect "all entries come" "$(tail -1 "$folder/added")" "home	300 new, 0 sent"
machine=2
tappa account add home "http://127.0.0.1:$port/p/" --user alice >/dev/null
expect "on the second machine too" "$(tappa list | grep -c '300/300	Feed one')" 1
expect "nothing new" "$(tappa account sync)" "home	0 new, 0 sent"

machine=1
mark is_read read 250
mark is_starred starred 30
expect "marks wait" "$(tappa status --format '{pending}')" 280
expect "marks are sent" "$(tappa account sync)" "home	0 new, 280 sent"
expect "none is left" "$(tappa account outbox)" ""
machine=2
expect "they reach the other machine" "$(tappa account sync >/dev/null; tappa list | grep -c '50/300	Feed one')" 1
expect "stars too" "$(library 'SELECT count(*) FROM entry WHERE is_starred')" 30

machine=1
mark is_later later 4
expect "labels are sent" "$(tappa account sync)" "home	0 new, 4 sent"
expect "and kept" "$(tappa account outbox)" ""
machine=2
library 'UPDATE account SET last_whole = 0'
expect "another machine finds them" "$(tappa account sync >/dev/null; library 'SELECT count(*) FROM entry WHERE is_later')" 4

# Tags of entries are the server's labels; one has the name of a folder there, of which nothing can be asked.
machine=1
entry() { tappa search "title:\"one $1\"" --json | sed -n 's/.*"id" *: *\([0-9]*\).*/\1/p' | head -1; }
tags() { library 'SELECT group_concat(tag) FROM (SELECT tag FROM entry_tag ORDER BY tag)'; }
tappa tag "$(entry 300)" "+wind tunnel" "+römer & co/ü" +News
expect "tags are sent" "$(tappa account sync)" "home	0 new, 3 sent"
expect "and kept, or taken at their word" "$(tappa account outbox; tappa status --format '{pending}')" 0
machine=2
expect "tags reach the other machine" "$(tappa account sync >/dev/null; tags)" "römer & co/ü,wind tunnel"
tappa tag "$(entry 300)" "^wind tunnel"
expect "one is taken away" "$(tappa account sync)" "home	0 new, 1 sent"
machine=1
expect "on the first machine too" "$(tappa account sync >/dev/null; tags)" "News,römer & co/ü"

machine=2
tappa add --as-is "http://127.0.0.1:$((port + 1))/two.xml" >/dev/null
tappa reload >/dev/null || true
given=$(tappa account give home "http://127.0.0.1:$((port + 1))/two.xml" | tail -1)
expect "a feed is handed over" "${given##*; }" "home 3 feeds, 305 entries, 55 unread, 30 starred"
machine=1
expect "it comes to the first machine" "$(tappa account sync >/dev/null; tappa list | grep -c '5/5	Feed two')" 1
expect "its entries are there once" "$(tappa account list --json | grep -c '"feeds" *: *3')" 1
machine=2
taken=$(tappa account take home "http://127.0.0.1:$((port + 1))/two.xml" | tail -1)
expect "it is taken back" "${taken##*; }" "home 2 feeds, 300 entries, 50 unread, 30 starred"
machine=1
expect "and goes from the first" "$(tappa account sync >/dev/null; tappa list | grep -c 'two')" 0

# The same server through its Fever API, on a third machine.
machine=3
mkdir "$folder/home3"
tappa account add home "http://127.0.0.1:$port/p/api/fever.php" --user alice | tee "$folder/added"
expect "its Fever API is found" "$(head -1 "$folder/added")" "added home: Fever API at http://127.0.0.1:$port/p/api/fever.php"
expect "with what is unread or starred" "$(library 'SELECT sum(NOT is_read), sum(is_starred) FROM entry')" "50|30"
mark is_read read 20
mark is_starred starred 5 0
expect "Fever's marks are sent" "$(tappa account sync)" "home	0 new, 25 sent"
expect "and confirmed" "$(tappa account sync; tappa account outbox; tappa status --format '{pending}')" "home	0 new, 0 sent
0"
machine=1
expect "they reach the first machine" "$(tappa account sync >/dev/null; library 'SELECT sum(NOT is_read), sum(is_starred) FROM entry')" "30|25"
if [ "${SERVE:-}" = 1 ]; then echo "serving at http://127.0.0.1:$port, alice, secret12"; wait; fi
