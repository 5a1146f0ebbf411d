#include "decoding.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

// libbrotlidec, on which libcurl usually depends, looked up by name (brotli/decode.h).
static struct {
    void *(*create)(void *, void *, void *);
    int (*decompress)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    void (*destroy)(void *);
} brotli;

static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static bool has_brotli;

static void open_brotli(void) {
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    *(void **)&brotli.create = dlsym(library, "BrotliDecoderCreateInstance");
    *(void **)&brotli.decompress = dlsym(library, "BrotliDecoderDecompressStream");
    *(void **)&brotli.destroy = dlsym(library, "BrotliDecoderDestroyInstance");
    has_brotli = brotli.create != NULL && brotli.decompress != NULL && brotli.destroy != NULL;
}

const char *ccd_accepted(void) {
    pthread_once(&open_once, open_brotli);
    return has_brotli ? "gzip, deflate, br" : "gzip, deflate";
}

// MARK: Output

typedef struct {
    uint8_t *bytes;
    size_t size, capacity, maximum;
} output;

// Makes room for at least one byte. One byte more than the maximum fits. Once it is used there is no room, and the document is too
// large.
static bool has_room(output *out) {
    if (out->size < out->capacity) return true;
    size_t most = out->maximum < SIZE_MAX ? out->maximum + 1 : SIZE_MAX;
    size_t wanted = out->capacity == 0 ? 64 << 10 : out->capacity > most / 2 ? most : out->capacity * 2;
    if (wanted > most) wanted = most;
    uint8_t *grown = wanted > out->size ? realloc(out->bytes, wanted) : NULL;
    if (grown == NULL) return false;
    out->bytes = grown;
    out->capacity = wanted;
    return true;
}

// MARK: Codings

static bool begins_gzip(const uint8_t *bytes, size_t count) { return count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B; }

// The header of zlib (RFC 1950, section 2.2). Some servers omit it and send raw deflate data.
static bool begins_zlib(const uint8_t *bytes, size_t count) {
    return count >= 2 && (bytes[0] & 0x0F) == 8 && (bytes[0] << 8 | bytes[1]) % 31 == 0;
}

enum { window_gzip = 16 + MAX_WBITS, window_zlib = MAX_WBITS, window_bare = -MAX_WBITS };

// A gzip file may have several members (RFC 1952, section 2.2). As in gzip(1), other bytes after the last member are ignored.
static int inflate_all(const uint8_t *bytes, size_t count, int window, output *out) {
    z_stream stream = {0};
    if (inflateInit2(&stream, window) != Z_OK) return CCURL_DECODED_NO_MEMORY;
    stream.next_in = (uint8_t *)bytes;
    int result = CCURL_DECODED_CUT;
    for (;;) {
        if (stream.avail_in == 0) {
            size_t left = count - (size_t)(stream.next_in - bytes);
            stream.avail_in = left > UINT_MAX ? UINT_MAX : (uInt)left;
        }
        if (!has_room(out)) {
            result = CCURL_DECODED_NO_MEMORY;
            break;
        }
        size_t room = out->capacity - out->size;
        if (room > UINT_MAX) room = UINT_MAX;
        stream.next_out = out->bytes + out->size;
        stream.avail_out = (uInt)room;
        int code = inflate(&stream, Z_NO_FLUSH);
        out->size += room - stream.avail_out;
        if (code == Z_OK) continue;
        // The data ends early or is damaged.
        if (code != Z_STREAM_END) break;
        size_t left = count - (size_t)(stream.next_in - bytes);
        if (window != window_gzip || !begins_gzip(stream.next_in, left)) {
            result = CCURL_DECODED;
            break;
        }
        inflateReset(&stream);
    }
    inflateEnd(&stream);
    return result;
}

static int decode_brotli(const uint8_t *bytes, size_t count, output *out) {
    enum { is_whole = 1, needs_input = 2, needs_output = 3 };
    void *decoder = brotli.create(NULL, NULL, NULL);
    if (decoder == NULL) return CCURL_DECODED_NO_MEMORY;
    int result = CCURL_DECODED_CUT, state = needs_output;
    while (state == needs_output) {
        if (!has_room(out)) {
            result = CCURL_DECODED_NO_MEMORY;
            break;
        }
        size_t room = out->capacity - out->size;
        uint8_t *target = out->bytes + out->size;
        state = brotli.decompress(decoder, &count, &bytes, &room, &target, NULL);
        out->size = out->capacity - room;
        if (state == is_whole) result = CCURL_DECODED;
    }
    brotli.destroy(decoder);
    return result;
}

// MARK: Layers

enum { coding_none, coding_gzip, coding_deflate, coding_brotli };

static int coding_named(const char *name, size_t size) {
    pthread_once(&open_once, open_brotli);
    static const struct {
        const char *name;
        int coding;
    } known[] = {{"gzip", coding_gzip}, {"x-gzip", coding_gzip}, {"deflate", coding_deflate}, {"br", coding_brotli}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) != size || strncasecmp(known[i].name, name, size) != 0) continue;
        return known[i].coding != coding_brotli || has_brotli ? known[i].coding : coding_none;
    }
    // Any other name, such as "identity" or "UTF-8": the document may be readable as it is.
    return coding_none;
}

static int decode_layer(int coding, const uint8_t *bytes, size_t count, output *out) {
    int result;
    switch (coding) {
    case coding_gzip: result = inflate_all(bytes, count, window_gzip, out); break;
    case coding_deflate: result = inflate_all(bytes, count, begins_zlib(bytes, count) ? window_zlib : window_bare, out); break;
    default: result = decode_brotli(bytes, count, out);
    }
    return out->size > out->maximum ? CCURL_DECODED_TOO_LARGE : result;
}

// Replaces the bytes by their content after removing one coding.
static int remove_layer(int coding, const uint8_t **bytes, size_t *count, uint8_t **owned, size_t maximum) {
    // A proxy may have decoded the document without removing the field.
    if (coding == coding_gzip && !begins_gzip(*bytes, *count)) return CCURL_DECODED;
    output out = {.maximum = maximum};
    int result = decode_layer(coding, *bytes, *count, &out);
    free(*owned);
    *owned = out.bytes;
    *bytes = out.bytes;
    *count = out.size;
    return result;
}

int ccd_decode(const char *codings, size_t size, const uint8_t *bytes, size_t count, size_t maximum, uint8_t **decoded,
               size_t *decoded_count) {
    enum { most_layers = 4 };
    uint8_t *owned = NULL;
    int result = CCURL_DECODED, layers = 0;
    // The codings are in the order in which they were applied, so the last is removed first.
    for (size_t end = size; result <= CCURL_DECODED_CUT && count > 0;) {
        size_t start = end;
        while (start > 0 && codings[start - 1] != ',') start--;
        size_t first = start, last = end;
        while (first < last && (unsigned char)codings[first] <= ' ') first++;
        while (last > first && (unsigned char)codings[last - 1] <= ' ') last--;
        int coding = coding_named(codings + first, last - first);
        if (coding != coding_none) {
            if (++layers > most_layers) {
                result = CCURL_DECODED_CUT;
                count = 0;
                break;
            }
            int layer = remove_layer(coding, &bytes, &count, &owned, maximum);
            if (layer > result) result = layer;
        }
        if (start == 0) break;
        end = start - 1;
    }
    // No document begins like this: it is a compressed file, or the field is missing.
    if (result <= CCURL_DECODED_CUT && begins_gzip(bytes, count)) {
        int layer = remove_layer(coding_gzip, &bytes, &count, &owned, maximum);
        if (layer > result) result = layer;
    }
    *decoded = owned;
    *decoded_count = count;
    return result;
}
