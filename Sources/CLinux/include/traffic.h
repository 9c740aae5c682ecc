// The traffic of a connection, as the kernel counts it.

#ifndef CLINUX_TRAFFIC_H
#define CLINUX_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

/// Reads the number of bytes that a TCP connection has caused in both directions since it began, with the headers of IP and TCP,
/// acknowledgements and retransmissions; `number` is different for each socket. Returns false if the descriptor is not a TCP
/// connection.
bool clinux_tcp_traffic(int fd, uint64_t *number, uint64_t *bytes);

#endif
