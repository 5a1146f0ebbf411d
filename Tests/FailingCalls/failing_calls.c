// Runs the C targets with each fallible call failing in turn: allocations, system calls and calls of libraries.
//
// The calls that the C targets make themselves are renamed in their object files; those of other libraries are not. Each
// run is a process of its own under the address sanitizer. `make sanitize` builds and runs this.
#define _GNU_SOURCE

#include "CCellWidth.h"
#include "CCurl.h"
#include "CNcurses.h"
#include "CPicture.h"
#include "CRegularExpression.h"
#include "CSQLiteSettings.h"
#include "CSpawn.h"
#include "CStoredText.h"
#include "CWordFolding.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gif_lib.h>
#include <pcre2.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <spng.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <turbojpeg.h>
#include <unistd.h>
#include <webp/decode.h>
#include <webp/encode.h>
#include <zlib.h>
#include <zstd.h>

static long calls, failing;
/// The counts of a process, for its parent.
static long *shared;

/// Whether a call fails, which the next call in turn does.
static int fails(const char *name, int error) {
    if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != failing) return 0;
    if (shared) shared[1] = (long)name;
    errno = error;
    return 1;
}

// MARK: The calls

#define WRAP(type, name, parameters, arguments, failure, error)                                                        \
    type failing_##name parameters;                                                                                    \
    type failing_##name parameters { return fails(#name, error) ? (failure) : name arguments; }

WRAP(void *, malloc, (size_t size), (size), NULL, ENOMEM)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL, ENOMEM)
WRAP(void *, realloc, (void *block, size_t size), (block, size), NULL, ENOMEM)
WRAP(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), -1, EIO)
WRAP(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), -1, ENOSPC)
WRAP(ssize_t, recv, (int file, void *bytes, size_t count, int flags), (file, bytes, count, flags), -1, ECONNRESET)
WRAP(ssize_t, send, (int file, const void *bytes, size_t count, int flags), (file, bytes, count, flags), -1, EPIPE)
WRAP(int, pipe2, (int files[2], int flags), (files, flags), -1, EMFILE)
WRAP(int, socketpair, (int domain, int type, int protocol, int files[2]), (domain, type, protocol, files), -1, EMFILE)
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, EMFILE)
WRAP(int, poll, (struct pollfd *files, nfds_t count, int timeout), (files, count, timeout), -1, EINTR)
WRAP(int, ftruncate, (int file, off_t size), (file, size), -1, EIO)
WRAP(off_t, lseek, (int file, off_t offset, int from), (file, offset, from), -1, ESPIPE)
WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), -1, ENOSYS)
WRAP(int, mkostemp, (char *name, int flags), (name, flags), -1, EACCES)
WRAP(pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options), -1, EINTR)
WRAP(pid_t, _Fork, (void), (), -1, EAGAIN)
WRAP(int, posix_spawn_file_actions_init, (posix_spawn_file_actions_t * actions), (actions), ENOMEM, ENOMEM)
WRAP(int, posix_spawnattr_init, (posix_spawnattr_t * attributes), (attributes), ENOMEM, ENOMEM)
WRAP(int, posix_spawn_file_actions_adddup2, (posix_spawn_file_actions_t * actions, int from, int to),
     (actions, from, to), ENOMEM, ENOMEM)
WRAP(int, posix_spawn_file_actions_addopen,
     (posix_spawn_file_actions_t * actions, int file, const char *path, int flags, mode_t mode),
     (actions, file, path, flags, mode), ENOMEM, ENOMEM)
WRAP(int, posix_spawn_file_actions_addclosefrom_np, (posix_spawn_file_actions_t * actions, int file), (actions, file),
     ENOMEM, ENOMEM)
WRAP(int, posix_spawn,
     (pid_t * child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const *words, char *const *environment),
     (child, path, actions, attributes, words, environment), EAGAIN, EAGAIN)
WRAP(int, posix_spawnp,
     (pid_t * child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const *words, char *const *environment),
     (child, path, actions, attributes, words, environment), EAGAIN, EAGAIN)

WRAP(tjhandle, tjInitDecompress, (void), (), NULL, 0)
WRAP(int, tjDecompressHeader3,
     (tjhandle handle, const unsigned char *bytes, unsigned long count, int *width, int *height, int *sampling,
      int *space),
     (handle, bytes, count, width, height, sampling, space), -1, 0)
WRAP(int, tjDecompress2,
     (tjhandle handle, const unsigned char *bytes, unsigned long count, unsigned char *result, int width, int pitch,
      int height, int format, int flags),
     (handle, bytes, count, result, width, pitch, height, format, flags), -1, 0)
WRAP(spng_ctx *, spng_ctx_new, (int flags), (flags), NULL, 0)
WRAP(int, spng_set_png_buffer, (spng_ctx * context, const void *bytes, size_t count), (context, bytes, count), SPNG_EMEM, 0)
WRAP(int, spng_get_ihdr, (spng_ctx * context, struct spng_ihdr *header), (context, header), SPNG_EMEM, 0)
WRAP(int, spng_decode_image, (spng_ctx * context, void *result, size_t count, int format, int flags),
     (context, result, count, format, flags), SPNG_EMEM, 0)
WRAP(int, spng_decode_row, (spng_ctx * context, void *result, size_t count), (context, result, count), SPNG_EMEM, 0)
WRAP(int, spng_get_row_info, (spng_ctx * context, struct spng_row_info *info), (context, info), SPNG_EMEM, 0)
WRAP(VP8StatusCode, WebPDecode, (const uint8_t *bytes, size_t count, WebPDecoderConfig *config), (bytes, count, config),
     VP8_STATUS_OUT_OF_MEMORY, 0)
WRAP(GifFileType *, DGifOpen, (void *context, InputFunc reader, int *error), (context, reader, error), NULL, 0)
WRAP(int, DGifGetRecordType, (GifFileType * file, GifRecordType *type), (file, type), GIF_ERROR, 0)
WRAP(int, DGifGetImageDesc, (GifFileType * file), (file), GIF_ERROR, 0)
WRAP(int, DGifGetLine, (GifFileType * file, GifPixelType *line, int count), (file, line, count), GIF_ERROR, 0)
WRAP(int, DGifGetExtension, (GifFileType * file, int *code, GifByteType **bytes), (file, code, bytes), GIF_ERROR, 0)
WRAP(int, DGifGetExtensionNext, (GifFileType * file, GifByteType **bytes), (file, bytes), GIF_ERROR, 0)

WRAP(ZSTD_CCtx *, ZSTD_createCCtx, (void), (), NULL, 0)
WRAP(ZSTD_DCtx *, ZSTD_createDCtx, (void), (), NULL, 0)
WRAP(size_t, ZSTD_CCtx_setParameter, (ZSTD_CCtx * context, ZSTD_cParameter parameter, int value),
     (context, parameter, value), (size_t)-1, 0)
WRAP(size_t, ZSTD_compress2, (ZSTD_CCtx * context, void *result, size_t capacity, const void *bytes, size_t count),
     (context, result, capacity, bytes, count), (size_t)-1, 0)
WRAP(size_t, ZSTD_decompressDCtx,
     (ZSTD_DCtx * context, void *result, size_t capacity, const void *bytes, size_t count),
     (context, result, capacity, bytes, count), (size_t)-1, 0)
WRAP(int, sqlite3_prepare_v2,
     (sqlite3 * connection, const char *text, int count, sqlite3_stmt **statement, const char **rest),
     (connection, text, count, statement, rest), (*statement = NULL, SQLITE_NOMEM), 0)
WRAP(int, sqlite3_bind_pointer, (sqlite3_stmt * statement, int index, void *value, const char *type, void (*end)(void *)),
     (statement, index, value, type, end), SQLITE_NOMEM, 0)
WRAP(int, sqlite3_step, (sqlite3_stmt * statement), (statement), SQLITE_NOMEM, 0)
WRAP(sqlite3_vfs *, sqlite3_vfs_find, (const char *name), (name), NULL, 0)
WRAP(int, sqlite3_vfs_register, (sqlite3_vfs * files, int makes), (files, makes), SQLITE_NOMEM, 0)
WRAP(pcre2_code_8 *, pcre2_compile_8,
     (PCRE2_SPTR8 text, PCRE2_SIZE count, uint32_t options, int *error, PCRE2_SIZE *place,
      pcre2_compile_context_8 *context),
     (text, count, options, error, place, context), (*error = PCRE2_ERROR_HEAP_FAILED, *place = 0, NULL), 0)
WRAP(pcre2_match_context_8 *, pcre2_match_context_create_8, (pcre2_general_context_8 * context), (context), NULL, 0)
WRAP(pcre2_match_data_8 *, pcre2_match_data_create_8, (uint32_t count, pcre2_general_context_8 *context),
     (count, context), NULL, 0)
WRAP(int, pcre2_jit_compile_8, (pcre2_code_8 * code, uint32_t options), (code, options), PCRE2_ERROR_NOMEMORY, 0)
WRAP(int, inflateInit2_, (z_streamp stream, int bits, const char *version, int size), (stream, bits, version, size),
     Z_MEM_ERROR, 0)
WRAP(int, inflate, (z_streamp stream, int flush), (stream, flush), Z_MEM_ERROR, 0)
WRAP(int, inflateReset, (z_streamp stream), (stream), Z_STREAM_ERROR, 0)
WRAP(void *, dlopen, (const char *name, int flags), (name, flags), NULL, 0)

WRAP(char *, strdup, (const char *text), (text), NULL, ENOMEM)
WRAP(int, setenv, (const char *name, const char *value, int replaces), (name, value, replaces), -1, ENOMEM)
WRAP(int, ttyname_r, (int file, char *name, size_t size), (file, name, size), ENOTTY, ENOTTY)
WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), -1, EACCES)
WRAP(int, fcntl, (int file, int command, long argument), (file, command, argument), -1, EMFILE)
WRAP(int, ioctl, (int file, unsigned long request, void *value), (file, request, value), -1, EIO)
WRAP(int, fstat, (int file, struct stat *status), (file, status), -1, EIO)
WRAP(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL, ENOMEM)
WRAP(int, fflush, (FILE *file), (file), EOF, ENOSPC)
WRAP(ssize_t, pread, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset), -1, EINTR)
WRAP(int, tcgetattr, (int file, struct termios *mode), (file, mode), -1, EINTR)
WRAP(int, tcsetattr, (int file, int when, const struct termios *mode), (file, when, mode), -1, EINTR)
WRAP(int, tcflush, (int file, int queue), (file, queue), -1, EIO)
WRAP(int, eventfd, (unsigned value, int flags), (value, flags), -1, EMFILE)
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context),
     (thread, attributes, body, context), EAGAIN, EAGAIN)
WRAP(int, sigaction, (int number, const struct sigaction *action, struct sigaction *before), (number, action, before), -1,
     EINVAL)
// Without the headers of ncurses, whose macros have the names of everything.
typedef struct screen SCREEN;
SCREEN *newterm(const char *, FILE *, FILE *);
int setupterm(const char *, int, int *), resizeterm(int, int), start_color(void), doupdate(void);
WRAP(SCREEN *, newterm, (const char *type, FILE *output, FILE *input), (type, output, input), NULL, 0)
WRAP(int, setupterm, (const char *type, int output, int *error), (type, output, error), -1, 0)
WRAP(int, resizeterm, (int rows, int columns), (rows, columns), -1, 0)
WRAP(int, start_color, (void), (), -1, 0)
WRAP(int, doupdate, (void), (), -1, 0)

// libcurl's functions are found by their names.
#define FOUND(type, name, parameters, arguments, failure)                                                              \
    static type(*name##_found) parameters;                                                                             \
    static type name##_failing parameters { return fails(#name, 0) ? (failure) : name##_found arguments; }

FOUND(void *, curl_easy_init, (void), (), NULL)
FOUND(void *, curl_multi_init, (void), (), NULL)
FOUND(void *, curl_slist_append, (void *list, const char *text), (list, text), NULL)
FOUND(int, curl_global_init, (long flags), (flags), CURLE_OUT_OF_MEMORY)
FOUND(int, curl_easy_setopt, (void *handle, int option, void *value), (handle, option, value), CURLE_OUT_OF_MEMORY)
FOUND(int, curl_easy_getinfo, (void *handle, int info, void *value), (handle, info, value), CURLE_BAD_FUNCTION_ARGUMENT)
FOUND(int, curl_multi_setopt, (void *handle, int option, void *value), (handle, option, value), CURLM_OUT_OF_MEMORY)
FOUND(int, curl_multi_add_handle, (void *multi, void *handle), (multi, handle), CURLM_OUT_OF_MEMORY)
FOUND(int, curl_multi_perform, (void *multi, int *count), (multi, count), CURLM_OUT_OF_MEMORY)
FOUND(int, curl_multi_poll, (void *multi, void *files, unsigned count, int timeout, int *ready),
      (multi, files, count, timeout, ready), CURLM_OUT_OF_MEMORY)

void *failing_dlsym(void *library, const char *name);
void *failing_dlsym(void *library, const char *name) {
    if (fails("dlsym", 0)) return NULL;
    void *found = dlsym(library, name);
#define INSTEAD(function)                                                                                              \
    if (strcmp(name, #function) == 0) {                                                                                \
        *(void **)&function##_found = found;                                                                           \
        return (void *)function##_failing;                                                                             \
    }
    INSTEAD(curl_easy_init)
    INSTEAD(curl_multi_init)
    INSTEAD(curl_slist_append)
    INSTEAD(curl_global_init)
    INSTEAD(curl_easy_setopt)
    INSTEAD(curl_easy_getinfo)
    INSTEAD(curl_multi_setopt)
    INSTEAD(curl_multi_add_handle)
    INSTEAD(curl_multi_perform)
    INSTEAD(curl_multi_poll)
    return found;
}

// MARK: What is run

static unsigned char samples[4][1 << 16];
static size_t sizes[4];
static int port;

static void decode(int sample) {
    cpic_info info;
    uint8_t *result = NULL;
    int width, height;
    cpic_probe(samples[sample], sizes[sample], &info);
    for (int wanted = 4; wanted <= 64; wanted *= 16) {
        result = NULL;
        if (cpic_decode(samples[sample], sizes[sample], wanted, wanted, &result, &width, &height) == 0) cpic_free(result);
    }
}

static void jpeg(void) { decode(0); }
static void png(void) { decode(1); }
static void webp(void) { decode(2); }
static void gif(void) { decode(3); }

static int take(void *context, const cwf_word *word) {
    *(int *)context += word->size;
    return 0;
}

static void fold(uint32_t first, cwf_folded *page) {
    for (int index = 0; index < CWF_PAGE; index++) {
        page[index] = (cwf_folded){.kind = CWF_LETTER, .size = 1, .text = {(char)('a' + (first + (uint32_t)index) % 26)}};
    }
}

static void words(void) {
    static const char text[] = "Paris–Roubaix \xE6\x9D\xB1\xE4\xBA\xAC\xE9\x83\xBD \xC3\xA9tape \xF0\x9F\x9A\xB4";
    int count = 0;
    cwf_set_folding(fold);
    for (int repeats = 0; repeats < 2; repeats++) cwf_words(text, sizeof text - 1, repeats == 0, &count, take);
    ccw_use_utf8();
}

static void stored_text(void) {
    uint8_t text[4000], compressed[8000], result[4000];
    for (size_t index = 0; index < sizeof text; index++) text[index] = (uint8_t)("the peloton rode on "[index % 20]);
    cwf_set_folding(fold);
    csq_configure();
    size_t count = cst_compress(text, sizeof text, 3, compressed, sizeof compressed);
    if (count > 0 && cst_size(compressed, count) == sizeof text) cst_decompress(compressed, count, result, sizeof text);
    sqlite3 *connection = NULL;
    if (sqlite3_open(":memory:", &connection) == SQLITE_OK && cst_add_tokenizer(connection, 1 << 20) == SQLITE_OK) {
        sqlite3_stmt *statement = NULL;
        sqlite3_exec(connection, "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = 'stored_text')", NULL, NULL, NULL);
        for (int repeats = 0; repeats < 2; repeats++) {
            if (sqlite3_prepare_v2(connection, "INSERT INTO t VALUES (?)", -1, &statement, NULL) != SQLITE_OK) break;
            sqlite3_bind_blob(statement, 1, count > 0 ? compressed : text, (int)(count > 0 ? count : 100), SQLITE_STATIC);
            sqlite3_step(statement);
            sqlite3_finalize(statement);
        }
        sqlite3_exec(connection, "SELECT * FROM t WHERE t MATCH 'peloton'; DELETE FROM t", NULL, NULL, NULL);
    }
    sqlite3_close(connection);
}

static void pattern(void) {
    char message[200];
    size_t place;
    cre_pattern *pattern = cre_read((const uint8_t *)"p(e|l)+oton", 11, message, sizeof message, &place);
    if (pattern) cre_finds(pattern, (const uint8_t *)"the peloton", 11);
    if (pattern) cre_free(pattern);
    pattern = cre_read((const uint8_t *)"(", 1, message, sizeof message, &place);
    if (pattern) cre_free(pattern);
}

static void programs(void) {
    const char *const echo[] = {"/bin/echo", "text", NULL};
    char buffer[100];
    pid_t child;
    if (csp_start(echo, NULL, NULL, NULL, NULL, true, &child) == 0) csp_wait(child);
    csp_capture(echo, buffer, sizeof buffer, 2000);
    int file = csp_anonymous_file(1000);
    if (csp_start_detached(echo, NULL, file, -1, &child) == 0) csp_wait(child);
    if (file >= 0) close(file);
}

static void guarded(void) {
    const char *const echo[] = {"/bin/echo", "text", NULL};
    csp_guarded program;
    int code;
    if (csp_start_guarded(echo, NULL, -1, false, &program) != 0) return;
    struct pollfd end = {.fd = program.control, .events = POLLIN};
    poll(&end, 1, 3000);
    csp_guarded_end(&program, &code);
    csp_end_guard(&program);
    close(program.output);
    close(program.errors);
}

static void transfer(int file) {
    char address[100];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/", port);
    const char *const lines[] = {"Accept: text/html", "X-Own: value"};
    const uint8_t body[] = "body";
    ccurl_request request = {
        .url = address, .user_agent = "test", .headers = lines, .header_count = 2, .allows_private = true,
        .connect_timeout_ms = 1000, .total_timeout_ms = 2000, .maximum_body = 1 << 20, .maximum_headers = 1 << 16,
        .method = file < 0 ? "POST" : NULL, .body = file < 0 ? body : NULL, .body_size = file < 0 ? 4 : 0, .file = file,
    };
    ccurl_multi *multi = ccurl_multi_new(10, 2, 8);
    if (!multi) return;
    if (ccurl_start(multi, 1, &request)) {
        ccurl_result result;
        for (int turn = 0; turn < 60; turn++) {
            ccurl_turn(multi, 50);
            if (!ccurl_next(multi, &result)) continue;
            if (result.is_redirect && ccurl_follow(multi, &result, &request)) continue;
            if (!result.is_redirect) ccurl_release(&result);
            break;
        }
    }
    ccurl_multi_free(multi);
}

static void request(void) { transfer(-1); }
static void download(void) {
    int file = csp_anonymous_file(0);
    if (file < 0) return;
    transfer(file);
    close(file);
}

static void compressed(void) {
    static const uint8_t gzip[] = {31, 139, 8,   0,  0,   0,  0,   0,  0, 3,  203, 72, 205,
                                   201, 201, 7,  0,  134, 166, 16, 54, 5, 0,  0,   0};
    uint8_t *result = NULL;
    size_t count;
    if (ccurl_decode(gzip, sizeof gzip, 1 << 20, &result, &count) == CCURL_DECODED) free(result);
}

static int main_queue = -1;
int _dispatch_get_main_queue_handle_4CF(void);
int _dispatch_get_main_queue_handle_4CF(void) { return main_queue; }
void _dispatch_main_queue_callback_4CF(void *context);
void _dispatch_main_queue_callback_4CF(void *context) { (void)context; }

/// A program on a terminal that answers nothing. The terminal's modes must be what they were, and a start says that it failed.
static void terminal(void) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) _exit(71);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct winsize size = {.ws_row = 24, .ws_col = 80, .ws_xpixel = 800, .ws_ypixel = 480};
    ioctl(master, TIOCSWINSZ, &size);
    struct termios before, after;
    tcgetattr(slave, &before);
    pid_t reader = fork();
    if (reader == 0) {
        char bytes[4096];
        alarm(20);
        while (read(master, bytes, sizeof bytes) > 0) {}
        _exit(0);
    }
    main_queue = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    setenv("TERM", "xterm-256color", 1);
    if (cnc_start("xterm-256color", slave, slave) == 0) {
        int rows, columns;
        uint8_t input[100];
        if (tcgetattr(slave, &after) != 0 || after.c_lflag & (ICANON | ECHO)) _exit(4);
        cnc_cell row[80];
        for (int index = 0; index < 80; index++) row[index] = (cnc_cell){.scalar = (uint32_t)('a' + index % 26), .width = 1};
        cnc_size(&rows, &columns);
        cnc_cell_size(&rows, &columns);
        cnc_init_pair(1, 0x102030, -1);
        for (int turn = 0; turn < 3; turn++) {
            for (int line = 0; line < 24; line++) cnc_put_run(line, turn, row, 40);
            cnc_cursor(turn, 1);
            cnc_flush(turn == 1);
            cnc_wait(1);
            cnc_wait_beside(cnc_sources_now(), 1);
            write(master, "key", 3);
            if (cnc_wait(50) & CNC_WAKE_INPUT) cnc_read(input, sizeof input);
            cnc_wake();
            cnc_next_signal();
            if (turn == 0) cnc_resize();
        }
        cnc_set_mouse(false);
        cnc_leave();
        cnc_return();
        cnc_stop();
    }
    if (tcgetattr(slave, &after) != 0 || before.c_lflag != after.c_lflag || before.c_iflag != after.c_iflag) _exit(3);
    cnc_reset_terminal(slave);
    kill(reader, SIGKILL);
    waitpid(reader, NULL, 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"jpeg", jpeg}, {"png", png}, {"webp", webp}, {"gif", gif}, {"words", words}, {"stored text", stored_text},
    {"regular expression", pattern}, {"programs", programs}, {"guarded program", guarded}, {"request", request},
    {"download", download}, {"compressed document", compressed}, {"terminal", terminal},
};

// MARK: Running

static void make_samples(void) {
    unsigned char pixels[40 * 30 * 4], *bytes = NULL;
    for (size_t index = 0; index < sizeof pixels; index++) pixels[index] = (unsigned char)(index * 7);
    unsigned long count = 0;
    tjhandle handle = tjInitCompress();
    tjCompress2(handle, pixels, 40, 160, 30, TJPF_RGBA, &bytes, &count, TJSAMP_420, 80, 0);
    memcpy(samples[0], bytes, sizes[0] = count);
    tjFree(bytes);
    tjDestroy(handle);
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = 40, .height = 30, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_ihdr(context, &header);
    spng_encode_image(context, pixels, sizeof pixels, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    int error;
    void *png = spng_get_png_buffer(context, &sizes[1], &error);
    memcpy(samples[1], png, sizes[1]);
    free(png);
    spng_ctx_free(context);
    uint8_t *webp = NULL;
    sizes[2] = WebPEncodeRGBA(pixels, 40, 30, 160, 80, &webp);
    memcpy(samples[2], webp, sizes[2]);
    WebPFree(webp);
    static const unsigned char gif[] = {
        'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xF9, 4, 1, 0, 0, 0, 0,
        0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    };
    memcpy(samples[3], gif, sizes[3] = sizeof gif);
}

/// Answers each connection: first with a redirect to the same address, and then with a compressed text.
static pid_t serve(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 50) != 0) exit(70);
    getsockname(listener, (struct sockaddr *)&address, &size);
    port = ntohs(address.sin_port);
    pid_t child = fork();
    if (child != 0) {
        close(listener);
        return child;
    }
    alarm(600);
    for (long number = 0;; number++) {
        int client = accept(listener, NULL, NULL);
        char request[4096];
        if (client < 0 || read(client, request, sizeof request) <= 0) continue;
        const char *answer = number % 2 == 0
            ? "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            : "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
        if (write(client, answer, strlen(answer)) < 0) continue;
        close(client);
    }
}

/// Runs a scene in a process of its own, and returns the number of its calls, or -1 after a crash.
static long run(int scene, long failing_call, long *count) {
    if (!shared) shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared[0] = 0;
    shared[1] = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        calls = 0;
        failing = failing_call;
        scenes[scene].run();
        shared[0] = calls;
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    *count = shared[0];
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    printf("%s: call %ld fails, %s: %s %d\n", scenes[scene].name, failing_call,
           shared[1] ? (const char *)shared[1] : "none",
           WIFSIGNALED(status) ? "ended by signal" : "exit code",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return -1;
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    make_samples();
    pid_t server = serve();
    long crashes = 0;
    for (size_t scene = 0; scene < sizeof scenes / sizeof scenes[0]; scene++) {
        long total = 0, count = 0;
        if (run((int)scene, 0, &total) != 0) crashes++;
        for (long call = 1; call <= total; call++) {
            if (run((int)scene, call, &count) != 0) crashes++;
        }
        printf("%s: %ld calls failed in turn\n", scenes[scene].name, total);
    }
    kill(server, SIGKILL);
    printf("%ld crashes\n", crashes);
    return crashes == 0 ? 0 : 1;
}
