#include "CSQLiteSettings.h"

#include <sqlite3.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void csq_configure(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
    sqlite3_config(SQLITE_CONFIG_URI, 1);
}

void csq_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void csq_interrupt(struct sqlite3 *connection) { sqlite3_interrupt(connection); }

const char *csq_version(void) { return sqlite3_libversion(); }
