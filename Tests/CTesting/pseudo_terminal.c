#define _GNU_SOURCE

#include "CPseudoTerminal.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cpt_spawn(const char *const *arguments, int rows, int columns, pid_t *child) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    int descriptor = -1;
    pid_t pid = forkpty(&descriptor, NULL, NULL, &size);
    if (pid < 0) return -1;
    if (pid == 0) {
        // Who starts it from a thread of a dispatch queue has all signals blocked.
        sigset_t none_blocked;
        sigemptyset(&none_blocked);
        sigprocmask(SIG_SETMASK, &none_blocked, NULL);
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        unsetenv("NO_COLOR");
        execvp(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    // Other children of the tests must not hold it open.
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    *child = pid;
    return descriptor;
}
