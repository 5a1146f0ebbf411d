#ifndef CREGULAREXPRESSION_H
#define CREGULAREXPRESSION_H

#include <stddef.h>
#include <stdint.h>

/// A compiled pattern, which several threads can use at the same time.
typedef struct cre_pattern cre_pattern;

/// Compiles a Perl-compatible pattern (pcre2pattern(3)) in UTF-8. It ignores case unless the pattern says otherwise.
///
/// Returns NULL if it is invalid, with a message and the offset of the error in bytes.
cre_pattern *cre_read(const uint8_t *pattern, size_t length, char *message, size_t message_size, size_t *place);
void cre_free(cre_pattern *pattern);

/// Whether the pattern matches in a text in UTF-8: 1 or 0, or -1 if matching exceeds the limits of steps or memory (pcre2api(3),
/// pcre2_set_match_limit, pcre2_set_heap_limit).
int cre_finds(const cre_pattern *pattern, const uint8_t *text, size_t length);

/// Writes the version of PCRE2.
void cre_version(char text[static 64]);

#endif
