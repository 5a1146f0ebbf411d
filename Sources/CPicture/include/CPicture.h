// JPEG, PNG, WebP and GIF behind two functions.
//
// The kind is told by the first bytes and the size is read before anything is allocated, so that a file that lies about
// itself is refused at once. Pictures come from strangers: nothing here reads past the given bytes.

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

/// What a picture says of itself.
typedef struct {
    int kind;
    int width;
    int height;
} cpic_info;

/// Reads kind and size. Returns 0, or -1 when the bytes are not a picture of a known kind.
int cpic_probe(const uint8_t *bytes, size_t count, cpic_info *info);

/// Decodes the first frame as RGBA, scaled down while decoding so that it is at least the wanted size where the picture
/// is. The result is freed by cpic_free. Returns 0, or -1 when the picture is damaged.
int cpic_decode(const uint8_t *bytes, size_t count, int wanted_width, int wanted_height, uint8_t **rgba, int *width,
                int *height);
void cpic_free(uint8_t *rgba);

/// The version of libspng, and that of libwebp in three bytes.
const char *cpic_spng_version(void);
int cpic_webp_version(void);

#endif
