// Output to the terminal. ncurses writes to memory, and each frame is sent at once without waiting for a reader.

#ifndef CNCURSES_OUTPUT_H
#define CNCURSES_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Opens the terminal of a descriptor for output. Returns the file for ncurses, or null.
FILE *cno_open(int output);
void cno_close(void);
/// Queues what ncurses has written since the last call, between two texts unless it is empty. Returns false if a part of it was
/// lost.
bool cno_take_frame(const char *before, const char *after);
void cno_append(const char *bytes, size_t count);
/// Sends pending output up to a number of milliseconds. Returns whether all was sent.
bool cno_drain(int timeout_ms);
/// Discards pending output, here and in the terminal's queue, and sends final bytes. Safe in a signal handler.
void cno_force(const char *bytes, size_t count);
/// The descriptor to wait on until output is possible.
int cno_descriptor(void);

#endif
