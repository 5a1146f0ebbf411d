#include "CWordFolding.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { page_count = 0x110000 / CWF_PAGE };

static _Atomic(void (*)(uint32_t, cwf_folded *)) folding;
static _Atomic(cwf_folded *) pages[page_count];

void cwf_set_folding(void (*fold)(uint32_t, cwf_folded *)) { atomic_store(&folding, fold); }

/// Returns an ASCII letter or digit in lower case, or 0 for any other character.
static inline char small(uint8_t byte) {
    uint8_t letter = byte | 0x20;
    return letter >= 'a' && letter <= 'z' ? (char)letter : byte >= '0' && byte <= '9' ? (char)byte : 0;
}

static cwf_folded fold_ascii(uint8_t byte) {
    char letter = small(byte);
    return (cwf_folded){letter != 0 ? CWF_LETTER : CWF_SEPARATOR, 1, {letter != 0 ? letter : (char)byte}};
}

/// Returns a page, which is folded on first use, or NULL if it can't be.
static const cwf_folded *folded_page(uint32_t number) {
    cwf_folded *page = atomic_load_explicit(&pages[number], memory_order_acquire);
    if (page != NULL) return page;
    void (*fold)(uint32_t, cwf_folded *) = atomic_load(&folding);
    cwf_folded *made = fold == NULL ? NULL : calloc(CWF_PAGE, sizeof *made);
    if (made == NULL) return NULL;
    fold(number * CWF_PAGE, made);
    // Another thread may have been faster.
    if (atomic_compare_exchange_strong(&pages[number], &page, made)) return made;
    free(made);
    return page;
}

cwf_folded cwf_fold(uint32_t scalar) {
    if (scalar < 0x80) return fold_ascii((uint8_t)scalar);
    const cwf_folded *page = scalar < 0x110000 ? folded_page(scalar / CWF_PAGE) : NULL;
    return page == NULL ? (cwf_folded){CWF_SEPARATOR, 0, {0}} : page[scalar % CWF_PAGE];
}

/// Returns the character at an index and moves the index behind it. Invalid bytes become U+FFFD.
static uint32_t next_scalar(const uint8_t *text, int size, int *index) {
    uint8_t first = text[(*index)++];
    if (first < 0x80) return first;
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    uint32_t scalar = first & (0x3F >> more);
    if (more == 0 || *index + more > size) return 0xFFFD;
    for (int count = 0; count < more; count++) {
        uint8_t byte = text[*index + count];
        if ((byte & 0xC0) != 0x80) return 0xFFFD;
        scalar = scalar << 6 | (byte & 0x3F);
    }
    *index += more;
    return scalar;
}

/// A folded part of a text: its bytes among the folded ones, and its position in the text.
typedef struct {
    int offset, size;
    int start, end;
} part;

typedef struct {
    bool is_query;
    void *context;
    int (*take)(void *, const cwf_word *);
    /// The folded bytes of the current word, or of the current run's last two characters.
    char *bytes;
    int used, capacity;
    char kept[256];
    /// The kind of the current word: letters, or the characters of a run.
    cwf_class kind;
    part word, before, last;
    int characters;
    /// The last character of a run in a query, which is a word if another word follows.
    bool has_deferred;
    char deferred[64];
    cwf_word deferred_word;
} state;

static int give(state *now, part found, bool is_single) {
    if (now->has_deferred) {
        now->has_deferred = false;
        int code = now->take(now->context, &now->deferred_word);
        if (code != 0) return code;
    }
    cwf_word word = {now->bytes + found.offset, found.size, found.start, found.end, is_single};
    return now->take(now->context, &word);
}

static bool append(state *now, const char *bytes, int size) {
    if (now->used + size > now->capacity) {
        int capacity = now->capacity * 2;
        char *larger = realloc(now->bytes == now->kept ? NULL : now->bytes, (size_t)capacity);
        if (larger == NULL) return false;
        if (now->bytes == now->kept) memcpy(larger, now->kept, (size_t)now->used);
        now->bytes = larger;
        now->capacity = capacity;
    }
    memcpy(now->bytes + now->used, bytes, (size_t)size);
    now->used += size;
    return true;
}

/// Passes on the pair of the current run's last two characters.
static int end_character(state *now) {
    if (now->characters < 2) return 0;
    part pair = {now->before.offset, now->before.size + now->last.size, now->before.start, now->last.end};
    return give(now, pair, false);
}

/// Ends the current word or run.
static int end_word(state *now) {
    int code = 0;
    if (now->kind == CWF_LETTER) {
        code = give(now, now->word, false);
    } else if (now->kind == CWF_SPLIT) {
        code = end_character(now);
        bool is_deferred = now->is_query && now->characters > 1 && now->last.size <= (int)sizeof now->deferred;
        if (code == 0 && is_deferred) {
            memcpy(now->deferred, now->bytes + now->last.offset, (size_t)now->last.size);
            now->deferred_word = (cwf_word){now->deferred, now->last.size, now->last.start, now->last.end, true};
            now->has_deferred = true;
        } else if (code == 0) {
            code = give(now, now->last, true);
        }
    }
    now->kind = CWF_SEPARATOR;
    now->used = 0;
    now->characters = 0;
    return code;
}

/// Starts the next character of a run. Only the previous character is still needed.
static int start_character(state *now, int start) {
    int code = end_character(now);
    if (now->characters > 0) {
        memmove(now->bytes, now->bytes + now->last.offset, (size_t)now->last.size);
        now->used = now->last.size;
        now->before = now->last;
        now->before.offset = 0;
    }
    now->last = (part){now->used, 0, start, start};
    now->characters++;
    return code;
}

/// Adds a folded character. Returns -1 if there is no memory.
static int add(state *now, const cwf_folded *folded, int start, int end) {
    int code = 0;
    switch ((cwf_class)folded->kind) {
    case CWF_IGNORED: return 0;
    case CWF_SEPARATOR: return end_word(now);
    case CWF_LETTER:
        if (now->kind != CWF_LETTER) {
            code = end_word(now);
            now->kind = CWF_LETTER;
            now->word = (part){0, 0, start, end};
        }
        if (!append(now, folded->text, folded->size)) return -1;
        now->word.size += folded->size;
        now->word.end = end;
        return code;
    case CWF_ATTACHED:
    case CWF_SPLIT:
        if (now->kind != CWF_SPLIT) {
            code = end_word(now);
            now->kind = CWF_SPLIT;
        }
        if (code == 0 && (folded->kind == CWF_SPLIT || now->characters == 0)) code = start_character(now, start);
        if (!append(now, folded->text, folded->size)) return -1;
        now->last.size += folded->size;
        now->last.end = end;
        return code;
    case CWF_SYMBOL:
        code = end_word(now);
        if (code != 0) return code;
        if (!append(now, folded->text, folded->size)) return -1;
        code = give(now, (part){0, folded->size, start, end}, false);
        now->used = 0;
        return code;
    }
    return 0;
}

int cwf_words(const void *text, int size, bool is_query, void *context, int (*take)(void *, const cwf_word *)) {
    state now = {.is_query = is_query, .context = context, .take = take, .kind = CWF_SEPARATOR};
    now.bytes = now.kept;
    now.capacity = sizeof now.kept;
    const uint8_t *bytes = text;
    int index = 0, code = 0;
    while (index < size && code == 0) {
        int start = index;
        // Most texts consist mostly of ASCII letters.
        char letter = bytes[index] < 0x80 ? small(bytes[index]) : 0;
        if (letter != 0 && now.kind == CWF_SEPARATOR) {
            now.kind = CWF_LETTER;
            now.word = (part){0, 0, start, start};
        }
        if (letter != 0 && now.kind == CWF_LETTER) {
            while (letter != 0 && now.used < now.capacity) {
                now.bytes[now.used++] = letter;
                letter = ++index < size && bytes[index] < 0x80 ? small(bytes[index]) : 0;
            }
            now.word.size += index - start;
            now.word.end = index;
            if (index > start) continue;
        } else if (bytes[index] < 0x80 && letter == 0) {
            index++;
            if (now.kind != CWF_SEPARATOR) code = end_word(&now);
            continue;
        }
        cwf_folded folded = cwf_fold(next_scalar(bytes, size, &index));
        code = add(&now, &folded, start, index);
    }
    if (code == 0) code = end_word(&now);
    if (now.bytes != now.kept) free(now.bytes);
    return code;
}
