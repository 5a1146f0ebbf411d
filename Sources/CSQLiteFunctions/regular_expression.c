#include "CRegularExpression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

// An honest pattern needs far less for a long article. One that backtracks without end reaches the limits within milliseconds.
enum { most_steps = 500000, most_kibibytes = 4096, most_depth = 100000 };

struct cre_pattern {
    pcre2_code *code;
    pcre2_match_context *limits;
};

cre_pattern *cre_read(const uint8_t *pattern, size_t length, char *message, size_t message_size, size_t *place) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    // NEVER_BACKSLASH_C, because \C could match a part of a character.
    pcre2_code *code = pcre2_compile(
        pattern, length, PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C, &error, &offset, NULL);
    if (code == NULL) {
        *place = offset;
        if (pcre2_get_error_message(error, (PCRE2_UCHAR *)message, message_size) < 0 && message_size > 0) message[0] = 0;
        return NULL;
    }
    // Compiling to machine code is faster, but some systems forbid it. Matching works without it.
    (void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    cre_pattern *result = malloc(sizeof *result);
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    if (result == NULL || limits == NULL) {
        free(result);
        pcre2_match_context_free(limits);
        pcre2_code_free(code);
        *place = 0;
        if (message_size > 0) message[0] = 0;
        return NULL;
    }
    pcre2_set_match_limit(limits, most_steps);
    pcre2_set_heap_limit(limits, most_kibibytes);
    pcre2_set_depth_limit(limits, most_depth);
    *result = (cre_pattern){code, limits};
    return result;
}

void cre_free(cre_pattern *pattern) {
    if (pattern == NULL) return;
    pcre2_match_context_free(pattern->limits);
    pcre2_code_free(pattern->code);
    free(pattern);
}

int cre_finds(const cre_pattern *pattern, const uint8_t *text, size_t length) {
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    if (data == NULL) return -1;
    int result = pcre2_match(pattern->code, text, length, 0, 0, data, pattern->limits);
    // Compiled patterns have a small stack; the interpreter uses the heap.
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match(pattern->code, text, length, 0, PCRE2_NO_JIT, data, pattern->limits);
    pcre2_match_data_free(data);
    if (result >= 0) return 1;
    // Nothing matches in text that isn't UTF-8.
    if (result == PCRE2_ERROR_NOMATCH || (result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21)) return 0;
    return -1;
}

void cre_version(char text[static 64]) {
    // Such as "10.42 2022-12-11". It never exceeds 24 characters (pcre2api(3)).
    if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) > 64 || pcre2_config(PCRE2_CONFIG_VERSION, text) < 0) text[0] = 0;
}
