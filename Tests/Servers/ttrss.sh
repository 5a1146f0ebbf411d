#!/bin/sh
# Holds tappa against a real Tiny Tiny RSS: its source is laid out in a temporary folder, and served by PHP on loopback, with a
# PostgreSQL of its own.
#
#     Tests/Servers/ttrss.sh SOURCE PROGRAM
#
# SOURCE is a copy of Tiny Tiny RSS's repository, PROGRAM the built tappa. Without them, or without PHP and its modules (php-cli,
# php-pgsql, php-curl, php-xml, php-mbstring, php-intl), PostgreSQL and sqlite3, it says so and ends with 77, as skipped tests do. A
# superuser needs the account postgres, since PostgreSQL refuses to run as one. With SERVE=1 it goes on serving until it is ended.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
in_php "Tiny Tiny RSS" "${1:-}" "${2:-}"
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
command -v initdb >/dev/null || skip "there is no PostgreSQL"

folder=$(mktemp -d)
port=${PORT:-8795}
servers=""
as() { if [ "$(id -u)" = 0 ]; then su -s /bin/sh postgres -c "PATH='$PATH'; $1"; else sh -c "$1"; fi; }
trap 'kill $servers 2>/dev/null || true; as "pg_ctl -D $folder/pg -m immediate stop" >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT INT TERM
if [ -d "$source/classes" ]; then cp -r "$source" "$folder/t"; else git clone -q "$source" "$folder/t"; fi

serve_feeds

cat > "$folder/t/config.php" <<CONFIG
<?php
putenv('TTRSS_DB_HOST=127.0.0.1'); putenv('TTRSS_DB_PORT=$((port + 2))'); putenv('TTRSS_DB_NAME=ttrss');
putenv('TTRSS_DB_USER=tappa'); putenv('TTRSS_DB_PASS=tappa');
putenv('TTRSS_SELF_URL_PATH=http://127.0.0.1:$port'); putenv('TTRSS_PHP_EXECUTABLE=$(command -v php)');
// Feeds on loopback.
putenv('IS_INTEGRATION_TESTING=1');
CONFIG
cat > "$folder/list.opml" <<OPML
<opml version="2.0"><head><title>x</title></head><body><outline text="News"><outline type="rss" text="Feed one" xmlUrl="http://127.0.0.1:$((port + 1))/one.xml"/></outline></body></opml>
OPML
# Tiny Tiny RSS refuses to run as a superuser too.
mkdir "$folder/pg"
chmod 755 "$folder"
if [ "$(id -u)" = 0 ]; then chown -R postgres "$folder/pg" "$folder/t"; fi
tt() { as "cd $folder/t && php update.php $*"; }
{
    as "initdb -D $folder/pg -A trust -E UTF8 --locale=C.UTF-8"
    as "pg_ctl -D $folder/pg -o '-p $((port + 2)) -h 127.0.0.1 -k $folder/pg -c fsync=off' -l $folder/pg/log -w start"
    as "psql -h 127.0.0.1 -p $((port + 2)) -d postgres -c 'CREATE ROLE tappa SUPERUSER LOGIN' -c 'CREATE DATABASE ttrss'"
    tt --update-schema=force-yes
    tt --user-set-password admin:secret12
    tt --user-enable-api admin:true
    tt --opml-import "admin:$folder/list.opml"
    tt --update-feed 1
} > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
as "cd $folder/t && { php -S 127.0.0.1:$port >/dev/null 2>&1 & echo \$! > $folder/pg/php.pid; }"
servers="$servers $(cat "$folder/pg/php.pid")"
sleep 1
sql() { psql -h 127.0.0.1 -p $((port + 2)) -U tappa ttrss -Atc "$1"; }

password=secret12
mkdir "$folder/home1" "$folder/home2"
machine=1
tappa account add home "http://127.0.0.1:$port" --user admin | tee "$folder/added"
expect "the kind is found" "$(head -1 "$folder/added")" "added home: Tiny Tiny RSS at http://127.0.0.1:$port/api/"
expect "all entries come" "$(tail -1 "$folder/added")" "home	300 new, 0 sent"
expect "in their folder" "$(library "SELECT title || ' in ' || folder FROM subscription WHERE account_id IS NOT NULL")" "Feed one in News"
machine=2
tappa account add home "http://127.0.0.1:$port/api/" --user admin >/dev/null
expect "on the second machine too" "$(tappa list | grep -c '300/300	Feed one')" 1
expect "nothing new" "$(tappa account sync)" "home	0 new, 0 sent"

machine=1
mark is_read read 250
mark is_starred starred 30
expect "marks are sent" "$(tappa account sync)" "home	0 new, 280 sent"
expect "none is left" "$(tappa account outbox)" ""
expect "the server has them" "$(sql 'SELECT count(*) FILTER (WHERE unread), count(*) FILTER (WHERE marked) FROM ttrss_user_entries')" "50|30"
machine=2
expect "they reach the other machine" "$(tappa account sync >/dev/null; library 'SELECT sum(NOT is_read), sum(is_starred) FROM entry')" "50|30"
mark is_read read 10 0
expect "marks are taken away" "$(tappa account sync)" "home	0 new, 10 sent"
machine=1
expect "on the first machine too" "$(tappa account sync >/dev/null; library 'SELECT sum(NOT is_read) FROM entry')" 60

# A label that exists there, and one that comes later.
sql "INSERT INTO ttrss_labels2 (caption, owner_uid) VALUES ('wind tunnel', 1)" >/dev/null
entry() { library "SELECT id FROM entry WHERE title = 'one $1'"; }
tags() { library 'SELECT group_concat(tag) FROM (SELECT tag FROM entry_tag ORDER BY tag)'; }
tappa tag "$(entry 300)" "+wind tunnel" "+römer & co"
expect "tags are sent" "$(tappa account sync)" "home	0 new, 2 sent"
expect "one waits for its label" "$(tappa account | grep -c "'römer & co' stays on this machine until the server has such a label")" 1
sql "INSERT INTO ttrss_labels2 (caption, owner_uid) VALUES ('römer & co', 1)" >/dev/null
tappa account sync >/dev/null
tappa account sync >/dev/null
expect "and is sent once it exists" "$(tappa account sync; tappa account outbox; tags)" "home	0 new, 0 sent
römer & co,wind tunnel"
machine=2
library 'UPDATE account SET last_whole = 0'
expect "tags reach the other machine" "$(tappa account sync >/dev/null; tags)" "römer & co,wind tunnel"

machine=2
tappa add --as-is "http://127.0.0.1:$((port + 1))/two.xml" >/dev/null
tappa reload >/dev/null || true
tappa account give home "http://127.0.0.1:$((port + 1))/two.xml" >/dev/null
expect "a feed is handed over" "$(sql 'SELECT count(*) FROM ttrss_feeds')" 2
tt --update-feed 2 >/dev/null 2>&1
machine=1
expect "its entries come" "$(tappa account sync)" "home	5 new, 0 sent"
machine=2
expect "and are there once" "$(tappa account sync >/dev/null; library "SELECT count(*) FROM entry WHERE title LIKE 'two %'")" 5
tappa account take home "http://127.0.0.1:$((port + 1))/two.xml" >/dev/null
expect "it is taken back" "$(sql 'SELECT count(*) FROM ttrss_feeds')" 1
machine=1
expect "and goes from the first" "$(tappa account sync >/dev/null; tappa list | grep -c 'two')" 0
if [ "${SERVE:-}" = 1 ]; then echo "serving at http://127.0.0.1:$port, admin, secret12"; wait; fi
