// Signals. The event loop receives them through a pipe, and a separate thread ends the program if the loop doesn't react.

#ifndef CNCURSES_SIGNALS_H
#define CNCURSES_SIGNALS_H

#include <stdbool.h>

/// Installs the signal handlers. Returns false if no descriptors are left.
bool cns_install(void);
/// Restores the previous signal handlers.
void cns_restore(void);
/// The descriptor that becomes readable when a signal arrives.
int cns_pipe(void);
/// Suspends the process group like Ctrl-Z, and returns once it is continued.
void cns_stop_group(void);

/// Restores the terminal at once, for a program that is about to die.
void cnc_restore_now(void);

#endif
