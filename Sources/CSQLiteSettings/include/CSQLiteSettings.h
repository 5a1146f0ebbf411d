#ifndef CSQLITESETTINGS_H
#define CSQLITESETTINGS_H

/// Turns off SQLite's count of the memory it uses, for which every allocation takes a lock. Nothing asks for the count.
///
/// Works before the first database is opened only; later calls do nothing.
/// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
void csq_skip_memory_statistics(void);
/// Gives memory back to the system that was needed for a while and is free again.
void csq_trim_memory(void);

/// The version of SQLite.
const char *csq_version(void);

#endif
