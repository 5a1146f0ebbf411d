// What goes to the terminal: ncurses writes into memory, and each frame goes out in one piece, without ever waiting for a reader.

#ifndef CNCURSES_OUTPUT_H
#define CNCURSES_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Opens the way to the terminal behind a descriptor. Returns the file that ncurses writes to, or null.
FILE *cno_open(int output);
void cno_close(void);
/// Takes what ncurses has written since the last time, between two texts where it is anything.
void cno_take_frame(const char *before, const char *after);
void cno_append(const char *bytes, size_t count);
/// Sends what waits, for so many milliseconds at most. Returns whether all is gone.
bool cno_drain(int timeout_ms);
/// Throws away what waits, here and in the terminal's queue, and sends other bytes instead: for the end. Safe in a signal handler.
void cno_force(const char *bytes, size_t count);
bool cno_is_behind(void);
/// The descriptor to wait for room with.
int cno_descriptor(void);

#endif
