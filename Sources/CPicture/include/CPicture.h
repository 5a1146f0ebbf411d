// JPEG, PNG, WebP and GIF behind two functions.
//
// The first bytes determine the type, and the size is read before anything is allocated, so a file with a false size is
// rejected at once. Pictures are untrusted, so nothing reads past the given bytes.

#ifndef CPICTURE_H
#define CPICTURE_H

#include <stddef.h>
#include <stdint.h>

enum {
    CPIC_UNKNOWN = 0,
    CPIC_JPEG = 1,
    CPIC_PNG = 2,
    CPIC_GIF = 3,
    CPIC_WEBP = 4,
};

/// The type and size of a picture.
typedef struct {
    int kind;
    int width;
    int height;
} cpic_info;

/// Reads type and size. Returns 0, or -1 if the bytes are not a picture of a known type.
int cpic_probe(const uint8_t *bytes, size_t count, cpic_info *info);

/// Decodes the first frame as RGBA. A larger picture is scaled down while decoding, but not below the wanted size. Free the
/// result with cpic_free. Returns 0, or -1 if the picture is damaged.
int cpic_decode(const uint8_t *bytes, size_t count, int wanted_width, int wanted_height, uint8_t **rgba, int *width,
                int *height);
void cpic_free(uint8_t *rgba);

/// The version of libspng, and that of libwebp in three bytes.
const char *cpic_spng_version(void);
int cpic_webp_version(void);

#endif
