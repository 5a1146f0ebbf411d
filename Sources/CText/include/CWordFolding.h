// Words of texts in any script, for the full-text index, for queries and for highlighting alike.
//
// A word is a run of letters, digits and marks, folded: in lower case, and without marks that many keyboards lack, such as
// accents and points. In scripts without spaces between words, each pair of neighbouring characters is a word, and so is the
// last character of a run: 東京都 consists of 東京, 京都 and 都. An emoji is a word.

#ifndef CWORDFOLDING_H
#define CWORDFOLDING_H

#include <stdbool.h>
#include <stdint.h>

/// What a character means for the words of a text.
typedef enum {
    /// It separates words.
    CWF_SEPARATOR,
    /// It belongs to a word.
    CWF_LETTER,
    /// It has no effect, such as an accent, a point or a joiner.
    CWF_IGNORED,
    /// It belongs to a run that is split into pairs.
    CWF_SPLIT,
    /// It belongs to the character before it in such a run.
    CWF_ATTACHED,
    /// It is a word by itself.
    CWF_SYMBOL,
} cwf_class;

/// The maximum number of bytes of a folded character in UTF-8.
enum { CWF_MOST_FOLDED = 6 };

/// A folded character.
typedef struct {
    uint8_t kind;
    /// The number of bytes.
    uint8_t size;
    /// The text in UTF-8.
    char text[CWF_MOST_FOLDED];
} cwf_folded;

/// A word and its position in the text.
typedef struct {
    /// The folded word in UTF-8, valid during the call.
    const char *text;
    int size;
    /// The position in the text, in bytes.
    int start, end;
    /// Whether it is one character of a run that is split into pairs, instead of a pair.
    bool is_single;
} cwf_word;

/// The number of characters that are folded together.
enum { CWF_PAGE = 256 };

/// Sets the function that folds a page of characters, from `first` on. Before, words contain only ASCII.
void cwf_set_folding(void (*fold)(uint32_t first, cwf_folded *page));

/// Returns the folded form of a character.
cwf_folded cwf_fold(uint32_t scalar);

/// Passes the words of a text in UTF-8 to a function until it returns something other than 0, which is then the result.
///
/// - `is_query`: whether the text may end within a run, so that its last pair isn't followed by its last character.
int cwf_words(const void *text, int size, bool is_query, void *context, int (*take)(void *context, const cwf_word *word));

#endif
