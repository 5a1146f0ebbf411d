// libcurl's multi interface behind plain functions.
//
// libcurl is opened on first use: linking it brings some forty libraries, which a program that only shows a list does
// not need. Its options are variadic and so cannot be set from Swift.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccurl_multi ccurl_multi;

/// One request.
typedef struct {
    const char *url;
    const char *user_agent;
    /// Header lines without line ends; may be null when the count is 0.
    const char *const *headers;
    int header_count;
    /// The proxy to send this request through; null: none. No variable of the environment is read.
    const char *proxy;
    /// Whether a direct request may go to a private address (RFC 1918, loopback and such). Link-local addresses are always refused.
    bool allows_private;
    long connect_timeout_ms;
    long total_timeout_ms;
    /// Bytes of the decoded body and of all header fields after which the request fails.
    size_t maximum_body;
    size_t maximum_headers;
    /// The method where it is not GET; with it the body, which may be null.
    const char *method;
    const uint8_t *body;
    size_t body_size;
    /// Where the answer's body goes instead of memory; -1: nowhere else. With the bytes that are there already: an answer that goes
    /// on from there (206) is written behind them, a whole one (200) from the beginning.
    int file;
    int64_t resume_from;
} ccurl_request;

/// Why a request failed beside libcurl's own reasons.
enum {
    CCURL_LIMIT_NONE = 0,
    CCURL_LIMIT_BODY = 1,
    CCURL_LIMIT_HEADERS = 2,
    /// A private or link-local address was refused.
    CCURL_LIMIT_ADDRESS = 3,
    /// The file could not be written to; its errno is in the result.
    CCURL_LIMIT_FILE = 4,
};

/// A finished request. The pointers are valid until ccurl_release.
typedef struct {
    uint64_t id;
    /// libcurl's CURLcode: 0 when an answer came.
    int code;
    int limit;
    int file_error;
    long status;
    const uint8_t *body;
    size_t body_size;
    /// The header fields of the last answer, as they came.
    const char *headers;
    size_t headers_size;
    const char *effective_url;
    /// The absolute address that a redirect names; null for any other answer. See ccurl_follow.
    const char *redirect_url;
    const char *message;
    double seconds;
    /// Whether less came than was announced, or a compressed body did not end: the bytes are those that came.
    bool is_cut;
    void *internal;
} ccurl_result;

/// Opens libcurl and makes a multi handle; null when libcurl is missing.
ccurl_multi *ccurl_multi_new(int maximum_connections, int maximum_per_host);
void ccurl_multi_free(ccurl_multi *multi);
/// Starts a request. Returns false when it cannot be started.
bool ccurl_start(ccurl_multi *multi, uint64_t id, const ccurl_request *request);
/// Sends the request that follows the redirect of a finished one, with its cookies, limits, body file and identity. Consumes the
/// result, whose pointers are invalid afterwards. Returns false when it cannot be started.
bool ccurl_follow(ccurl_multi *multi, ccurl_result *result, const ccurl_request *request);
/// Whether a status is that of a redirect to another address.
bool ccurl_is_redirect(long status);
/// Ends a request without a result.
void ccurl_cancel(ccurl_multi *multi, uint64_t id);
/// Waits for something to do, at most so many ms, and does it.
void ccurl_turn(ccurl_multi *multi, int timeout_ms);
/// What an address is, as text: 0 public, 1 private, 2 link-local; -1 when it is none.
int ccurl_kind_of_address(const char *text);
/// Takes the next finished request.
bool ccurl_next(ccurl_multi *multi, ccurl_result *result);
void ccurl_release(ccurl_result *result);
/// Ends a ccurl_turn that waits; from any thread.
void ccurl_wake(ccurl_multi *multi);

/// libcurl and its own libraries, with their versions (curl_version(3)); null where there is none.
const char *ccurl_version(void);

#endif
