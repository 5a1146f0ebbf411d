import GRDB

/// Schema version 9: accounts on servers, the state of their entries, and the outbox.
extension Schema {
    static func ninth(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE account (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    name TEXT NOT NULL UNIQUE,
                    kind TEXT NOT NULL,
                    address TEXT NOT NULL,
                    user TEXT NOT NULL,
                    secret TEXT NOT NULL,
                    position INTEGER NOT NULL,
                    last_sync INTEGER,
                    error TEXT,
                    note TEXT,
                    failures INTEGER NOT NULL DEFAULT 0,
                    next_try INTEGER,
                    changed_since INTEGER,
                    last_whole INTEGER,
                    has_later INTEGER NOT NULL DEFAULT 0,
                    lock_owner TEXT,
                    locked_until INTEGER
                );
                CREATE TABLE remote_entry (
                    account_id INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    remote_id TEXT NOT NULL,
                    entry_id INTEGER,
                    PRIMARY KEY (account_id, remote_id)
                ) WITHOUT ROWID;
                CREATE INDEX remote_entry_entry ON remote_entry (entry_id) WHERE entry_id IS NOT NULL;
                CREATE TABLE remote_list (
                    account_id INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    remote_id TEXT NOT NULL,
                    is_unread INTEGER NOT NULL DEFAULT 0,
                    is_starred INTEGER NOT NULL DEFAULT 0,
                    is_later INTEGER NOT NULL DEFAULT 0,
                    is_wanted INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (account_id, remote_id)
                ) WITHOUT ROWID;
                CREATE INDEX remote_list_wanted ON remote_list (account_id, length(remote_id) DESC, remote_id DESC)
                    WHERE is_wanted = 1;
                CREATE TABLE pending_mark (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT,
                    account_id INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    entry_id INTEGER NOT NULL,
                    mark TEXT NOT NULL,
                    value INTEGER NOT NULL,
                    created INTEGER NOT NULL,
                    is_attempted INTEGER NOT NULL DEFAULT 0,
                    sent INTEGER,
                    tries INTEGER NOT NULL DEFAULT 0,
                    is_refused INTEGER NOT NULL DEFAULT 0,
                    UNIQUE (entry_id, mark)
                );
                CREATE TABLE pending_operation (
                    seq INTEGER PRIMARY KEY AUTOINCREMENT,
                    account_id INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                    subscription_id INTEGER NOT NULL,
                    remote_id TEXT,
                    operation TEXT NOT NULL,
                    value TEXT,
                    former TEXT,
                    created INTEGER NOT NULL,
                    is_attempted INTEGER NOT NULL DEFAULT 0,
                    error TEXT
                );
                """)
        try rebuildSubscriptions(db)
        try db.execute(
            sql: """
                ALTER TABLE trash_subscription ADD COLUMN account_id INTEGER;
                ALTER TABLE trash_subscription ADD COLUMN remote_id TEXT;
                """)
    }

    /// Allows an address to be followed once in each account and once locally.
    ///
    /// SQLite can't remove the `UNIQUE` constraint from a table, so this rebuilds the table. Foreign keys are off
    /// meanwhile (https://www.sqlite.org/lang_altertable.html, section 7).
    private static func rebuildSubscriptions(_ db: Database) throws {
        guard
            let text = try String.fetchOne(
                db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'subscription'")
        else { throw LibraryError.failed("the table of subscriptions is missing") }
        let columns = try db.columns(in: "subscription").map(\.name).joined(separator: ", ")
        let new = text.replacing("url TEXT NOT NULL UNIQUE", with: "url TEXT NOT NULL")
            .replacing("CREATE TABLE subscription", with: "CREATE TABLE new_subscription")
            .replacing("CREATE TABLE \"subscription\"", with: "CREATE TABLE new_subscription")
        guard new != text else { throw LibraryError.failed("the table of subscriptions has an unexpected form") }
        let greatest = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'subscription'")
        try db.execute(
            sql: """
                \(new);
                INSERT INTO new_subscription (\(columns)) SELECT \(columns) FROM subscription;
                DROP TABLE subscription;
                ALTER TABLE new_subscription RENAME TO subscription;
                ALTER TABLE subscription ADD COLUMN account_id INTEGER REFERENCES account(id);
                ALTER TABLE subscription ADD COLUMN remote_id TEXT;
                CREATE UNIQUE INDEX subscription_url ON subscription (coalesce(account_id, 0), url);
                """)
        if let greatest {
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name IN ('subscription', 'new_subscription')")
            try db.execute(sql: "INSERT INTO sqlite_sequence VALUES ('subscription', ?)", arguments: [greatest])
        }
    }
}
