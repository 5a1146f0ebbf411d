#define _GNU_SOURCE

#include "CSystemCalls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *wanted, *calls;
static volatile int is_recording;

void csc_record(const char *part) {
    pthread_mutex_lock(&lock);
    free(wanted);
    free(calls);
    wanted = strdup(part);
    calls = strdup("");
    is_recording = 1;
    pthread_mutex_unlock(&lock);
}

char *csc_take(void) {
    pthread_mutex_lock(&lock);
    char *result = calls ? calls : strdup("");
    calls = NULL;
    is_recording = 0;
    pthread_mutex_unlock(&lock);
    return result;
}

static void record(const char *format, ...) {
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int count = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (count < 0) return;
    pthread_mutex_lock(&lock);
    if (is_recording && calls && strstr(line, wanted)) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%s\n", calls, line) >= 0) {
            free(calls);
            calls = longer;
        }
    }
    pthread_mutex_unlock(&lock);
    free(line);
}

int fsync(int descriptor) {
    static int (*next)(int);
    if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (is_recording) {
        char link[64], path[4096];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t count = readlink(link, path, sizeof path - 1);
        struct stat status;
        if (count > 0 && fstat(descriptor, &status) == 0) {
            path[count] = 0;
            record("fsync %s %lld", path, S_ISDIR(status.st_mode) ? 0LL : (long long)status.st_size);
        }
    }
    return next(descriptor);
}

int rename(const char *from, const char *to) {
    static int (*next)(const char *, const char *);
    if (!next) next = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (is_recording) record("rename %s %s", from, to);
    return next(from, to);
}

int link(const char *from, const char *to) {
    static int (*next)(const char *, const char *);
    if (!next) next = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
    if (is_recording) record("link %s %s", from, to);
    return next(from, to);
}
