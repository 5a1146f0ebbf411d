#include "addresses.h"

#include "CCurl.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static int kind_of_ipv4(uint32_t a) {
    if ((a >> 16) == 0xA9FE) return ADDRESS_LINK_LOCAL;                     // 169.254/16
    if ((a >> 24) == 0 || (a >> 24) == 10 || (a >> 24) == 127) return ADDRESS_PRIVATE;
    if ((a >> 20) == 0xAC1 || (a >> 16) == 0xC0A8) return ADDRESS_PRIVATE;  // 172.16/12, 192.168/16
    if ((a >> 22) == (0x64400000u >> 22)) return ADDRESS_PRIVATE;           // 100.64/10
    if ((a >> 28) >= 0xE) return ADDRESS_PRIVATE;                           // multicast and reserved
    return ADDRESS_PUBLIC;
}

// IPv4 addresses inside IPv6 ones (mapped, NAT64, 6to4) are treated as IPv4.
static int kind_of_ipv6(const uint8_t *b) {
    static const uint8_t zeros[12];
    uint32_t last = (uint32_t)b[12] << 24 | (uint32_t)b[13] << 16 | (uint32_t)b[14] << 8 | b[15];
    if (memcmp(b, zeros, 10) == 0 && b[10] == 0xFF && b[11] == 0xFF) return kind_of_ipv4(last);
    if (b[0] == 0 && b[1] == 0x64 && b[2] == 0xFF && b[3] == 0x9B) return kind_of_ipv4(last);
    if (b[0] == 0x20 && b[1] == 0x02) {
        return kind_of_ipv4((uint32_t)b[2] << 24 | (uint32_t)b[3] << 16 | (uint32_t)b[4] << 8 | b[5]);
    }
    if (memcmp(b, zeros, 12) == 0) return ADDRESS_PRIVATE;  // ::, ::1 and the old compatible form
    if (b[0] == 0xFE && (b[1] & 0xC0) == 0x80) return ADDRESS_LINK_LOCAL;
    if ((b[0] & 0xFE) == 0xFC || b[0] == 0xFF) return ADDRESS_PRIVATE;
    return ADDRESS_PUBLIC;
}

int ccurl_kind_of_address(const uint8_t *bytes, size_t count) {
    if (count == 4) {
        return kind_of_ipv4((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]);
    }
    return count == 16 ? kind_of_ipv6(bytes) : ADDRESS_PRIVATE;
}

static cad_host mapped(const void *bytes) {
    cad_host host = {{[10] = 0xFF, [11] = 0xFF}};
    memcpy(host.bytes + 12, bytes, 4);
    return host;
}

cad_host cad_host_of(const struct sockaddr *address) {
    cad_host host = {{0}};
    if (address->sa_family == AF_INET) return mapped(&((const struct sockaddr_in *)address)->sin_addr);
    if (address->sa_family == AF_INET6) memcpy(host.bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    return host;
}

cad_host cad_host_of_peer(const char *text) {
    cad_host host = {{0}};
    uint8_t bytes[4];
    if (inet_pton(AF_INET, text, bytes) == 1) return mapped(bytes);
    inet_pton(AF_INET6, text, host.bytes);
    return host;
}

int cad_kind(const cad_host *host) { return kind_of_ipv6(host->bytes); }
