# What the scripts that hold tappa against real servers share. They set: folder, port, program, password, machine.

skip() { echo "skipped: $1"; exit 77; }

# Sets source and program for a server in PHP, or skips the script if something is missing.
in_php() { # NAME SOURCE PROGRAM
    [ -n "$2" ] && [ -d "$2" ] || skip "there is no copy of $1"
    [ -x "$3" ] || skip "there is no program"
    command -v php >/dev/null || skip "there is no PHP"
    command -v sqlite3 >/dev/null || skip "there is no sqlite3"
    source=$2 program=$(realpath "$3")
}

# Serves a feed of 300 entries and one to follow later by PHP, on the port after the server's.
serve_feeds() {
    feed one 300
    feed two 5
    php -S 127.0.0.1:$((port + 1)) -t "$folder/feeds" >/dev/null 2>&1 &
    servers="$!"
}

# A feed with so many entries, as a file of the folder's.
feed() { # NAME COUNT
    mkdir -p "$folder/feeds"
    {
        echo "<rss version='2.0'><channel><title>Feed $1 &amp; more</title><link>http://127.0.0.1/</link>"
        n=1
        while [ $n -le "$2" ]; do
            echo "<item><title>$1 $n</title><link>http://example.org/$1/$n</link><guid>$1-$n</guid><description>Text of $n</description></item>"
            n=$((n + 1))
        done
        echo "</channel></rss>"
    } > "$folder/feeds/$1.xml"
}

# tappa on one of the machines, and its library.
tappa() { HOME="$folder/home$machine" TAPPA_PASSWORD_HOME=$password "$program" "$@"; }
library() { sqlite3 "$folder/home$machine/.local/share/tappa/library.sqlite" "$1"; }

# Gives the newest entries a mark, or takes it (0), as the program's own change does, which has no command: their value, and a row in
# the outbox.
mark() { # COLUMN MARK COUNT [VALUE]
    library "
        CREATE TEMP TABLE marked AS SELECT r.entry_id AS id FROM remote_entry r JOIN entry e ON e.id = r.entry_id
            WHERE e.$1 <> ${4:-1} ORDER BY r.remote_id DESC LIMIT $3;
        UPDATE entry SET $1 = ${4:-1} WHERE id IN (SELECT id FROM marked);
        INSERT INTO pending_mark (account_id, entry_id, mark, value, created)
            SELECT 1, id, '$2', ${4:-1}, unixepoch() FROM marked;"
}

expect() { # WHAT GOT WANTED
    if [ "$2" = "$3" ]; then echo "ok: $1"; else echo "NOT OK: $1: got '$2', wanted '$3'"; exit 1; fi
}
