// The fields of a header, as received.

#ifndef CCURL_FIELDS_H
#define CCURL_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A part of a header, without a terminating null byte.
typedef struct {
    const char *bytes;
    size_t size;
} cfd_span;

/// Returns a part without white space at its ends.
cfd_span cfd_trimmed(cfd_span text);
/// Whether a line is a field with a name (RFC 9110, section 5.1: blanks after the colon are optional).
bool cfd_is_field(cfd_span line, const char *name, cfd_span *value);
/// Returns the number at the start of a text, or -1 if there is none.
int64_t cfd_number(cfd_span text);
/// Returns the first byte of a part according to Content-Range (RFC 9110, section 14.4), or -1.
int64_t cfd_range_start(cfd_span fields);
/// Joins the values of all fields with a name by commas. Returns false if they don't fit.
bool cfd_join(cfd_span fields, const char *name, char *buffer, size_t capacity, size_t *size);

#endif
