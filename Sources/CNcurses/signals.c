#define _GNU_SOURCE

#include "signals.h"

#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static const int fatal_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGSYS};
static const int loop_signals[] = {SIGWINCH, SIGTSTP, SIGCONT};
// By default these end the program without restoring the terminal.
static const int ending_signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,
                                     SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT};

enum { signal_count = 65 };
static struct sigaction before[signal_count];
static bool has_before[signal_count];

static int loop_pipe[2] = {-1, -1};
static int watch_pipe[2] = {-1, -1};
// The number of ending signals that the loop has received, and whether the handlers are installed.
static atomic_int heard;
static atomic_bool installed;
static _Atomic(void (*)(void)) forced_exit;

// The time for the loop to receive an ending signal, and then to end, in milliseconds.
enum { patience_to_hear = 3000, patience_to_end = 12000, tick = 20 };

static char fatal_stack[64 << 10];

static void on_fatal_signal(int number) {
    cnc_restore_now();
    signal(number, SIG_DFL);
    raise(number);
}

static bool is_ending(int number) {
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        if (ending_signals[i] == number) return true;
    }
    return false;
}

static void on_signal(int number) {
    int saved = errno;
    char byte = (char)number;
    ssize_t ignored = write(loop_pipe[1], &byte, 1);
    if (is_ending(number)) ignored = write(watch_pipe[1], &byte, 1);
    (void)ignored;
    errno = saved;
}

static void rest(void) {
    struct timespec pause = {.tv_nsec = tick * 1000000L};
    nanosleep(&pause, NULL);
}

// Waits for ending signals on its own thread, because the loop may be busy forever.
static void *watch(void *nothing) {
    (void)nothing;
    for (;;) {
        unsigned char number = 0;
        ssize_t n = read(watch_pipe[0], &number, 1);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return NULL;
        int already = atomic_load(&heard);
        for (int waited = 0; waited < patience_to_hear; waited += tick) {
            if (!atomic_load(&installed) || atomic_load(&heard) != already) break;
            rest();
        }
        bool was_heard = atomic_load(&heard) != already;
        for (int waited = 0; was_heard && atomic_load(&installed) && waited < patience_to_end; waited += tick) rest();
        if (!atomic_load(&installed)) continue;
        cnc_restore_now();
        void (*callback)(void) = atomic_load(&forced_exit);
        if (callback != NULL) callback();
        _exit(128 + number);
    }
}

static bool start_watching(void) {
    if (watch_pipe[0] >= 0) return true;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    watch_pipe[0] = ends[0];
    watch_pipe[1] = ends[1];
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    pthread_t thread;
    bool is_started = pthread_create(&thread, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (is_started) {
        pthread_detach(thread);
    } else {
        watch_pipe[0] = watch_pipe[1] = -1;
        close(ends[0]);
        close(ends[1]);
    }
    return is_started;
}

static void take(int number, const struct sigaction *action) {
    has_before[number] = sigaction(number, action, &before[number]) == 0;
}

// Handles signals of the loop, and adds them to a set.
static void take_for_loop(const int *numbers, size_t count, sigset_t *handled) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < count; i++) {
        take(numbers[i], &action);
        sigaddset(handled, numbers[i]);
    }
}

bool cns_install(void) {
    if (loop_pipe[0] < 0 && pipe2(loop_pipe, O_NONBLOCK | O_CLOEXEC) != 0) return false;
    if (!start_watching()) return false;
    // A stack that has overflowed has no room for a handler.
    stack_t stack = {.ss_sp = fatal_stack, .ss_size = sizeof fatal_stack};
    sigaltstack(&stack, NULL);
    struct sigaction fatal = {.sa_handler = on_fatal_signal, .sa_flags = SA_ONSTACK}, ignored = {.sa_handler = SIG_IGN};
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++) take(fatal_signals[i], &fatal);
    sigset_t handled;
    sigemptyset(&handled);
    take_for_loop(loop_signals, sizeof loop_signals / sizeof *loop_signals, &handled);
    take_for_loop(ending_signals, sizeof ending_signals / sizeof *ending_signals, &handled);
    take(SIGPIPE, &ignored);
    // Beyond the maximum file size, the write fails instead, as on a full disk.
    take(SIGXFSZ, &ignored);
    atomic_store(&installed, true);
    // The parent process may have left signals blocked.
    pthread_sigmask(SIG_UNBLOCK, &handled, NULL);
    return true;
}

void cns_restore(void) {
    for (int number = 1; number < signal_count; number++) {
        // A write reports a closed pipe and a file that is too large, so these signals stay ignored.
        if (has_before[number] && number != SIGPIPE && number != SIGXFSZ) sigaction(number, &before[number], NULL);
        has_before[number] = false;
    }
    atomic_store(&installed, false);
}

int cns_pipe(void) { return loop_pipe[0]; }

int cnc_next_signal(void) {
    unsigned char byte = 0;
    while (loop_pipe[0] >= 0 && read(loop_pipe[0], &byte, 1) == 1) {
        if (is_ending(byte)) atomic_fetch_add(&heard, 1);
        if (byte != 0) return byte;
    }
    return 0;
}

void cns_stop_group(void) {
    struct sigaction present, standard = {.sa_handler = SIG_DFL};
    sigaction(SIGTSTP, &standard, &present);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &present, NULL);
}

void cnc_on_forced_exit(void (*callback)(void)) { atomic_store(&forced_exit, callback); }
