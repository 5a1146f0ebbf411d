// Programs that end with this one, even if it is killed.
//
// Each has a guard: a process with one thread between this program and the started one. The guard notices the end of this
// program, because the kernel then closes the other end of `control`. The guard becomes the parent of all orphans among the
// program's descendants, so that none escapes into another group or session. PR_SET_PDEATHSIG isn't enough: it depends on
// the thread that started the program, and doesn't end the program's children.

#define _GNU_SOURCE

#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// A report of the guard: first whether the program has started, then how it ended.
typedef struct {
    int value;
    pid_t program;
} message;

enum { control_end = 3, milliseconds_of_grace = 1000, milliseconds_to_end = 10000 };

// Until the program starts, only calls follow that are safe after a fork in a program with several threads.

static pid_t divide(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    return _Fork();
#else
    return fork();
#endif
}

static void close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
    long count = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < (count < 0 ? 1024 : count); descriptor++) close(descriptor);
}

// Moves descriptors to 0, 1, 2 and 3, and closes all others.
static bool place(int input, int output, int errors, int control) {
    int from[4] = {input, output, errors, control};
    for (int i = 0; i < 4; i++) {
        from[i] = from[i] < 0 ? open("/dev/null", O_RDWR) : from[i];
        from[i] = fcntl(from[i], F_DUPFD, 10);
        if (from[i] < 0) return false;
    }
    for (int i = 0; i < 4; i++) {
        if (dup2(from[i], i) < 0) return false;
    }
    close_from(4);
    return true;
}

static void run_program(const char *const *arguments, char *const *environment, bool is_in_terminal, pid_t guard,
                        int report) {
    if (is_in_terminal) {
        setpgid(0, 0);
    } else {
        setsid();
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, is_in_terminal ? SIGHUP : SIGKILL);
    if (getppid() != guard) _exit(127);
#endif
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    close(control_end);
    execve(arguments[0], (char *const *)arguments, environment);
    int problem = errno;
    while (write(report, &problem, sizeof problem) < 0 && errno == EINTR) {}
    _exit(127);
}

// Sends a signal to all children of this process.
static void signal_children(int number) {
#ifdef __linux__
    int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) return;
    char text[4096];
    pid_t child = 0;
    for (;;) {
        ssize_t count = read(list, text, sizeof text);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        for (ssize_t i = 0; i < count; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                child = child * 10 + (text[i] - '0');
            } else {
                if (child > 1) kill(child, number);
                child = 0;
            }
        }
    }
    close(list);
#else
    (void)number;
#endif
}

// Ends the program's group, and whatever else has become a child of this process.
static void end_all(pid_t program, bool is_gentle) {
    if (is_gentle) {
        kill(-program, SIGHUP);
        kill(-program, SIGCONT);
    }
    for (int waited = 0; waited < milliseconds_to_end; waited++) {
        if (!is_gentle || waited >= milliseconds_of_grace) {
            kill(-program, SIGKILL);
            signal_children(SIGKILL);
        }
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0 || (ended < 0 && errno == EINTR)) {}
        if (ended < 0) return;
        poll(NULL, 0, 1);
    }
}

static int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status); }

static void report(int value, pid_t program) {
    message message = {value, program};
    while (send(control_end, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
}

// The guard. Signals that reach it with its group must not end it.
static _Noreturn void guard(const char *const *arguments, char *const *environment, bool is_in_terminal, bool keeps_rest) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (!is_in_terminal) setsid();
    int ends = -1;
#ifdef __linux__
    prctl(PR_SET_NAME, "tappa-guard");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &standard, NULL);
    sigset_t child_signal;
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    ends = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
#endif
    int start[2];
    if (pipe2(start, O_CLOEXEC) != 0) _exit(1);
    pid_t self = getpid();
    pid_t program = divide();
    if (program == 0) run_program(arguments, environment, is_in_terminal, self, start[1]);
    int problem = program < 0 ? errno : 0;
    close(start[1]);
    if (program > 0) {
        while (read(start[0], &problem, sizeof problem) < 0 && errno == EINTR) {}
        // The program may not have reached its group yet when it gets the terminal.
        if (is_in_terminal) setpgid(program, program);
    }
    close(start[0]);
    report(problem, program);
    if (problem != 0) _exit(0);
    // Only the started programs keep the streams open.
    for (int stream = 0; stream < 3; stream++) close(stream);
    for (;;) {
        struct pollfd waiting[2] = {{.fd = control_end, .events = POLLIN}, {.fd = ends, .events = POLLIN}};
        int count = poll(waiting, 2, ends < 0 ? 20 : -1);
        if (count < 0 && errno != EINTR) break;
        char buffer[512];
        if (ends >= 0 && waiting[1].revents != 0) {
            while (read(ends, buffer, sizeof buffer) > 0) {}
        }
        int status;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
            if (ended != program) continue;
            // No shell would continue it, so the guard does.
            if (WIFSTOPPED(status)) {
                if (is_in_terminal) kill(-program, SIGCONT);
                continue;
            }
            if (!keeps_rest) end_all(program, false);
            report(code_of(status), program);
            _exit(0);
        }
        if (waiting[0].revents != 0) break;
    }
    end_all(program, is_in_terminal);
    _exit(0);
}

// Receives a report. Returns false if the guard has ended without one.
static bool receive(int control, message *report) {
    ssize_t count;
    while ((count = recv(control, report, sizeof *report, 0)) < 0 && errno == EINTR) {}
    return count == sizeof *report;
}

// Starts a guard with its program. The caller still closes the descriptors.
static int start(const char *const *arguments, const char *const *environment, int input, int output, int errors,
                 bool is_in_terminal, bool keeps_rest, csp_guarded *result, pid_t *program) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    char *const *variables = environment != NULL ? (char *const *)environment : environ;
    // No signal may reach the guard before it blocks them: it still has this program's handlers.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = divide();
    int problem = errno;
    if (child == 0) {
        if (!place(input, output, errors, ends[1])) _exit(1);
        guard(arguments, variables, is_in_terminal, keeps_rest);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return problem;
    }
    message first;
    problem = receive(ends[0], &first) ? first.value : EAGAIN;
    if (problem != 0) {
        close(ends[0]);
        csp_wait(child);
        return problem;
    }
    result->guard = child;
    result->control = ends[0];
    *program = first.program;
    return 0;
}

int csp_start_guarded(const char *const *arguments, const char *const *environment, int input, bool keeps_rest,
                      csp_guarded *program) {
    // Without a second pipe, -1 is closed, which does nothing.
    int output[2], errors[2] = {-1, -1};
    if (pipe2(output, O_CLOEXEC) != 0) return errno;
    int problem = pipe2(errors, O_CLOEXEC) != 0 ? errno : 0;
    pid_t started;
    if (problem == 0) {
        problem = start(arguments, environment, input, output[1], errors[1], false, keeps_rest, program, &started);
    }
    close(output[1]);
    close(errors[1]);
    if (problem != 0) {
        close(output[0]);
        close(errors[0]);
        return problem;
    }
    program->output = output[0];
    program->errors = errors[0];
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    return 0;
}

bool csp_guarded_end(const csp_guarded *program, int *code) {
    message end;
    if (!receive(program->control, &end)) return false;
    *code = end.value;
    return true;
}

void csp_end_guard(csp_guarded *program) {
    close(program->control);
    if (program->output >= 0) close(program->output);
    if (program->errors >= 0) close(program->errors);
    csp_wait(program->guard);
}

int csp_run_in_terminal(const char *const *arguments, const char *const *environment, int terminal) {
    csp_guarded guarded = {.output = -1, .errors = -1};
    pid_t program;
    if (start(arguments, environment, terminal, terminal, terminal, true, true, &guarded, &program) != 0) return 127;
    // A background process that changes the terminal's group is stopped by SIGTTOU.
    sigset_t terminal_signal, before;
    sigemptyset(&terminal_signal);
    sigaddset(&terminal_signal, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &terminal_signal, &before);
    pid_t own = tcgetpgrp(terminal);
    tcsetpgrp(terminal, program);
    kill(-program, SIGCONT);
    int code;
    if (!csp_guarded_end(&guarded, &code)) code = -SIGKILL;
    tcsetpgrp(terminal, own);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    csp_end_guard(&guarded);
    return code;
}

int csp_anonymous_file(long most) {
#if defined(__linux__) && defined(MFD_ALLOW_SEALING)
    int file = memfd_create("tappa", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0) {
        if (most > 0 && (ftruncate(file, most) != 0 || fcntl(file, F_ADD_SEALS, F_SEAL_GROW) != 0)) {
            close(file);
            return -1;
        }
        return file;
    }
#endif
    (void)most;
    char name[] = "/tmp/tappa-XXXXXX";
    int named = mkostemp(name, O_CLOEXEC);
    if (named >= 0) unlink(name);
    return named;
}
