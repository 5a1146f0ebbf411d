#define _GNU_SOURCE

#include "CCurl.h"

#include "addresses.h"
#include "decoding.h"
#include "fields.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

// The functions in use, looked up by name when libcurl is loaded.
#define FUNCTIONS(EACH)                                                                                                \
    EACH(CURLcode, global_init, (long))                                                                                \
    EACH(CURL *, easy_init, (void))                                                                                    \
    EACH(CURLcode, easy_setopt, (CURL *, CURLoption, ...))                                                             \
    EACH(CURLcode, easy_getinfo, (CURL *, CURLINFO, ...))                                                              \
    EACH(void, easy_cleanup, (CURL *))                                                                                 \
    EACH(const char *, easy_strerror, (CURLcode))                                                                      \
    EACH(struct curl_slist *, slist_append, (struct curl_slist *, const char *))                                       \
    EACH(void, slist_free_all, (struct curl_slist *))                                                                  \
    EACH(CURLM *, multi_init, (void))                                                                                  \
    EACH(CURLMcode, multi_cleanup, (CURLM *))                                                                          \
    EACH(CURLMcode, multi_setopt, (CURLM *, CURLMoption, ...))                                                         \
    EACH(CURLMcode, multi_add_handle, (CURLM *, CURL *))                                                               \
    EACH(CURLMcode, multi_remove_handle, (CURLM *, CURL *))                                                            \
    EACH(CURLMcode, multi_poll, (CURLM *, struct curl_waitfd[], unsigned int, int, int *))                             \
    EACH(CURLMcode, multi_perform, (CURLM *, int *))                                                                   \
    EACH(CURLMsg *, multi_info_read, (CURLM *, int *))                                                                 \
    EACH(CURLMcode, multi_wakeup, (CURLM *))                                                                           \
    EACH(char *, version, (void))

#define FIELD(type, name, parameters) type (*name) parameters;
static struct {
    FUNCTIONS(FIELD)
} api;

static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static bool is_open;

static void open_library(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) library = dlopen("libcurl.so", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
#define ENTRY(type, name, parameters) {(void **)&api.name, "curl_" #name},
    struct {
        void **target;
        const char *name;
    } functions[] = {FUNCTIONS(ENTRY)};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        *functions[i].target = dlsym(library, functions[i].name);
        if (*functions[i].target == NULL) return;
    }
    is_open = api.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

typedef struct transfer {
    uint64_t id;
    CURL *easy;
    struct curl_slist *headers;
    uint8_t *body;
    size_t body_size, body_capacity, maximum_body;
    char *fields;
    size_t fields_size, fields_capacity, maximum_fields, received_fields;
    int limit;
    long status;
    bool allows_private;
    bool has_proxy;
    // Whether the server may answer with HTTP/2.
    bool may_use_http_2;
    // Whether the request was sent; before that, a proxy may not have connected to the host.
    bool was_sent;
    // Whether the caller may follow a redirect, and whether the current response is one, whose body is ignored.
    bool may_redirect;
    bool is_redirect;
    // The file for the body, and whether it contains a part of this response.
    int file;
    bool writes_file;
    int64_t resume_from;
    int file_error;
    uint8_t *request_body;
    // Whether an address had no room for another connection, that address, and whether the transfer waits for room.
    bool is_crowded;
    bool waits;
    cad_host crowded_host;
    // The address of the last request, unless it went through a proxy, and whether more than half of its room was taken.
    cad_host host;
    bool is_in_crowd;
    char error[CURL_ERROR_SIZE];
    ccurl_multi *owner;
    struct transfer *next;
} transfer;

// An open connection.
typedef struct {
    curl_socket_t descriptor;
    cad_host host;
} connection;

struct ccurl_multi {
    CURLM *multi;
    transfer *transfers;
    connection *connections;
    size_t connections_size, connections_capacity;
    size_t maximum_per_address;
    // The addresses that have answered quickly while they had many connections. They may have any number.
    cad_host *quick;
    size_t quick_size, quick_capacity;
};

// An address counts as quick if it answers within this time in seconds.
static const double quick_answer = 0.2;

static bool append(void **bytes, size_t *size, size_t *capacity, const void *more, size_t count) {
    if (*size + count > *capacity) {
        size_t wanted = *capacity == 0 ? 16384 : *capacity;
        // Growing copies the content, so it happens rarely. Memory that isn't written takes no space.
        while (wanted < *size + count) wanted *= wanted < 1 << 20 ? 4 : 2;
        void *grown = realloc(*bytes, wanted);
        if (grown == NULL) return false;
        *bytes = grown;
        *capacity = wanted;
    }
    memcpy((char *)*bytes + *size, more, count);
    *size += count;
    return true;
}

// Ends a transfer because of a limit, and returns 0, which makes a callback fail.
static size_t stop(transfer *t, int limit, int file_error) {
    t->limit = limit;
    t->file_error = file_error;
    return 0;
}

// MARK: Bodies

static bool begin_file(transfer *t) {
    if (t->writes_file) return true;
    off_t place = 0;
    if (t->status == 206) {
        // The part must start exactly at the end of the file.
        if (cfd_range_start((cfd_span){t->fields, t->fields_size}) != t->resume_from) return stop(t, CCURL_LIMIT_FILE, ERANGE);
        place = t->resume_from;
    }
    t->writes_file = ftruncate(t->file, place) == 0 && lseek(t->file, place, SEEK_SET) == place;
    return t->writes_file || stop(t, CCURL_LIMIT_FILE, errno);
}

static size_t write_file(transfer *t, const char *bytes, size_t count) {
    if (!begin_file(t)) return 0;
    t->body_size += count;
    if (t->body_size > t->maximum_body) return stop(t, CCURL_LIMIT_BODY, 0);
    for (size_t done = 0; done < count;) {
        ssize_t written = write(t->file, bytes + done, count - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return stop(t, CCURL_LIMIT_FILE, written < 0 ? errno : ENOSPC);
        done += (size_t)written;
    }
    return count;
}

static size_t on_body(char *bytes, size_t one, size_t count, void *context) {
    transfer *t = context;
    (void)one;
    if (t->file >= 0 && !t->is_redirect) {
        // The body of any other response, such as an error page, is ignored.
        return t->status == 200 || t->status == 206 ? write_file(t, bytes, count) : count;
    }
    if (t->body_size + count > t->maximum_body) return stop(t, CCURL_LIMIT_BODY, 0);
    if (t->is_redirect) {
        t->body_size += count;
        return count;
    }
    return append((void **)&t->body, &t->body_size, &t->body_capacity, bytes, count) ? count : 0;
}

static size_t on_header(char *bytes, size_t one, size_t count, void *context) {
    transfer *t = context;
    (void)one;
    t->received_fields += count;
    if (t->received_fields > t->maximum_fields) return stop(t, CCURL_LIMIT_HEADERS, 0);
    if (count >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
        // A new response starts: after an interim one, or after a redirect.
        t->fields_size = 0;
        t->body_size = 0;
        const char *space = memchr(bytes, ' ', count);
        int64_t status = space == NULL ? 0 : cfd_number(cfd_trimmed((cfd_span){space, count - (size_t)(space - bytes)}));
        t->status = status < 0 || status > 999 ? 0 : (long)status;
        t->is_redirect = false;
    } else if (cfd_is_field((cfd_span){bytes, count}, "location", &(cfd_span){0})) {
        t->is_redirect = t->may_redirect && ccurl_is_redirect(t->status);
    }
    return append((void **)&t->fields, &t->fields_size, &t->fields_capacity, bytes, count) ? count : 0;
}

// The address policy: link-local addresses never, private ones only if the request allows them.
static bool is_refused(transfer *t, int kind) {
    if (kind == ADDRESS_PUBLIC || (kind == ADDRESS_PRIVATE && t->allows_private)) return false;
    t->limit = CCURL_LIMIT_ADDRESS;
    return true;
}

// The number of open connections to an address, used or not.
static size_t connections_to(const ccurl_multi *multi, const cad_host *host) {
    size_t count = 0;
    for (size_t i = 0; i < multi->connections_size / sizeof(connection); i++) {
        count += memcmp(&multi->connections[i].host, host, sizeof *host) == 0;
    }
    return count;
}

static bool is_quick(const ccurl_multi *multi, const cad_host *host) {
    for (size_t i = 0; i < multi->quick_size / sizeof(cad_host); i++) {
        if (memcmp(&multi->quick[i], host, sizeof *host) == 0) return true;
    }
    return false;
}

static bool has_room(const ccurl_multi *multi, const cad_host *host) {
    return connections_to(multi, host) < multi->maximum_per_address || is_quick(multi, host);
}

// Remembers that an address with many connections is quick, if it is.
static void note_answer(ccurl_multi *multi, transfer *t) {
    double sent = 0, begun = 0;
    if (!t->is_in_crowd || t->is_redirect) return;
    api.easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME, &sent);
    api.easy_getinfo(t->easy, CURLINFO_STARTTRANSFER_TIME, &begun);
    if (begun <= 0 || begun - sent > quick_answer || is_quick(multi, &t->host)) return;
    append((void **)&multi->quick, &multi->quick_size, &multi->quick_capacity, &t->host, sizeof t->host);
}

// Called before libcurl connects to an address.
static curl_socket_t on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    transfer *t = context;
    ccurl_multi *multi = t->owner;
    (void)purpose;
    connection new = {.host = cad_host_of(&address->addr)};
    // A proxy is the user's choice: it may have any address, and connects to many hosts.
    if (!t->has_proxy && is_refused(t, cad_kind(&new.host))) return CURL_SOCKET_BAD;
    if (!t->has_proxy && !has_room(multi, &new.host)) {
        t->is_crowded = true;
        t->crowded_host = new.host;
        return CURL_SOCKET_BAD;
    }
    new.descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (new.descriptor == CURL_SOCKET_BAD) return CURL_SOCKET_BAD;
    if (!append((void **)&multi->connections, &multi->connections_size, &multi->connections_capacity, &new, sizeof new)) {
        close(new.descriptor);
        return CURL_SOCKET_BAD;
    }
    return new.descriptor;
}

static int on_close(void *context, curl_socket_t descriptor) {
    ccurl_multi *multi = context;
    size_t count = multi->connections_size / sizeof(connection);
    for (size_t i = 0; i < count; i++) {
        if (multi->connections[i].descriptor != descriptor) continue;
        multi->connections[i] = multi->connections[count - 1];
        multi->connections_size -= sizeof(connection);
        break;
    }
    return close(descriptor);
}

// Called before each request, including those on an open connection and each stream of HTTP/2.
static int on_request(void *context, char *remote, char *local, int remote_port, int local_port) {
    transfer *t = context;
    (void)local, (void)remote_port, (void)local_port;
    t->was_sent = true;
    if (t->has_proxy) return CURL_PREREQFUNC_OK;
    // Unused connections occupy at most half of the room at an address, so that hosts with other names can connect.
    t->host = cad_host_of_peer(remote);
    t->is_in_crowd = connections_to(t->owner, &t->host) > t->owner->maximum_per_address / 2;
    api.easy_setopt(t->easy, CURLOPT_FORBID_REUSE, (long)(t->is_in_crowd && !is_quick(t->owner, &t->host)));
    return is_refused(t, cad_kind(&t->host)) ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

bool ccurl_is_redirect(long status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

ccurl_multi *ccurl_multi_new(int maximum_connections, int maximum_per_host, int maximum_per_address) {
    pthread_once(&open_once, open_library);
    if (!is_open) return NULL;
    ccurl_multi *multi = calloc(1, sizeof *multi);
    if (multi == NULL) return NULL;
    multi->multi = api.multi_init();
    if (multi->multi == NULL) {
        free(multi);
        return NULL;
    }
    multi->maximum_per_address = (size_t)maximum_per_address;
    api.multi_setopt(multi->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)maximum_connections);
    api.multi_setopt(multi->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)maximum_per_host);
    api.multi_setopt(multi->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    return multi;
}

static void free_transfer(transfer *t) {
    api.easy_cleanup(t->easy);
    api.slist_free_all(t->headers);
    free(t->body);
    free(t->fields);
    free(t->request_body);
    free(t);
}

void ccurl_multi_free(ccurl_multi *multi) {
    while (multi->transfers != NULL) ccurl_cancel(multi, multi->transfers->id);
    api.multi_cleanup(multi->multi);
    free(multi->connections);
    free(multi->quick);
    free(multi);
}

// Appends a line. Without memory it returns false and frees the list.
static bool append_line(struct curl_slist **headers, const char *line) {
    struct curl_slist *longer = api.slist_append(*headers, line);
    if (longer == NULL) api.slist_free_all(*headers);
    *headers = longer;
    return longer != NULL;
}

static bool append_lines(struct curl_slist **headers, const ccurl_request *request) {
    // Ranges refer to the file as it is stored, without a coding.
    bool accepts = request->file < 0;
    for (int i = 0; i < request->header_count; i++) {
        cfd_span line = {request->headers[i], strlen(request->headers[i])}, value;
        if (cfd_is_field(line, "accept-encoding", &value)) accepts = false;
    }
    if (accepts) {
        char accepted[64];
        snprintf(accepted, sizeof accepted, "Accept-Encoding: %s", ccd_accepted());
        if (!append_line(headers, accepted)) return false;
    }
    for (int i = 0; i < request->header_count; i++) {
        if (!append_line(headers, request->headers[i])) return false;
    }
    return true;
}

// Whether an option was set, or this libcurl doesn't have it. Any other failure, such as one of memory, ends the request, because
// the missing option could be one that protects it.
static bool is_set(CURLcode code) {
    return code == CURLE_OK || code == CURLE_UNKNOWN_OPTION || code == CURLE_NOT_BUILT_IN || code == CURLE_UNSUPPORTED_PROTOCOL;
}

#define SET(option, value)                                                                                             \
    do {                                                                                                               \
        if (!is_set(api.easy_setopt(easy, option, value))) return false;                                               \
    } while (0)

// Sets everything that can differ between a request and one that follows its redirect, and starts it.
static bool begin(ccurl_multi *multi, transfer *t, const ccurl_request *request) {
    CURL *easy = t->easy;
    struct curl_slist *headers = NULL;
    if (!append_lines(&headers, request)) return false;
    if (!is_set(api.easy_setopt(easy, CURLOPT_HTTPHEADER, headers))) {
        api.slist_free_all(headers);
        return false;
    }
    api.slist_free_all(t->headers);
    t->headers = headers;
    t->allows_private = request->allows_private;
    t->has_proxy = request->proxy != NULL;
    t->is_redirect = false;
    t->is_crowded = false;
    t->is_in_crowd = false;
    t->was_sent = false;
    t->may_use_http_2 = !request->is_http_1 && strncasecmp(request->url, "https:", 6) == 0;
    t->error[0] = 0;
    t->body_size = 0;
    t->fields_size = 0;
    SET(CURLOPT_URL, request->url);
    // The caller has chosen the route, so libcurl must not read the environment.
    SET(CURLOPT_PROXY, t->has_proxy ? request->proxy : "");
    SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    SET(CURLOPT_TIMEOUT_MS, request->total_timeout_ms);
    SET(CURLOPT_HTTP_VERSION, (long)(request->is_http_1 ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS));
    if (request->authorities != NULL) {
        struct curl_blob blob = {(void *)request->authorities, request->authorities_size, CURL_BLOB_COPY};
        SET(CURLOPT_CAINFO_BLOB, &blob);
    }
    if (api.multi_add_handle(multi->multi, easy) != CURLM_OK) return false;
    // The list is in the order of waiting, longest first.
    transfer **last = &multi->transfers;
    while (*last != NULL) last = &(*last)->next;
    t->next = NULL;
    *last = t;
    return true;
}

// Sets everything that a request shares with those that follow its redirects.
static bool set_options(transfer *t, const ccurl_request *request) {
    CURL *easy = t->easy;
    if (request->method != NULL) {
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
        SET(CURLOPT_POSTFIELDS, t->request_body != NULL ? (const char *)t->request_body : "");
        SET(CURLOPT_CUSTOMREQUEST, request->method);
    }
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_USERAGENT, request->user_agent);
    // The caller follows redirects, because each needs its own route, policy and credentials.
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_LOW_SPEED_LIMIT, 100L);
    SET(CURLOPT_LOW_SPEED_TIME, 20L);
    SET(CURLOPT_ERRORBUFFER, t->error);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, t);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, t);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_socket);
    SET(CURLOPT_OPENSOCKETDATA, t);
    SET(CURLOPT_CLOSESOCKETFUNCTION, on_close);
    SET(CURLOPT_CLOSESOCKETDATA, t->owner);
    // Cookies within a transfer, without which sites that set one and redirect would do so forever.
    SET(CURLOPT_COOKIEFILE, "");
    SET(CURLOPT_PREREQDATA, t);
    if (api.easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_request) != CURLE_OK) {
        // libcurl before 7.80 has no callback before each request, so connections are not reused.
        SET(CURLOPT_FRESH_CONNECT, 1L);
        SET(CURLOPT_FORBID_REUSE, 1L);
    }
    return true;
}

bool ccurl_start(ccurl_multi *multi, uint64_t id, const ccurl_request *request) {
    transfer *t = calloc(1, sizeof *t);
    if (t == NULL) return false;
    t->easy = api.easy_init();
    if (t->easy == NULL) {
        free(t);
        return false;
    }
    t->id = id;
    t->owner = multi;
    t->maximum_body = request->maximum_body;
    t->maximum_fields = request->maximum_headers;
    t->file = request->file;
    t->resume_from = request->resume_from;
    t->may_redirect = request->method == NULL;
    if (request->body_size > 0) {
        t->request_body = malloc(request->body_size);
        if (t->request_body == NULL) {
            free_transfer(t);
            return false;
        }
        memcpy(t->request_body, request->body, request->body_size);
    }
    if (set_options(t, request) && begin(multi, t, request)) return true;
    free_transfer(t);
    return false;
}

bool ccurl_follow(ccurl_multi *multi, ccurl_result *result, const ccurl_request *request) {
    transfer *t = result->internal;
    result->internal = NULL;
    if (begin(multi, t, request)) return true;
    free_transfer(t);
    return false;
}

static void unlink_transfer(ccurl_multi *multi, transfer *t) {
    api.multi_remove_handle(multi->multi, t->easy);
    for (transfer **link = &multi->transfers; *link != NULL; link = &(*link)->next) {
        if (*link == t) {
            *link = t->next;
            return;
        }
    }
}

void ccurl_cancel(ccurl_multi *multi, uint64_t id) {
    for (transfer *t = multi->transfers; t != NULL; t = t->next) {
        if (t->id == id) {
            unlink_transfer(multi, t);
            free_transfer(t);
            return;
        }
    }
}

// Starts the transfer that has waited longest for room at its address, and all that wait for a quick address.
static void start_waiting(ccurl_multi *multi) {
    for (transfer *t = multi->transfers; t != NULL; t = t->next) {
        if (!t->waits || !has_room(multi, &t->crowded_host)) continue;
        t->waits = api.multi_add_handle(multi->multi, t->easy) != CURLM_OK;
        if (!is_quick(multi, &t->crowded_host)) return;
    }
}

static transfer *transfer_of(const ccurl_multi *multi, CURL *easy) {
    transfer *t = multi->transfers;
    while (t != NULL && t->easy != easy) t = t->next;
    return t;
}

// Lets a transfer wait that failed only because an address had no room for another connection.
static bool waits(ccurl_multi *multi, CURL *easy, CURLcode code) {
    transfer *t = transfer_of(multi, easy);
    if (t == NULL || code == CURLE_OK || !t->is_crowded || t->was_sent) return false;
    api.multi_remove_handle(multi->multi, easy);
    t->waits = true;
    t->is_crowded = false;
    t->limit = CCURL_LIMIT_NONE;
    t->error[0] = 0;
    return true;
}

void ccurl_turn(ccurl_multi *multi, int timeout_ms) {
    int running = 0;
    start_waiting(multi);
    // Polls first, so that a transfer that ends in multi_perform is returned without waiting for another poll.
    api.multi_poll(multi->multi, NULL, 0, timeout_ms, NULL);
    api.multi_perform(multi->multi, &running);
}

// Replaces the body by its decoded content. A body that ends early keeps its decoded beginning.
static int decode(transfer *t) {
    // A longer list can only be an attack.
    char codings[256];
    size_t size = 0;
    if (!cfd_join((cfd_span){t->fields, t->fields_size}, "content-encoding", codings, sizeof codings, &size)) {
        t->body_size = 0;
        return CCURL_DECODED_CUT;
    }
    uint8_t *decoded = NULL;
    size_t count = 0;
    int result = ccd_decode(codings, size, t->body, t->body_size, t->maximum_body, &decoded, &count);
    t->body_size = count;
    if (decoded == NULL) return result;
    free(t->body);
    t->body = decoded;
    t->body_capacity = count;
    return result;
}

// Whether a connection that may have used HTTP/2 ended as after a frame that libcurl can't read, which not all versions of libcurl
// report.
static bool is_like_http_2_fault(transfer *t, CURLcode code) {
    long version = 0;
    api.easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
    bool is_known = t->fields_size > 0;
    if (!t->may_use_http_2 || !t->was_sent || (is_known && version != CURL_HTTP_VERSION_2_0)) return false;
    switch (code) {
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return t->limit == CCURL_LIMIT_NONE;
    default: return false;
    }
}

bool ccurl_next(ccurl_multi *multi, ccurl_result *result) {
    int left = 0;
    CURLMsg *message = api.multi_info_read(multi->multi, &left);
    while (message != NULL && (message->msg != CURLMSG_DONE || waits(multi, message->easy_handle, message->data.result))) {
        message = api.multi_info_read(multi->multi, &left);
    }
    if (message == NULL) return false;
    CURLcode code = message->data.result;
    transfer *t = transfer_of(multi, message->easy_handle);
    if (t == NULL) return false;
    if (code == CURLE_OK) note_answer(multi, t);
    memset(result, 0, sizeof *result);
    api.easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &result->status);
    api.easy_getinfo(t->easy, CURLINFO_TOTAL_TIME, &result->seconds);
    api.easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &result->proxy_status);
    result->is_proxied = t->has_proxy;
    result->was_sent = t->was_sent;
    result->is_redirect = t->is_redirect;
    result->is_http_2_fault = code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM;
    result->may_be_http_2_fault = result->is_http_2_fault || is_like_http_2_fault(t, code);
    // A response without a body still replaces the content of the file.
    if (t->file >= 0 && t->status == 200 && code == CURLE_OK && !begin_file(t)) code = CURLE_WRITE_ERROR;
    unlink_transfer(multi, t);
    bool may_be_cut = code == CURLE_OK || code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_HTTP2_STREAM;
    if (may_be_cut && t->limit == CCURL_LIMIT_NONE && t->file < 0 && !t->is_redirect && t->body_size > 0) {
        int decoded = decode(t);
        if (decoded == CCURL_DECODED_TOO_LARGE) t->limit = CCURL_LIMIT_BODY;
        if (decoded == CCURL_DECODED_NO_MEMORY) code = CURLE_WRITE_ERROR;
        if (decoded == CCURL_DECODED_CUT && code == CURLE_OK) code = CURLE_BAD_CONTENT_ENCODING;
        if (t->limit != CCURL_LIMIT_NONE) code = CURLE_WRITE_ERROR;
    }
    result->id = t->id;
    result->code = code;
    result->limit = t->limit;
    result->file_error = t->file_error;
    // A truncated document is returned and marked as such.
    bool is_answer = t->limit == CCURL_LIMIT_NONE && t->file < 0 && result->status >= 200 && result->status < 300 && t->body_size > 0;
    if (is_answer && code != CURLE_OK && (may_be_cut || code == CURLE_BAD_CONTENT_ENCODING)) {
        result->code = CURLE_OK;
        result->is_cut = true;
    }
    result->body = t->body;
    result->body_size = t->file < 0 && !t->is_redirect ? t->body_size : 0;
    result->headers = t->fields;
    result->headers_size = t->fields_size;
    result->message = t->error[0] != 0 ? t->error : api.easy_strerror(code);
    result->internal = t;
    return true;
}

void ccurl_release(ccurl_result *result) {
    if (result->internal != NULL) free_transfer(result->internal);
    result->internal = NULL;
}

const char *ccurl_authorities(void) {
    static char path[4096];
    pthread_once(&open_once, open_library);
    CURL *easy = is_open ? api.easy_init() : NULL;
    if (easy == NULL) return NULL;
    char *found = NULL;
    bool is_known = api.easy_getinfo(easy, CURLINFO_CAINFO, &found) == CURLE_OK && found != NULL;
    if (is_known) snprintf(path, sizeof path, "%s", found);
    api.easy_cleanup(easy);
    return is_known ? path : NULL;
}

void ccurl_wake(ccurl_multi *multi) { api.multi_wakeup(multi->multi); }

int ccurl_decode(const uint8_t *bytes, size_t count, size_t maximum, uint8_t **decoded, size_t *decoded_count) {
    return ccd_decode("", 0, bytes, count, maximum, decoded, decoded_count);
}

const char *ccurl_version(void) {
    pthread_once(&open_once, open_library);
    return is_open ? api.version() : NULL;
}
