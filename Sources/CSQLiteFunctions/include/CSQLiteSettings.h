#ifndef CSQLITESETTINGS_H
#define CSQLITESETTINGS_H

/// Turns off SQLite's count of the memory it uses, for which every allocation takes a lock and which nothing asks for, and the room for
/// twenty pages that each connection takes before it needs any. Names of databases may be URIs, which say more of how a file is
/// opened; some systems build SQLite so.
///
/// Also notes why locks fail, and ends SQLite's waiting for a lock that nobody holds: where a file system can't lock files, SQLite
/// takes each failure for a lock of another program, and a read of the write-ahead log sleeps for ten seconds before it gives up.
///
/// Works before the first database is opened only; later calls do nothing.
/// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus, #sqliteconfigpagecache, #sqliteconfiguri
/// https://www.sqlite.org/c3ref/vfs.html (xSetSystemCall, xSleep)
void csq_configure(void);
/// Why SQLite's last lock failed (`errno`), or 0 if it did not, or only because another program holds it.
int csq_lock_error(void);
/// Returns free memory to the system.
void csq_trim_memory(void);

struct sqlite3;
/// Ends the queries that run on a connection with SQLITE_INTERRUPT. Any thread may call it while the connection is open.
/// https://www.sqlite.org/c3ref/interrupt.html
void csq_interrupt(struct sqlite3 *connection);

/// The version of SQLite.
const char *csq_version(void);

#endif
