// The C library's wcwidth, which Swift's view of it leaves out.

#ifndef CCELLWIDTH_H
#define CCELLWIDTH_H

#include <stdint.h>

/// The columns of a character: 0, 1 or 2; -1 when the C library does not know it.
int ccw_columns(uint32_t scalar);
/// Makes the character type of the process's locale one of UTF-8, if it is not.
void ccw_use_utf8(void);

#endif
