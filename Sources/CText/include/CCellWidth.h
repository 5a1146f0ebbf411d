// The C library's wcwidth, which Swift doesn't import.

#ifndef CCELLWIDTH_H
#define CCELLWIDTH_H

#include <stdint.h>

/// Returns the width of a character: 0, 1 or 2 columns, or -1 if the C library doesn't know it.
int ccw_columns(uint32_t scalar);
/// Sets the character encoding of the process's locale to UTF-8, if it isn't.
void ccw_use_utf8(void);

#endif
