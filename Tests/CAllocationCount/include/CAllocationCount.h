// Counts the allocations of each thread of a program that links this. It replaces the C library's functions by ones that count and
// forward, which only glibc allows.

#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted: with glibc, and without a sanitizer that replaces the same functions.
bool cac_is_counting(void);
/// The number of allocations by the calling thread since its start, including those that grow or shrink memory.
int64_t cac_allocations(void);

#endif
