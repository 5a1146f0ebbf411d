#define _GNU_SOURCE

#include "CPowerCut.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { created, written, truncated, synced, deleted };

struct event {
    enum kind kind;
    /// The index of the file.
    int file;
    int64_t offset;
    size_t count;
    unsigned char *bytes;
    /// Whether a deletion is synced.
    int is_durable;
};

/// A file, which may have been deleted.
struct file {
    char *path;
    unsigned char *bytes;
    size_t count;
    int is_deleted;
    /// Whether the file existed before.
    int is_old;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// Orders names: a log may be deleted by a connection while another one opens it.
static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
static struct event *events;
static long event_count, event_space, sync_count;
static struct file *files;
static int file_count, file_space;
static int is_recording = 1, is_lying;
static sqlite3_vfs *real;
static sqlite3_vfs shim;

struct open_file {
    sqlite3_file base;
    int file;
    sqlite3_file *real;
};

static void *grow(void *list, long count, long *space, size_t size) {
    if (count < *space) return list;
    *space = *space * 2 + 64;
    void *result = realloc(list, (size_t)*space * size);
    if (!result) abort();
    return result;
}

static void note(struct event event) {
    pthread_mutex_lock(&lock);
    events = grow(events, event_count, &event_space, sizeof(struct event));
    events[event_count++] = event;
    if (event.kind == synced) sync_count += 1;
    pthread_mutex_unlock(&lock);
}

static unsigned char *copy(const void *bytes, size_t count) {
    unsigned char *result = malloc(count + 1);
    if (!result) abort();
    memcpy(result, bytes, count);
    return result;
}

// MARK: Files

#define REAL(file) (((struct open_file *)(file))->real)
#define CALL(name, ...) REAL(file)->pMethods->name(REAL(file), ##__VA_ARGS__)

static int close_file(sqlite3_file *file) { return CALL(xClose); }
static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return CALL(xRead, bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int result = CALL(xWrite, bytes, count, offset);
    if (result == SQLITE_OK) {
        note((struct event){.kind = written, .file = ((struct open_file *)file)->file, .offset = offset,
                            .count = (size_t)count, .bytes = copy(bytes, (size_t)count)});
    }
    return result;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    int result = CALL(xTruncate, size);
    if (result == SQLITE_OK) {
        note((struct event){.kind = truncated, .file = ((struct open_file *)file)->file, .offset = size});
    }
    return result;
}

static int sync_file(sqlite3_file *file, int flags) {
    (void)flags;
    // Nothing fails here, so the real disk needn't hurry.
    if (!is_lying) note((struct event){.kind = synced, .file = ((struct open_file *)file)->file});
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return CALL(xFileSize, size); }
static int lock_file(sqlite3_file *file, int level) { return CALL(xLock, level); }
static int unlock_file(sqlite3_file *file, int level) { return CALL(xUnlock, level); }
static int check_lock(sqlite3_file *file, int *result) { return CALL(xCheckReservedLock, result); }
static int control(sqlite3_file *file, int operation, void *argument) {
    return CALL(xFileControl, operation, argument);
}
static int sector_size(sqlite3_file *file) { return CALL(xSectorSize); }
static int characteristics(sqlite3_file *file) { return CALL(xDeviceCharacteristics); }
static int map(sqlite3_file *file, int page, int size, int extends, void volatile **result) {
    return CALL(xShmMap, page, size, extends, result);
}
static int lock_map(sqlite3_file *file, int offset, int count, int flags) {
    return CALL(xShmLock, offset, count, flags);
}
static void barrier(sqlite3_file *file) { CALL(xShmBarrier); }
static int unmap(sqlite3_file *file, int deletes) { return CALL(xShmUnmap, deletes); }

static const sqlite3_io_methods methods = {
    2, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file, unlock_file, check_lock,
    control, sector_size, characteristics, map, lock_map, barrier, unmap, NULL, NULL,
};

// MARK: Names

/// Returns the index of the file at a path, or -1.
static int find(const char *path) {
    for (int index = file_count - 1; index >= 0; index--) {
        if (!files[index].is_deleted && strcmp(files[index].path, path) == 0) return index;
    }
    return -1;
}

static int begin(const char *path, int *is_new) {
    pthread_mutex_lock(&lock);
    int index = find(path);
    if (index < 0) {
        long space = file_space;
        files = grow(files, file_count, &space, sizeof(struct file));
        file_space = (int)space;
        struct file file = {.path = strdup(path)};
        int descriptor = open(path, O_RDONLY | O_CLOEXEC);
        struct stat status;
        if (descriptor >= 0 && fstat(descriptor, &status) == 0) {
            file.is_old = 1;
            file.bytes = malloc((size_t)status.st_size + 1);
            ssize_t count = read(descriptor, file.bytes, (size_t)status.st_size);
            file.count = count > 0 ? (size_t)count : 0;
        }
        if (descriptor >= 0) close(descriptor);
        *is_new = !file.is_old;
        index = file_count++;
        files[index] = file;
    }
    pthread_mutex_unlock(&lock);
    return index;
}

static int open_vfs(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    (void)vfs;
    int kinds = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
    if (!name || !is_recording || !(flags & kinds)) return real->xOpen(real, name, file, flags, result);
    struct open_file *own = (struct open_file *)file;
    own->real = (sqlite3_file *)(own + 1);
    int is_new = 0;
    pthread_mutex_lock(&naming);
    own->file = begin(name, &is_new);
    int code = real->xOpen(real, name, own->real, flags, result);
    own->base.pMethods = own->real->pMethods ? &methods : NULL;
    if (code == SQLITE_OK && is_new) note((struct event){.kind = created, .file = own->file});
    pthread_mutex_unlock(&naming);
    return code;
}

static int delete_vfs(sqlite3_vfs *vfs, const char *name, int syncs) {
    (void)vfs;
    pthread_mutex_lock(&naming);
    int code = real->xDelete(real, name, syncs);
    pthread_mutex_lock(&lock);
    int index = find(name);
    if (code == SQLITE_OK && index >= 0) files[index].is_deleted = 1;
    pthread_mutex_unlock(&lock);
    if (code == SQLITE_OK && index >= 0) {
        note((struct event){.kind = deleted, .file = index, .is_durable = syncs});
    }
    pthread_mutex_unlock(&naming);
    return code;
}

int cpc_install(void) {
    sqlite3_initialize();
    real = sqlite3_vfs_find(NULL);
    if (!real) return SQLITE_ERROR;
    shim = *real;
    shim.zName = "power-cut";
    shim.pNext = NULL;
    shim.szOsFile = (int)sizeof(struct open_file) + real->szOsFile;
    shim.xOpen = open_vfs;
    shim.xDelete = delete_vfs;
    return sqlite3_vfs_register(&shim, 1);
}

void cpc_set_recording(int records) { is_recording = records; }
void cpc_set_lying(int lies) { is_lying = lies; }

long cpc_events(void) {
    pthread_mutex_lock(&lock);
    long count = event_count;
    pthread_mutex_unlock(&lock);
    return count;
}

long cpc_syncs(void) {
    pthread_mutex_lock(&lock);
    long count = sync_count;
    pthread_mutex_unlock(&lock);
    return count;
}

// MARK: Power cuts

static uint64_t next_random(uint64_t *state) {
    uint64_t value = (*state += 0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

/// What a disk has of a file.
struct image {
    unsigned char *bytes;
    size_t count;
    /// Whether its name exists.
    int exists;
    /// The first event since the last sync.
    long first;
};

static void resize(struct image *image, size_t count) {
    if (count > image->count) {
        image->bytes = realloc(image->bytes, count + 1);
        if (!image->bytes) abort();
        memset(image->bytes + image->count, 0, count - image->count);
    }
    image->count = count;
}

enum { sector = 512 };

/// Applies a write or truncation: all of it, or random sectors.
static void apply(struct image *image, const struct event *event, int is_torn, uint64_t *random) {
    if (event->kind == truncated) return resize(image, (size_t)event->offset);
    size_t start = (size_t)event->offset, end = start + event->count;
    while (start < end) {
        size_t next = (start / sector + 1) * sector;
        if (next > end) next = end;
        if (!is_torn || next_random(random) % 2) {
            if (next > image->count) resize(image, next);
            memcpy(image->bytes + start, event->bytes + (start - (size_t)event->offset), next - start);
        }
        start = next;
    }
}

/// Lets a new name exist, or a deleted one not.
static void confirm(struct image *images, const struct event *event) {
    if (event->kind == created) images[event->file].exists = 1;
    if (event->kind == deleted) images[event->file].exists = 0;
}

int cpc_cut(long count, uint64_t seed, const char *folder) {
    uint64_t random = seed;
    pthread_mutex_lock(&lock);
    if (count > event_count) count = event_count;
    struct image *images = calloc((size_t)file_count + 1, sizeof(struct image));
    if (!images) abort();
    for (int index = 0; index < file_count; index++) {
        images[index] = (struct image){.bytes = copy(files[index].bytes ? files[index].bytes : (void *)"", files[index].count),
                                       .count = files[index].count, .exists = files[index].is_old};
    }
    // What was synced. The journal of a file system keeps the order of names, so that each sync confirms all earlier ones.
    long names = 0;
    for (long index = 0; index < count; index++) {
        const struct event *event = &events[index];
        int confirms = event->kind == synced || (event->kind == deleted && event->is_durable);
        if (event->kind == synced) {
            struct image *image = &images[event->file];
            for (long earlier = image->first; earlier < index; earlier++) {
                const struct event *change = &events[earlier];
                if (change->file == event->file && (change->kind == written || change->kind == truncated)) {
                    apply(image, change, 0, &random);
                }
            }
            image->first = index + 1;
        }
        if (!confirms) continue;
        for (; names <= index; names++) confirm(images, &events[names]);
    }
    // Names that were not confirmed: those before a random moment.
    long moment = names + (long)(count > names ? next_random(&random) % (uint64_t)(count - names + 1) : 0);
    for (; names < moment; names++) confirm(images, &events[names]);
    // Writes that were not synced: more or fewer of them remain.
    uint64_t most = next_random(&random) % 5;
    for (long index = 0; index < count; index++) {
        const struct event *event = &events[index];
        if (event->kind != written && event->kind != truncated) continue;
        if (index < images[event->file].first) continue;
        uint64_t fate = next_random(&random) % 8;
        if (fate < most * 2) apply(&images[event->file], event, fate % 4 == 1, &random);
    }
    int result = 0;
    for (int index = 0; index < file_count; index++) {
        const char *name = strrchr(files[index].path, '/');
        if (images[index].exists) {
            char *path = NULL;
            if (asprintf(&path, "%s/%s", folder, name ? name + 1 : files[index].path) < 0) abort();
            int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
            size_t done = 0;
            while (descriptor >= 0 && done < images[index].count) {
                ssize_t some = write(descriptor, images[index].bytes + done, images[index].count - done);
                if (some <= 0) break;
                done += (size_t)some;
            }
            if (descriptor < 0 || done < images[index].count) result = -1;
            if (descriptor >= 0) close(descriptor);
            free(path);
        }
        free(images[index].bytes);
    }
    free(images);
    pthread_mutex_unlock(&lock);
    return result;
}
