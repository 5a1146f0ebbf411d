// A file system under SQLite that remembers what was synced, to test what survives a power cut.

#ifndef CPOWERCUT_H
#define CPOWERCUT_H

#include <stdint.h>

/// Becomes the default file system of SQLite in this process. It writes to the real files as usual, and records each
/// write, truncation, deletion and sync of databases and their logs.
///
/// Returns 0, or an error of SQLite.
int cpc_install(void);

/// Whether files that are opened from now on are recorded.
void cpc_set_recording(int records);

/// Whether the disk reports syncs as done without doing them, to see that lost writes are noticed.
void cpc_set_lying(int lies);

/// Returns the number of events since the start.
long cpc_events(void);

/// Returns the number of syncs since the start.
long cpc_syncs(void);

/// Writes the files as a disk may have them after a power cut.
///
/// What was synced is there. Of all other writes and truncations each is there, missing or, by sectors of 512 bytes,
/// partly there. New and deleted names that no sync has confirmed exist or not.
///
/// `events` is the number of events before the cut, `seed` decides what remains, and `folder` receives the files under
/// their last path components. Returns 0, or -1 if a file can't be written.
int cpc_cut(long events, uint64_t seed, const char *folder);

#endif
