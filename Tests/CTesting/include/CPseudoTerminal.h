// Runs a program in a pseudo-terminal, to measure whole programs from outside.

#ifndef CPSEUDOTERMINAL_H
#define CPSEUDOTERMINAL_H

#include <sys/types.h>

/// Starts `arguments` (ended by a null) in a new pseudo-terminal with TERM=xterm-256color. Returns the descriptor of its
/// other end, or -1.
int cpt_spawn(const char *const *arguments, int rows, int columns, pid_t *child);

#endif
