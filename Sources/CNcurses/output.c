#define _GNU_SOURCE

#include "output.h"

#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// The terminal, opened a second time so that writing doesn't block (O_NONBLOCK). The shell's descriptor must keep blocking.
static int terminal_fd = -1;
static bool owns_terminal_fd;
// A file in memory to which ncurses writes frames.
static FILE *frames;
static int frames_fd = -1;

// Output that the terminal has not accepted yet. It can't grow without limit: a frame is drawn only after the previous one was
// sent, and pictures and queries beyond this size are dropped.
static char *waiting;
static size_t waiting_start, waiting_end, waiting_capacity;
static const size_t most_waiting = 32 << 20;

static int open_again(int output) {
    char name[128];
    struct stat first, second;
    if (ttyname_r(output, name, sizeof name) != 0) return -1;
    int fd = open(name, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return -1;
    if (fstat(output, &first) == 0 && fstat(fd, &second) == 0 && first.st_rdev == second.st_rdev) return fd;
    close(fd);
    return -1;
}

FILE *cno_open(int output) {
    cno_close();
    terminal_fd = open_again(output);
    owns_terminal_fd = terminal_fd >= 0;
    if (!owns_terminal_fd) terminal_fd = output;
    if (frames == NULL) {
        frames_fd = memfd_create("frame", MFD_CLOEXEC);
        if (frames_fd < 0) return NULL;
        frames = fdopen(frames_fd, "w+");
        if (frames == NULL) {
            close(frames_fd);
            frames_fd = -1;
        }
    }
    return frames;
}

void cno_close(void) {
    if (owns_terminal_fd) close(terminal_fd);
    terminal_fd = -1;
    owns_terminal_fd = false;
    free(waiting);
    waiting = NULL;
    waiting_start = waiting_end = waiting_capacity = 0;
}

bool cnc_is_behind(void) { return waiting_end > waiting_start; }

int cno_descriptor(void) { return terminal_fd; }

// Makes room for more bytes at the end. Returns false if there would be too many.
static bool make_room(size_t count) {
    size_t used = waiting_end - waiting_start;
    if (used + count > most_waiting) return false;
    if (waiting_start > 0) {
        memmove(waiting, waiting + waiting_start, used);
        waiting_start = 0;
        waiting_end = used;
    }
    if (used + count > waiting_capacity) {
        size_t capacity = waiting_capacity == 0 ? 64 << 10 : waiting_capacity;
        while (capacity < used + count) capacity *= 2;
        char *larger = realloc(waiting, capacity);
        if (larger == NULL) return false;
        waiting = larger;
        waiting_capacity = capacity;
    }
    return true;
}

void cno_append(const char *bytes, size_t count) {
    if (count == 0 || !make_room(count)) return;
    memcpy(waiting + waiting_end, bytes, count);
    waiting_end += count;
}

bool cno_take_frame(const char *before, const char *after) {
    if (frames == NULL) return true;
    bool is_whole = fflush(frames) == 0;
    off_t count = lseek(frames_fd, 0, SEEK_CUR);
    if (count > 0) {
        size_t first = strlen(before), last = strlen(after);
        if (make_room(first + (size_t)count + last)) {
            cno_append(before, first);
            ssize_t n = pread(frames_fd, waiting + waiting_end, (size_t)count, 0);
            if (n > 0) waiting_end += (size_t)n;
            if (n != count) is_whole = false;
            cno_append(after, last);
        } else {
            is_whole = false;
        }
        lseek(frames_fd, 0, SEEK_SET);
        // Releases the memory of a large frame.
        if (count > 1 << 20 && ftruncate(frames_fd, 0) != 0) return is_whole;
    }
    cno_drain(0);
    return is_whole;
}

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool cno_drain(int timeout_ms) {
    long deadline = milliseconds() + timeout_ms;
    while (waiting_end > waiting_start) {
        ssize_t n = write(terminal_fd, waiting + waiting_start, waiting_end - waiting_start);
        if (n > 0) {
            waiting_start += (size_t)n;
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            long left = deadline - milliseconds();
            if (left <= 0) return false;
            struct pollfd room = {.fd = terminal_fd, .events = POLLOUT};
            poll(&room, 1, (int)left);
        } else {
            // The terminal is gone. Reading input reports that.
            waiting_start = waiting_end;
        }
    }
    return true;
}

void cno_force(const char *bytes, size_t count) {
    // The bytes begin with CAN, which ends a sequence that was cut off.
    if (waiting_end > waiting_start) tcflush(terminal_fd, TCOFLUSH);
    waiting_start = waiting_end;
    for (int tries = 0; count > 0 && tries < 50; tries++) {
        ssize_t n = write(terminal_fd, bytes, count);
        if (n > 0) {
            bytes += n;
            count -= (size_t)n;
        } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
            return;
        } else {
            if (tries == 0) tcflush(terminal_fd, TCOFLUSH);
            struct pollfd room = {.fd = terminal_fd, .events = POLLOUT};
            poll(&room, 1, 10);
        }
    }
}
