#include "CSQLiteSettings.h"

#include <sqlite3.h>

void csq_skip_memory_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
