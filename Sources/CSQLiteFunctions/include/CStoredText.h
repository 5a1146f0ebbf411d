// Compressed texts of a library: Zstandard frames (RFC 8878) with the size of their content and a checksum.
//
// A library may come from somebody else, so nothing is allocated or decompressed before its declared size is checked.

#ifndef CSTOREDTEXT_H
#define CSTOREDTEXT_H

#include <stddef.h>
#include <stdint.h>

/// Compresses a text into a buffer, with a level of Zstandard. Returns the number of bytes written, or 0 if they don't fit.
size_t cst_compress(const uint8_t *text, size_t size, int level, uint8_t *buffer, size_t capacity);

/// Returns the declared size of the text in a compressed value, or -1 if the value isn't a frame that declares one.
int64_t cst_size(const uint8_t *value, size_t size);

/// Decompresses a value into a buffer of its declared size. Returns 0, or -1 if the value is damaged.
int cst_decompress(const uint8_t *value, size_t size, uint8_t *buffer, size_t text_size);

/// Registers the tokenizer `stored_text` on a connection (an `sqlite3 *`). It splits texts into words by `CText`, and
/// decompresses values first.
///
/// A full-text index can thus hold compressed values, and finds their words again when it deletes them.
///
/// - `most`: the maximum size of a decompressed text.
///
/// A damaged or larger text has no words, so that its entry can still be deleted. Returns SQLite's result code.
int cst_add_tokenizer(void *connection, size_t most);

/// The version of Zstandard.
const char *cst_version(void);

#endif
