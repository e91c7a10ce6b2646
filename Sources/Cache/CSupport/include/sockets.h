#ifndef CSUPPORT_SOCKETS_H
#define CSUPPORT_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

/// Bytes that have come on a TCP socket and were not read yet; 0 where the system does not say.
int cs_unread_bytes(int socket);

/// How many bytes have come on a TCP socket, and how many of them were read. Returns false where the system does not
/// say (it needs Linux).
bool cs_bytes_received(int socket, uint64_t *received, uint64_t *read);

/// The local port of a TCP socket; 0 while it has none.
int cs_local_port(int socket);

/// Whether the other end of a TCP socket has this address, as text, and this port.
bool cs_is_connected_to(int socket, const char *address, int port);

#endif
