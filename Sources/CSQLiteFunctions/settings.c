#include "CSQLiteSettings.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static atomic_int lock_error;

int csq_lock_error(void) { return atomic_load(&lock_error); }

// Replaces fcntl in SQLite. It preserves errno.
static int noting_fcntl(int file, int command, ...) {
    va_list list;
    va_start(list, command);
    void *value = va_arg(list, void *);
    va_end(list);
    int result = fcntl(file, command, value);
    if (command != F_SETLK && command != F_GETLK) return result;
    int releases = command == F_SETLK && ((struct flock *)value)->l_type == F_UNLCK;
    if (result != -1) {
        // Some file systems succeed in releasing locks, but have none.
        if (command == F_SETLK && !releases) atomic_store(&lock_error, 0);
    } else if (errno == EAGAIN || errno == EACCES) {
        atomic_store(&lock_error, 0);
    } else if (errno != EINTR && errno != EBADF) {
        // EBADF says nothing about the file system: read-only connections can't lock for writing, but try to when they close.
        atomic_store(&lock_error, errno);
    }
    return result;
}

static sqlite3_vfs *system_files;
static sqlite3_vfs own_files;

static int sleep_for_locks(sqlite3_vfs *files, int microseconds) {
    (void)files;
    return csq_lock_error() != 0 ? 0 : system_files->xSleep(system_files, microseconds);
}

static void configure(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
    sqlite3_config(SQLITE_CONFIG_URI, 1);
    system_files = sqlite3_vfs_find((void *)0);
    if (!system_files || system_files->iVersion < 3 || !system_files->xSetSystemCall) return;
    if (system_files->xSetSystemCall(system_files, "fcntl", (sqlite3_syscall_ptr)noting_fcntl) != SQLITE_OK) return;
    own_files = *system_files;
    own_files.zName = "tappa";
    own_files.xSleep = sleep_for_locks;
    sqlite3_vfs_register(&own_files, 1);
}

void csq_configure(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, configure);
}

void csq_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void csq_interrupt(struct sqlite3 *connection) { sqlite3_interrupt(connection); }

const char *csq_version(void) { return sqlite3_libversion(); }
