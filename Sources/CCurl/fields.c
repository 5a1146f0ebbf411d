#include "fields.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

cfd_span cfd_trimmed(cfd_span text) {
    while (text.size > 0 && is_blank(text.bytes[0])) text.bytes++, text.size--;
    while (text.size > 0 && is_blank(text.bytes[text.size - 1])) text.size--;
    return text;
}

bool cfd_is_field(cfd_span line, const char *name, cfd_span *value) {
    size_t size = strlen(name);
    if (line.size <= size || line.bytes[size] != ':' || strncasecmp(line.bytes, name, size) != 0) return false;
    *value = cfd_trimmed((cfd_span){line.bytes + size + 1, line.size - size - 1});
    return true;
}

static bool next_line(cfd_span *rest, cfd_span *line) {
    if (rest->size == 0) return false;
    const char *end = memchr(rest->bytes, '\n', rest->size);
    size_t size = end == NULL ? rest->size : (size_t)(end - rest->bytes) + 1;
    *line = (cfd_span){rest->bytes, size};
    rest->bytes += size;
    rest->size -= size;
    return true;
}

int64_t cfd_number(cfd_span text) {
    int64_t value = -1;
    for (size_t i = 0; i < text.size && text.bytes[i] >= '0' && text.bytes[i] <= '9'; i++) {
        int64_t digit = text.bytes[i] - '0';
        if (value > (INT64_MAX - digit) / 10) return -1;
        value = (value < 0 ? 0 : value * 10) + digit;
    }
    return value;
}

int64_t cfd_range_start(cfd_span fields) {
    cfd_span line, value;
    while (next_line(&fields, &line)) {
        if (!cfd_is_field(line, "content-range", &value)) continue;
        if (value.size < 6 || strncasecmp(value.bytes, "bytes", 5) != 0 || !is_blank(value.bytes[5])) return -1;
        return cfd_number(cfd_trimmed((cfd_span){value.bytes + 5, value.size - 5}));
    }
    return -1;
}

bool cfd_join(cfd_span fields, const char *name, char *buffer, size_t capacity, size_t *size) {
    cfd_span line, value;
    *size = 0;
    while (next_line(&fields, &line)) {
        if (!cfd_is_field(line, name, &value)) continue;
        if (value.size + 1 > capacity - *size) return false;
        if (*size > 0) buffer[(*size)++] = ',';
        memcpy(buffer + *size, value.bytes, value.size);
        *size += value.size;
    }
    return true;
}
