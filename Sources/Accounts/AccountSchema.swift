import LibraryKernel

/// The tables of accounts: the state of their entries on the servers, and the outbox.
enum AccountSchema {
    static let tables = FeatureSchema(
        baseline: """
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
                locked_until INTEGER,
                has_labels INTEGER NOT NULL DEFAULT 0
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
            CREATE TABLE remote_label (
                account_id INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                label TEXT NOT NULL,
                remote_id TEXT NOT NULL,
                PRIMARY KEY (account_id, label, remote_id)
            ) WITHOUT ROWID;
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
            """,
        contents: ["account", "remote_entry", "pending_mark", "pending_operation"])
}
