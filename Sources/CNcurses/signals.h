// Signals: the loop hears of them through a pipe, and a thread of their own ends the program where the loop does not.

#ifndef CNCURSES_SIGNALS_H
#define CNCURSES_SIGNALS_H

#include <stdbool.h>

/// Takes the signals over. Returns false when there are no descriptors left.
bool cns_install(void);
/// Gives them back as they were.
void cns_restore(void);
/// The descriptor that is readable when a signal has arrived.
int cns_pipe(void);
/// The next signal that has arrived, or 0.
int cns_next(void);
/// Stops the process group as Ctrl-Z does; returns once it is continued.
void cns_stop_group(void);
/// Called, on a thread of its own, before the program is ended by force.
void cns_on_forced_exit(void (*callback)(void));

/// Gives the terminal back at once: for dying programs.
void cnc_restore_now(void);

#endif
