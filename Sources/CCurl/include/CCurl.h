// libcurl's multi interface behind plain functions.
//
// libcurl is loaded on first use, because it depends on some forty libraries that a program that only shows a list
// doesn't need. Its options are variadic, so Swift can't set them.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_multi ccurl_multi;

/// A request.
typedef struct {
    const char *url;
    const char *user_agent;
    /// Header lines without line ends; may be null when the count is 0.
    const char *const *headers;
    int header_count;
    /// The proxy for this request, or null for none. The environment is not read.
    const char *proxy;
    /// Whether a direct request may use a private address (RFC 1918, loopback and others). It never uses a link-local one.
    bool allows_private;
    long connect_timeout_ms;
    long total_timeout_ms;
    /// The maximum sizes of the decoded body and of all header fields in bytes.
    size_t maximum_body;
    size_t maximum_headers;
    /// The method, if it isn't GET, and the body, which may be null.
    const char *method;
    const uint8_t *body;
    size_t body_size;
    /// The descriptor of a file for the body, or -1 for memory, and the number of existing bytes. A response that continues
    /// them (206) is appended; a complete one (200) is written from the start.
    int file;
    int64_t resume_from;
    /// Whether to use HTTP/1.1, and not HTTP/2.
    bool is_http_1;
    /// Certificates of authorities in PEM in place of the default file (ccurl_authorities); may be null.
    const uint8_t *authorities;
    size_t authorities_size;
} ccurl_request;

/// The reasons for failures other than libcurl's.
enum {
    CCURL_LIMIT_NONE = 0,
    CCURL_LIMIT_BODY = 1,
    CCURL_LIMIT_HEADERS = 2,
    /// A private or link-local address was rejected.
    CCURL_LIMIT_ADDRESS = 3,
    /// The file could not be written; the result contains errno.
    CCURL_LIMIT_FILE = 4,
};

/// A finished request. The pointers are valid until ccurl_release.
typedef struct {
    uint64_t id;
    /// libcurl's CURLcode, or 0 if there is a response.
    int code;
    int limit;
    int file_error;
    long status;
    const uint8_t *body;
    size_t body_size;
    /// The header fields of the last response, as received.
    const char *headers;
    size_t headers_size;
    /// Whether the response redirects to the address in its field Location. See ccurl_follow.
    bool is_redirect;
    const char *message;
    double seconds;
    /// Whether the body was truncated: it is shorter than announced, or compressed data ended early.
    bool is_cut;
    /// Whether the request went through a proxy, the proxy's answer to CONNECT, if any, and whether the request was sent.
    bool is_proxied;
    long proxy_status;
    bool was_sent;
    /// Whether the server broke the rules of HTTP/2, or ended the connection before it answered.
    bool is_http_2_fault;
    /// Whether there was such a fault, or possibly one: the connection ended early and may have used HTTP/2.
    bool may_be_http_2_fault;
    void *internal;
} ccurl_result;

/// Loads libcurl and creates a multi handle, or returns null if libcurl is missing. A request waits while the address of its
/// host, which many names may share, has the maximum number of connections.
ccurl_multi *ccurl_multi_new(int maximum_connections, int maximum_per_host, int maximum_per_address);
void ccurl_multi_free(ccurl_multi *multi);
/// Starts a request. Returns false on failure.
bool ccurl_start(ccurl_multi *multi, uint64_t id, const ccurl_request *request);
/// Sends the request that follows the redirect of a finished one, with its cookies, limits, body file and identity. Consumes the
/// result, whose pointers are invalid afterwards. Returns false on failure.
bool ccurl_follow(ccurl_multi *multi, ccurl_result *result, const ccurl_request *request);
/// Returns the path of the file with libcurl's certificates of authorities, or null.
const char *ccurl_authorities(void);
/// Whether a status is a redirect to another address.
bool ccurl_is_redirect(long status);
/// Ends a request without a result.
void ccurl_cancel(ccurl_multi *multi, uint64_t id);
/// Waits for activity up to a number of milliseconds and handles it.
void ccurl_turn(ccurl_multi *multi, int timeout_ms);
/// Classifies the 4 or 16 bytes of an IP address: 0 public, 1 private, 2 link-local.
int ccurl_kind_of_address(const uint8_t *bytes, size_t count);
/// Returns the next finished request.
bool ccurl_next(ccurl_multi *multi, ccurl_result *result);
void ccurl_release(ccurl_result *result);
/// Wakes a waiting ccurl_turn. Can be called on any thread.
void ccurl_wake(ccurl_multi *multi);

/// The results of ccurl_decode. If a document ends early, its beginning is decoded.
enum {
    CCURL_DECODED = 0,
    CCURL_DECODED_CUT = 1,
    CCURL_DECODED_TOO_LARGE = 2,
    CCURL_DECODED_NO_MEMORY = 3,
};

/// Decompresses a document if it is a gzip file, which may have several members and, as in gzip(1), other bytes after them.
///
/// @param maximum The maximum size of the document in bytes.
/// @param decoded The document, to be freed by the caller, or null if it isn't compressed.
int ccurl_decode(const uint8_t *bytes, size_t count, size_t maximum, uint8_t **decoded, size_t *decoded_count);

/// The versions of libcurl and its libraries (curl_version(3)), or null if it is missing.
const char *ccurl_version(void);

#endif
