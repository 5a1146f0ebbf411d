import GRDB
import LibraryKernel

/// The tables of feeds, entries and the full-text index.
///
/// The rows that lists read are separate from the content of entries, and counters are stored. No list therefore has to
/// read or count all rows.
///
/// Searches of unread entries by length, language or contents, and those by the time of reading, need only an index. The
/// latest reading comes first, because its entries are usually the newest: the sorter then drops the others. What a
/// document asks for (`ttl`, `skipped_times`) stays valid when the server answers 304.
enum FeedSchema {
    static let tables = FeatureSchema(
        baseline: """
            CREATE TABLE subscription (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                url TEXT NOT NULL,
                title TEXT,
                custom_title TEXT,
                folder TEXT,
                position INTEGER NOT NULL,
                home_page TEXT,
                etag TEXT,
                last_modified TEXT,
                last_fetched INTEGER,
                last_success INTEGER,
                error TEXT,
                failures INTEGER NOT NULL DEFAULT 0,
                unread_count INTEGER NOT NULL DEFAULT 0,
                total_count INTEGER NOT NULL DEFAULT 0,
                next_fetch INTEGER,
                not_before INTEGER,
                is_gone INTEGER NOT NULL DEFAULT 0,
                former_url TEXT,
                last_entry INTEGER,
                rhythm INTEGER,
                headers TEXT,
                added INTEGER,
                problems TEXT,
                options TEXT,
                is_uncounted INTEGER NOT NULL DEFAULT 0,
                account_id INTEGER REFERENCES account(id),
                remote_id TEXT,
                runs_program INTEGER NOT NULL DEFAULT 0,
                ttl INTEGER,
                skipped_times INTEGER,
                claimed INTEGER,
                claimant INTEGER
            );
            CREATE UNIQUE INDEX subscription_url ON subscription (coalesce(account_id, 0), url);
            CREATE TABLE subscription_tag (
                subscription_id INTEGER NOT NULL REFERENCES subscription(id) ON DELETE CASCADE,
                tag TEXT NOT NULL,
                PRIMARY KEY (subscription_id, tag)
            ) WITHOUT ROWID;
            CREATE TABLE entry (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                subscription_id INTEGER NOT NULL REFERENCES subscription(id) ON DELETE CASCADE,
                guid TEXT NOT NULL,
                title TEXT NOT NULL,
                sort_date INTEGER NOT NULL,
                has_date INTEGER NOT NULL,
                is_read INTEGER NOT NULL DEFAULT 0,
                read_at INTEGER,
                is_starred INTEGER NOT NULL DEFAULT 0,
                fingerprint INTEGER NOT NULL,
                is_later INTEGER NOT NULL DEFAULT 0,
                duplicate_key INTEGER,
                language TEXT,
                is_archived INTEGER NOT NULL DEFAULT 0,
                characters INTEGER,
                parts INTEGER,
                UNIQUE (subscription_id, guid)
            );
            CREATE INDEX entry_by_subscription ON entry (subscription_id, sort_date DESC, id DESC);
            CREATE INDEX entry_unread ON entry (sort_date DESC, id DESC, parts, characters, language) WHERE is_read = 0;
            CREATE INDEX entry_read_at ON entry (read_at DESC, id DESC, sort_date) WHERE read_at IS NOT NULL;
            CREATE INDEX entry_starred ON entry (sort_date DESC, id DESC) WHERE is_starred = 1;
            CREATE INDEX entry_duplicate_key ON entry (duplicate_key, id) WHERE duplicate_key IS NOT NULL;
            CREATE INDEX entry_later ON entry (sort_date DESC, id DESC) WHERE is_later = 1;
            CREATE INDEX entry_by_date ON entry (sort_date DESC, id DESC, parts, characters, language);
            CREATE INDEX entry_archived ON entry (sort_date DESC, id DESC) WHERE is_archived = 1;
            CREATE TABLE entry_content (
                entry_id INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE,
                link TEXT,
                author TEXT,
                html TEXT,
                text TEXT,
                published INTEGER,
                published_text TEXT,
                updated INTEGER,
                updated_text TEXT,
                first_seen INTEGER NOT NULL,
                extras TEXT,
                full_html TEXT,
                page_date TEXT,
                former TEXT,
                place TEXT
            );
            CREATE INDEX entry_content_first_seen ON entry_content (first_seen);
            CREATE TABLE entry_tag (
                entry_id INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
                tag TEXT NOT NULL,
                PRIMARY KEY (entry_id, tag)
            );
            CREATE INDEX entry_tag_tag ON entry_tag (tag, entry_id);
            CREATE TABLE deleted_entry (
                subscription_id INTEGER NOT NULL REFERENCES subscription(id) ON DELETE CASCADE,
                guid TEXT NOT NULL,
                deleted_at INTEGER NOT NULL,
                PRIMARY KEY (subscription_id, guid)
            ) WITHOUT ROWID;
            CREATE TABLE folder_place (
                name TEXT PRIMARY KEY NOT NULL,
                position INTEGER,
                is_closed INTEGER NOT NULL DEFAULT 0
            );
            CREATE TABLE played_enclosure (
                url TEXT PRIMARY KEY NOT NULL,
                position INTEGER NOT NULL,
                duration INTEGER,
                played INTEGER NOT NULL
            );
            CREATE TABLE rule_task (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                rule TEXT NOT NULL,
                task TEXT NOT NULL,
                entry_id INTEGER NOT NULL,
                created INTEGER NOT NULL
            );
            CREATE TABLE page_pause (
                entry_id INTEGER PRIMARY KEY REFERENCES entry(id) ON DELETE CASCADE,
                failures INTEGER NOT NULL,
                until INTEGER NOT NULL
            );
            CREATE TABLE host_pause (
                host TEXT PRIMARY KEY NOT NULL, failures INTEGER NOT NULL, until INTEGER NOT NULL
            );
            \(index)
            CREATE TABLE unindexed (entry_id INTEGER PRIMARY KEY);
            CREATE TABLE counter (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO counter VALUES ('starred', 0), ('later', 0);
            CREATE TRIGGER entry_deleted AFTER DELETE ON entry BEGIN
                UPDATE subscription SET total_count = total_count - 1,
                    unread_count = unread_count - (OLD.is_read = 0 AND OLD.is_archived = 0)
                    WHERE id = OLD.subscription_id;
            END;
            CREATE TRIGGER entry_read AFTER UPDATE OF is_read, is_archived ON entry
            WHEN OLD.is_read <> NEW.is_read OR OLD.is_archived <> NEW.is_archived BEGIN
                UPDATE subscription SET unread_count = unread_count
                    - (OLD.is_read = 0 AND OLD.is_archived = 0) + (NEW.is_read = 0 AND NEW.is_archived = 0)
                    WHERE id = NEW.subscription_id;
            END;
            CREATE TRIGGER entry_starred_changed AFTER UPDATE OF is_starred ON entry
            WHEN OLD.is_starred <> NEW.is_starred BEGIN
                UPDATE counter SET value = value + NEW.is_starred - OLD.is_starred WHERE name = 'starred';
            END;
            CREATE TRIGGER entry_starred_deleted AFTER DELETE ON entry WHEN OLD.is_starred = 1 BEGIN
                UPDATE counter SET value = value - 1 WHERE name = 'starred';
            END;
            CREATE TRIGGER entry_later_changed AFTER UPDATE OF is_later ON entry WHEN OLD.is_later <> NEW.is_later
            BEGIN
                UPDATE counter SET value = value + NEW.is_later - OLD.is_later WHERE name = 'later';
            END;
            CREATE TRIGGER entry_later_deleted AFTER DELETE ON entry WHEN OLD.is_later = 1 BEGIN
                UPDATE counter SET value = value - 1 WHERE name = 'later';
            END;
            CREATE TRIGGER content_changed
            AFTER UPDATE OF html, text, author, full_html, link, extras, former ON entry_content BEGIN
                INSERT OR IGNORE INTO unindexed VALUES (NEW.entry_id);
            END;
            CREATE TRIGGER entry_unindexed AFTER DELETE ON entry BEGIN
                DELETE FROM unindexed WHERE entry_id = OLD.id;
                DELETE FROM entry_search WHERE rowid = OLD.id;
            END;
            """,
        contents: [
            "subscription", "subscription_tag", "entry", "entry_content", "entry_tag", "deleted_entry", "folder_place",
            "played_enclosure", "rule_task",
        ],
        trash: [
            ("subscription", "id"), ("subscription_tag", "subscription_id"), ("deleted_entry", "subscription_id"),
            ("entry", "id"), ("entry_content", "entry_id"), ("entry_tag", "entry_id"),
        ],
        storedTexts: ["entry_content": ["html", "text", "full_html", "former"]],
        migrations: [
            // By its page and title, a deleted entry is known after its feed has changed all identifiers.
            FeatureSchema.Migration(name: "feeds.deleted-pages") { db in
                try db.execute(
                    sql: """
                        ALTER TABLE deleted_entry ADD COLUMN duplicate_key INTEGER;
                        ALTER TABLE deleted_entry ADD COLUMN title TEXT;
                        """)
            },
            // The entry of what a player plays now, for all dashboards.
            FeatureSchema.Migration(name: "feeds.played-now") { db in
                try db.execute(sql: "ALTER TABLE played_enclosure ADD COLUMN entry_id INTEGER")
            },
        ],
        derived: FeatureSchema.Derived(
            isOutdated: { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM counter WHERE name = 'words' AND value = ?", arguments: [wordRules])
                    == 0
            },
            renew: { db in
                if try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM entry)") == true {
                    try db.execute(sql: "DROP TABLE entry_search; \(index)")
                    try indexAgain(db)
                }
                try db.execute(sql: "INSERT OR REPLACE INTO counter VALUES ('words', ?)", arguments: [wordRules])
            }))

    /// The version of the rules by which texts are split into words (``TerminalText/CharacterFolding``). Words of other
    /// rules couldn't be removed from the index.
    private static let wordRules: Int64 = 3

    /// The full-text index, which reads compressed texts.
    private static let index = """
        CREATE VIRTUAL TABLE entry_search USING fts5(
            title, author, body, link, tokenize = '\(StoredText.tokenizer) remove_diacritics 2');
        """

    /// Queues all entries for the index, which then derives their data for searches again (``IndexedEntry``).
    private static func indexAgain(_ db: Database) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO unindexed SELECT entry_id FROM entry_content")
    }
}
