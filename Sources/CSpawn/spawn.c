#define _GNU_SOURCE

#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

int csp_start(const char *const *arguments, const char *const *environment, const char *input, const char *output,
              const char *errors, bool in_new_session, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const char *none = "/dev/null";
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, input != NULL ? input : none, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output != NULL ? output : none, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, errors != NULL ? errors : none, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    // The threads of a program that uses dispatch queues block all signals, and a child would inherit that.
    sigset_t none_blocked;
    sigemptyset(&none_blocked);
    posix_spawnattr_setsigmask(&attributes, &none_blocked);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | (in_new_session ? POSIX_SPAWN_SETSID : 0));
    int result = posix_spawn(child, arguments[0], &actions, &attributes, (char *const *)arguments,
                             environment != NULL ? (char *const *)environment : environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

int csp_wait(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
