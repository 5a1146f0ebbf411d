// The kinds of IP addresses, for the policy on private ones.

#ifndef CCURL_ADDRESSES_H
#define CCURL_ADDRESSES_H

#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_PUBLIC, ADDRESS_PRIVATE, ADDRESS_LINK_LOCAL };

/// An address without a port, as IPv6; zero if it is neither IPv4 nor IPv6.
typedef struct {
    uint8_t bytes[16];
} cad_host;

cad_host cad_host_of(const struct sockaddr *address);
/// Parses the peer's address, which libcurl passes as text.
cad_host cad_host_of_peer(const char *text);
int cad_kind(const cad_host *host);

#endif
