#define _GNU_SOURCE

#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#ifdef __linux__
#include <link.h>
#include <sys/mman.h>
#endif
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Connects a standard stream to a descriptor, or to /dev/null for -1.
static void connect_stream(posix_spawn_file_actions_t *actions, int stream, int descriptor) {
    if (descriptor >= 0) {
        posix_spawn_file_actions_adddup2(actions, descriptor, stream);
    } else {
        posix_spawn_file_actions_addopen(actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
    }
}

// Starts a program whose standard streams are set by `actions`, which this call destroys.
static int spawn_program(posix_spawn_file_actions_t *actions, const char *const *arguments, const char *const *environment,
                         bool in_new_session, bool searches_path, pid_t *child) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // The threads of a program that uses dispatch queues block all signals, and a child would inherit that.
    sigset_t none_blocked;
    sigemptyset(&none_blocked);
    posix_spawnattr_setsigmask(&attributes, &none_blocked);
    // This program ignores these signals. In other programs they get their default again.
    sigset_t standard;
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    sigaddset(&standard, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (in_new_session ? POSIX_SPAWN_SETSID : 0));
    posix_spawn_file_actions_addclosefrom_np(actions, 3);
    char *const *variables = environment != NULL ? (char *const *)environment : environ;
    int result = (searches_path ? posix_spawnp : posix_spawn)(child, arguments[0], actions, &attributes,
                                                              (char *const *)arguments, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(actions);
    return result;
}

int csp_start(const char *const *arguments, const char *const *environment, const char *input, const char *output,
              const char *errors, bool in_new_session, pid_t *child) {
    posix_spawn_file_actions_t actions;
    const char *none = "/dev/null";
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, input != NULL ? input : none, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output != NULL ? output : none, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, errors != NULL ? errors : none, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return spawn_program(&actions, arguments, environment, in_new_session, false, child);
}

int csp_start_detached(const char *const *arguments, const char *const *environment, int input, int errors, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    connect_stream(&actions, 0, input);
    connect_stream(&actions, 1, -1);
    connect_stream(&actions, 2, errors);
    return spawn_program(&actions, arguments, environment, true, false, child);
}

int csp_wait(pid_t child) {
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {}
    // It isn't a child, or its status was already collected, so how it ended is unknown.
    if (ended < 0) return CSP_UNKNOWN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void csp_keep_memory_small(void) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 512 << 10);
#endif
}

#ifdef __linux__
static int release_code(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    long page = sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || (part->p_flags & PF_W)) continue;
        uintptr_t start = (object->dlpi_addr + part->p_vaddr) / (uintptr_t)page * (uintptr_t)page;
        uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}
#endif

void csp_release_start(void) {
#ifdef __linux__
    dl_iterate_phdr(release_code, NULL);
    malloc_trim(0);
#endif
}

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Reads to the end. Returns false if that takes too long.
static bool read_all(int source, char *buffer, int capacity, int *count, int timeout_ms) {
    long deadline = milliseconds() + timeout_ms;
    char rest[512];
    for (;;) {
        long left = deadline - milliseconds();
        struct pollfd waiting = {.fd = source, .events = POLLIN};
        if (left <= 0 || poll(&waiting, 1, (int)left) == 0) return false;
        bool has_room = *count < capacity;
        ssize_t n = read(source, has_room ? buffer + *count : rest, has_room ? (size_t)(capacity - *count) : sizeof rest);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        if (has_room) *count += (int)n;
    }
}

int csp_capture(const char *const *arguments, char *buffer, int capacity, int timeout_ms) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    connect_stream(&actions, 0, -1);
    connect_stream(&actions, 1, ends[1]);
    connect_stream(&actions, 2, -1);
    pid_t child;
    int result = spawn_program(&actions, arguments, NULL, false, true, &child);
    close(ends[1]);
    int count = result == 0 ? 0 : -1;
    if (result == 0) {
        if (!read_all(ends[0], buffer, capacity, &count, timeout_ms)) kill(child, SIGKILL);
        if (csp_wait(child) != 0) count = -1;
    }
    close(ends[0]);
    return count;
}
