#ifndef CSQLITESETTINGS_H
#define CSQLITESETTINGS_H

/// Turns off SQLite's count of the memory it uses, for which every allocation takes a lock and which nothing asks for, and the room for
/// twenty pages that each connection takes before it needs any. Names of databases may be URIs, which say more of how a file is
/// opened; some systems build SQLite so.
///
/// Works before the first database is opened only; later calls do nothing.
/// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus, #sqliteconfigpagecache, #sqliteconfiguri
void csq_configure(void);
/// Returns free memory to the system.
void csq_trim_memory(void);

struct sqlite3;
/// Ends the queries that run on a connection with SQLITE_INTERRUPT. Any thread may call it while the connection is open.
/// https://www.sqlite.org/c3ref/interrupt.html
void csq_interrupt(struct sqlite3 *connection);

/// The version of SQLite.
const char *csq_version(void);

#endif
