#include "CStoredText.h"
#include "CWordFolding.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// Creating a context takes longer than compressing an article, so each thread keeps one of each kind for texts up to this size.
enum { most_with_kept = 1 << 14 };

typedef struct {
    ZSTD_CCtx *compressing;
    ZSTD_DCtx *decompressing;
} contexts;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void free_contexts(void *value) {
    contexts *kept = value;
    ZSTD_freeCCtx(kept->compressing);
    ZSTD_freeDCtx(kept->decompressing);
    free(kept);
}

static void create_key(void) { has_key = pthread_key_create(&key, free_contexts) == 0; }

/// Returns the contexts of this thread, or NULL without memory.
static contexts *kept_contexts(void) {
    if (pthread_once(&once, create_key) != 0 || !has_key) return NULL;
    contexts *kept = pthread_getspecific(key);
    if (kept != NULL) return kept;
    kept = calloc(1, sizeof *kept);
    if (kept == NULL) return NULL;
    if (pthread_setspecific(key, kept) != 0) {
        free(kept);
        return NULL;
    }
    return kept;
}

static ZSTD_CCtx *new_compressing(void) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL) return NULL;
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    return context;
}

size_t cst_compress(const uint8_t *text, size_t size, int level, uint8_t *buffer, size_t capacity) {
    contexts *kept = size <= most_with_kept ? kept_contexts() : NULL;
    if (kept != NULL && kept->compressing == NULL) kept->compressing = new_compressing();
    ZSTD_CCtx *own = kept != NULL && kept->compressing != NULL ? NULL : new_compressing();
    ZSTD_CCtx *context = own != NULL ? own : kept != NULL ? kept->compressing : NULL;
    if (context == NULL) return 0;
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    size_t written = ZSTD_compress2(context, buffer, capacity, text, size);
    ZSTD_freeCCtx(own);
    return ZSTD_isError(written) ? 0 : written;
}

int64_t cst_size(const uint8_t *value, size_t size) {
    unsigned long long declared = ZSTD_getFrameContentSize(value, size);
    if (declared == ZSTD_CONTENTSIZE_UNKNOWN || declared == ZSTD_CONTENTSIZE_ERROR || declared > INT64_MAX) return -1;
    return (int64_t)declared;
}

int cst_decompress(const uint8_t *value, size_t size, uint8_t *buffer, size_t text_size) {
    contexts *kept = kept_contexts();
    if (kept != NULL && kept->decompressing == NULL) kept->decompressing = ZSTD_createDCtx();
    ZSTD_DCtx *own = kept != NULL && kept->decompressing != NULL ? NULL : ZSTD_createDCtx();
    ZSTD_DCtx *context = own != NULL ? own : kept != NULL ? kept->decompressing : NULL;
    if (context == NULL) return -1;
    size_t written = ZSTD_decompressDCtx(context, buffer, text_size, value, size);
    ZSTD_freeDCtx(own);
    return !ZSTD_isError(written) && written == text_size ? 0 : -1;
}

// MARK: The tokenizer (https://www.sqlite.org/fts5.html#custom_tokenizers)

typedef struct {
    size_t most;
    uint8_t *text;
    size_t capacity;
} tokenizer;

static void delete_tokenizer(Fts5Tokenizer *value) {
    tokenizer *made = (tokenizer *)value;
    free(made->text);
    free(made);
}

static int create_tokenizer(void *data, const char **arguments, int count, Fts5Tokenizer **result) {
    // Libraries may contain arguments of earlier versions.
    (void)arguments, (void)count;
    tokenizer *made = calloc(1, sizeof *made);
    if (made == NULL) return SQLITE_NOMEM;
    made->most = *(size_t *)data;
    *result = (Fts5Tokenizer *)made;
    return SQLITE_OK;
}

typedef struct {
    void *context;
    int (*token)(void *, int, const char *, int, int, int);
} receiver;

static int take_word(void *context, const cwf_word *word) {
    receiver *given = context;
    return given->token(given->context, 0, word->text, word->size, word->start, word->end);
}

static int tokenize(Fts5Tokenizer *value, void *context, int flags, const char *text, int size,
                    int (*token)(void *, int, const char *, int, int, int)) {
    // A frame starts with bytes that no text in UTF-8 contains.
    static const uint8_t magic[] = {0x28, 0xB5, 0x2F, 0xFD};
    tokenizer *made = (tokenizer *)value;
    receiver given = {context, token};
    int code;
    if (size < (int)sizeof magic || memcmp(text, magic, sizeof magic) != 0) {
        code = cwf_words(text, size, (flags & FTS5_TOKENIZE_QUERY) != 0, &given, take_word);
    } else {
        int64_t declared = cst_size((const uint8_t *)text, (size_t)size);
        if (declared < 0 || (uint64_t)declared > made->most) return SQLITE_OK;
        if ((size_t)declared > made->capacity) {
            uint8_t *larger = realloc(made->text, (size_t)declared);
            if (larger == NULL) return SQLITE_NOMEM;
            made->text = larger;
            made->capacity = (size_t)declared;
        }
        if (cst_decompress((const uint8_t *)text, (size_t)size, made->text, (size_t)declared) != 0) return SQLITE_OK;
        code = cwf_words(made->text, (int)declared, false, &given, take_word);
    }
    return code < 0 ? SQLITE_NOMEM : code;
}

int cst_add_tokenizer(void *connection, size_t most) {
    fts5_api *api = NULL;
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(connection, "SELECT fts5(?)", -1, &statement, NULL);
    if (code != SQLITE_OK) return code;
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
    if (code != SQLITE_OK) return code;
    if (api == NULL) return SQLITE_ERROR;
    size_t *kept = malloc(sizeof *kept);
    if (kept == NULL) return SQLITE_NOMEM;
    *kept = most;
    fts5_tokenizer own = {create_tokenizer, delete_tokenizer, tokenize};
    code = api->xCreateTokenizer(api, "stored_text", kept, &own, free);
    if (code != SQLITE_OK) free(kept);
    return code;
}

const char *cst_version(void) { return ZSTD_versionString(); }
