// The kinds of IP addresses, for the policy on private ones.

#ifndef CCURL_ADDRESSES_H
#define CCURL_ADDRESSES_H

#include <sys/socket.h>

enum { ADDRESS_PUBLIC, ADDRESS_PRIVATE, ADDRESS_LINK_LOCAL };

/// Returns the kind of an address to connect to.
int cad_kind_of_socket_address(const struct sockaddr *address);
/// Returns the kind of the address of a connection, which libcurl reports as text.
int cad_kind_of_peer(const char *text);

#endif
