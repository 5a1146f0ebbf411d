#include "CPicture.h"

#include <gif_lib.h>
#include <spng.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <webp/decode.h>

static int kind_of(const uint8_t *b, size_t n) {
    if (n >= 3 && b[0] == 0xFF && b[1] == 0xD8 && b[2] == 0xFF) return CPIC_JPEG;
    if (n >= 8 && memcmp(b, "\x89PNG\r\n\x1a\n", 8) == 0) return CPIC_PNG;
    if (n >= 6 && (memcmp(b, "GIF87a", 6) == 0 || memcmp(b, "GIF89a", 6) == 0)) return CPIC_GIF;
    if (n >= 12 && memcmp(b, "RIFF", 4) == 0 && memcmp(b + 8, "WEBP", 4) == 0) return CPIC_WEBP;
    return CPIC_UNKNOWN;
}

static uint32_t big_endian(const uint8_t *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

int cpic_probe(const uint8_t *bytes, size_t count, cpic_info *info) {
    info->kind = kind_of(bytes, count);
    info->width = info->height = 0;
    switch (info->kind) {
    case CPIC_JPEG: {
        tjhandle handle = tjInitDecompress();
        int subsampling = 0, space = 0;
        int result = handle == NULL ? -1
                                    : tjDecompressHeader3(handle, bytes, count, &info->width, &info->height,
                                                          &subsampling, &space);
        if (handle != NULL) tjDestroy(handle);
        return result == 0 ? 0 : -1;
    }
    case CPIC_PNG:
        if (count < 24 || memcmp(bytes + 12, "IHDR", 4) != 0) return -1;
        if (big_endian(bytes + 16) > 0x7FFFFFFF || big_endian(bytes + 20) > 0x7FFFFFFF) return -1;
        info->width = (int)big_endian(bytes + 16);
        info->height = (int)big_endian(bytes + 20);
        break;
    case CPIC_GIF:
        if (count < 10) return -1;
        info->width = bytes[6] | bytes[7] << 8;
        info->height = bytes[8] | bytes[9] << 8;
        break;
    case CPIC_WEBP:
        if (!WebPGetInfo(bytes, count, &info->width, &info->height)) return -1;
        break;
    default:
        return -1;
    }
    return info->width > 0 && info->height > 0 ? 0 : -1;
}

// Returns the number of pixels in each direction that can become one so that the picture keeps at least the wanted size.
static int step_for(unsigned width, unsigned height, int wanted_width, int wanted_height) {
    unsigned step = 1;
    while (width / (step + 1) >= (unsigned)wanted_width && height / (step + 1) >= (unsigned)wanted_height) step += 1;
    return (int)step;
}

static uint8_t *allocate(int width, int height) { return calloc((size_t)width * (size_t)height, 4); }

static int decode_jpeg(const uint8_t *bytes, size_t count, int wanted_width, int wanted_height, uint8_t **rgba,
                       int *width, int *height) {
    tjhandle handle = tjInitDecompress();
    if (handle == NULL) return -1;
    int full_width = 0, full_height = 0, subsampling = 0, space = 0, result = -1;
    if (tjDecompressHeader3(handle, bytes, count, &full_width, &full_height, &subsampling, &space) == 0) {
        // The smallest of the decoder's scales that still has the wanted size.
        int denominator = 1;
        while (denominator < 8 && full_width / (denominator * 2) >= wanted_width &&
               full_height / (denominator * 2) >= wanted_height)
            denominator *= 2;
        tjscalingfactor factor = {1, denominator};
        *width = TJSCALED(full_width, factor);
        *height = TJSCALED(full_height, factor);
        *rgba = allocate(*width, *height);
        if (*rgba != NULL) {
            result = tjDecompress2(handle, bytes, count, *rgba, *width, *width * 4, *height, TJPF_RGBA, 0);
            // A warning means that the picture ends early. Its beginning is shown.
            if (result != 0 && tjGetErrorCode(handle) == TJERR_WARNING) result = 0;
        }
    }
    tjDestroy(handle);
    return result;
}

static int decode_png(const uint8_t *bytes, size_t count, int wanted_width, int wanted_height, uint8_t **rgba,
                      int *width, int *height) {
    spng_ctx *context = spng_ctx_new(SPNG_CTX_IGNORE_ADLER32);
    if (context == NULL) return -1;
    struct spng_ihdr header;
    int result = -1;
    spng_set_crc_action(context, SPNG_CRC_USE, SPNG_CRC_USE);
    spng_set_png_buffer(context, bytes, count);
    uint8_t *row = NULL;
    if (spng_get_ihdr(context, &header) == 0) {
        // Pixels are averaged row by row, so that the full picture is never in memory.
        bool interlaced = header.interlace_method != 0;
        int step = interlaced ? 1 : step_for(header.width, header.height, wanted_width, wanted_height);
        *width = (int)header.width / step;
        *height = (int)header.height / step;
        size_t row_size = (size_t)header.width * 4;
        *rgba = allocate(*width, *height);
        row = malloc(row_size);
        // The sum over a large square of pixels exceeds 32 bits.
        uint64_t *sums = calloc((size_t)*width * 4, sizeof *sums);
        if (*rgba != NULL && row != NULL && sums != NULL &&
            spng_decode_image(context, NULL, 0, SPNG_FMT_RGBA8, SPNG_DECODE_PROGRESSIVE | SPNG_DECODE_TRNS) == 0) {
            struct spng_row_info info;
            int error = 0;
            while (error == 0 && spng_get_row_info(context, &info) == 0) {
                uint8_t *target = interlaced ? *rgba + (size_t)info.row_num * row_size : row;
                error = spng_decode_row(context, target, row_size);
                if (interlaced || (error != 0 && error != SPNG_EOI)) continue;
                int y = (int)info.row_num / step;
                if (y >= *height) continue;
                for (size_t x = 0; x < (size_t)*width * (size_t)step; x++) {
                    for (size_t c = 0; c < 4; c++) sums[x / (size_t)step * 4 + c] += row[x * 4 + c];
                }
                if ((int)info.row_num % step == step - 1) {
                    for (size_t i = 0; i < (size_t)*width * 4; i++) {
                        (*rgba)[(size_t)y * (size_t)*width * 4 + i] = (uint8_t)(sums[i] / ((uint64_t)step * (uint64_t)step));
                        sums[i] = 0;
                    }
                }
            }
            // If the picture ends early, its beginning is shown.
            result = 0;
        }
        free(sums);
    }
    free(row);
    spng_ctx_free(context);
    return result;
}

static int decode_webp(const uint8_t *bytes, size_t count, int wanted_width, int wanted_height, uint8_t **rgba,
                       int *width, int *height) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return -1;
    if (WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK || config.input.has_animation) return -1;
    int step = step_for((unsigned)config.input.width, (unsigned)config.input.height, wanted_width, wanted_height);
    *width = config.input.width / step;
    *height = config.input.height / step;
    *rgba = allocate(*width, *height);
    if (*rgba == NULL) return -1;
    config.options.use_scaling = step > 1;
    config.options.scaled_width = *width;
    config.options.scaled_height = *height;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = *rgba;
    config.output.u.RGBA.stride = *width * 4;
    config.output.u.RGBA.size = (size_t)*width * (size_t)*height * 4;
    int result = WebPDecode(bytes, count, &config) == VP8_STATUS_OK ? 0 : -1;
    WebPFreeDecBuffer(&config.output);
    return result;
}

typedef struct {
    const uint8_t *bytes;
    size_t count, offset;
} gif_source;

static int read_gif(GifFileType *file, GifByteType *target, int wanted) {
    gif_source *source = file->UserData;
    size_t left = source->count - source->offset;
    size_t n = (size_t)wanted < left ? (size_t)wanted : left;
    memcpy(target, source->bytes + source->offset, n);
    source->offset += n;
    return (int)n;
}

// Decodes only the first frame, line by line. The rest of an animation isn't read.
static int decode_gif(const uint8_t *bytes, size_t count, uint8_t **rgba, int *width, int *height) {
    gif_source source = {bytes, count, 0};
    int error = 0, result = -1;
    GifFileType *file = DGifOpen(&source, read_gif, &error);
    if (file == NULL) return -1;
    *width = file->SWidth;
    *height = file->SHeight;
    *rgba = allocate(*width, *height);
    GifRecordType record;
    int transparent = -1;
    while (*rgba != NULL && DGifGetRecordType(file, &record) == GIF_OK && record != TERMINATE_RECORD_TYPE) {
        if (record == EXTENSION_RECORD_TYPE) {
            int code;
            GifByteType *block;
            if (DGifGetExtension(file, &code, &block) != GIF_OK) break;
            // GIF89a, section 23: length, flags, delay in two bytes, transparent colour.
            if (code == GRAPHICS_EXT_FUNC_CODE && block != NULL && block[0] >= 4) {
                transparent = block[1] & 1 ? block[4] : -1;
            }
            while (block != NULL && DGifGetExtensionNext(file, &block) == GIF_OK) {}
            continue;
        }
        if (record != IMAGE_DESC_RECORD_TYPE || DGifGetImageDesc(file) != GIF_OK) break;
        GifImageDesc *frame = &file->Image;
        ColorMapObject *colors = frame->ColorMap != NULL ? frame->ColorMap : file->SColorMap;
        if (colors == NULL || frame->Width <= 0 || frame->Height <= 0) break;
        GifPixelType *line = malloc((size_t)frame->Width);
        static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
        int pass = 0, row = 0;
        for (int i = 0; line != NULL && i < frame->Height; i++) {
            if (DGifGetLine(file, line, frame->Width) != GIF_OK) break;
            result = 0;
            int y = frame->Top + (frame->Interlace ? row : i);
            if (frame->Interlace) {
                row += steps[pass];
                while (row >= frame->Height && pass < 3) row = starts[++pass];
            }
            if (y < 0 || y >= *height) continue;
            for (int x = 0; x < frame->Width; x++) {
                int column = frame->Left + x;
                if (column < 0 || column >= *width || line[x] >= colors->ColorCount || line[x] == transparent) continue;
                GifColorType color = colors->Colors[line[x]];
                uint8_t *pixel = *rgba + ((size_t)y * *width + column) * 4;
                pixel[0] = color.Red;
                pixel[1] = color.Green;
                pixel[2] = color.Blue;
                pixel[3] = 255;
            }
        }
        free(line);
        break;
    }
    DGifCloseFile(file, &error);
    return result;
}

int cpic_decode(const uint8_t *bytes, size_t count, int wanted_width, int wanted_height, uint8_t **rgba, int *width,
                int *height) {
    int result = -1;
    *rgba = NULL;
    if (wanted_width < 1) wanted_width = 1;
    if (wanted_height < 1) wanted_height = 1;
    switch (kind_of(bytes, count)) {
    case CPIC_JPEG: result = decode_jpeg(bytes, count, wanted_width, wanted_height, rgba, width, height); break;
    case CPIC_PNG: result = decode_png(bytes, count, wanted_width, wanted_height, rgba, width, height); break;
    case CPIC_WEBP: result = decode_webp(bytes, count, wanted_width, wanted_height, rgba, width, height); break;
    case CPIC_GIF: result = decode_gif(bytes, count, rgba, width, height); break;
    }
    if (result != 0) {
        free(*rgba);
        *rgba = NULL;
    }
    return result;
}

void cpic_free(uint8_t *rgba) { free(rgba); }

const char *cpic_spng_version(void) { return spng_version_string(); }
int cpic_webp_version(void) { return WebPGetDecoderVersion(); }
