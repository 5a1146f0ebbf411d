#ifndef CREGULAREXPRESSION_H
#define CREGULAREXPRESSION_H

#include <stddef.h>
#include <stdint.h>

/// A pattern that was read; it may be used by several threads at the same time.
typedef struct cre_pattern cre_pattern;

/// Reads a pattern in the syntax of Perl (pcre2pattern(3)), in UTF-8; large and small letters are the same, unless the pattern says
/// otherwise.
///
/// Returns NULL when it cannot be read: then the message is written, and the place, in bytes, at which it was noticed.
cre_pattern *cre_read(const uint8_t *pattern, size_t length, char *message, size_t message_size, size_t *place);
void cre_free(cre_pattern *pattern);

/// Whether the pattern is found in a text of UTF-8: 1 or 0, and -1 when that would take more steps or memory than are allowed
/// (pcre2api(3), pcre2_set_match_limit, pcre2_set_heap_limit).
int cre_finds(const cre_pattern *pattern, const uint8_t *text, size_t length);

/// Writes the version of PCRE2.
void cre_version(char text[static 64]);

#endif
