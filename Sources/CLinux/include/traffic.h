// The traffic of a connection, as the kernel counts it.

#ifndef CLINUX_TRAFFIC_H
#define CLINUX_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

/// Reads the bytes that a TCP connection has caused in both directions since it began, with the headers of IP and TCP,
/// acknowledgements and repetitions; `number` is different for each socket. False if the descriptor is not such a connection.
bool clinux_tcp_traffic(int fd, uint64_t *number, uint64_t *bytes);

#endif
