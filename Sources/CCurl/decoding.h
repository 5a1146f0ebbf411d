// Content codings (RFC 9110, section 8.4.1).
//
// libcurl rejects gzip data with several members or with bytes after the last, accepts data that ends early, and rejects unknown
// codings. So bodies are received as sent and decoded here.

#ifndef CCURL_DECODING_H
#define CCURL_DECODING_H

#include "CCurl.h"

/// The value of the field Accept-Encoding.
const char *ccd_accepted(void);
/// Decodes a body; see ccurl_decode.
///
/// @param codings The values of the fields Content-Encoding, separated by commas.
int ccd_decode(const char *codings, size_t size, const uint8_t *bytes, size_t count, size_t maximum, uint8_t **decoded,
               size_t *decoded_count);

#endif
