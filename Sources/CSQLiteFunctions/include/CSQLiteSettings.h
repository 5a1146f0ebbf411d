#ifndef CSQLITESETTINGS_H
#define CSQLITESETTINGS_H

/// Disables SQLite's memory statistics, which nothing uses and for which every allocation takes a lock, and the memory for twenty
/// pages that each connection reserves. Allows URIs as names of databases, as some systems do by default.
///
/// Also records why locks fail, and doesn't wait for a lock that nobody holds: on a file system without locks, SQLite takes each
/// failure for another program's lock, and reading the write-ahead log would sleep for ten seconds before it fails.
///
/// Call it before opening the first database. Later calls do nothing.
/// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus, #sqliteconfigpagecache, #sqliteconfiguri
/// https://www.sqlite.org/c3ref/vfs.html (xSetSystemCall, xSleep)
void csq_configure(void);
/// Returns why SQLite's last lock failed (`errno`), or 0 if it didn't fail, or failed because another program holds it.
int csq_lock_error(void);
/// Returns free memory to the system.
void csq_trim_memory(void);

struct sqlite3;
/// Interrupts the running queries of a connection, which then fail with SQLITE_INTERRUPT. Can be called from any thread
/// while the connection is open.
/// https://www.sqlite.org/c3ref/interrupt.html
void csq_interrupt(struct sqlite3 *connection);

/// The version of SQLite.
const char *csq_version(void);

#endif
