// The system calls that decide what of a file survives a power cut. This target's functions replace those of the C
// library in the programs that contain it.

#ifndef CSYSTEMCALLS_H
#define CSYSTEMCALLS_H

/// Records the calls for paths that contain `part` until they are taken. Only one recording runs at a time.
void csc_record(const char *part);

/// Ends the recording and returns its calls, one a line: `fsync PATH SIZE`, `rename FROM TO` or `link FROM TO`. The caller
/// frees the text.
char *csc_take(void);

#endif
