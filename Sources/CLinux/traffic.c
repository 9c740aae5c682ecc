#include "traffic.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* IP and TCP with the usual option for timestamps (RFC 791, RFC 8200, RFC 9293, RFC 7323). */
#define HEADER_4_BYTES (20 + 32)
#define HEADER_6_BYTES (40 + 32)

bool clinux_tcp_traffic(int fd, uint64_t *number, uint64_t *bytes) {
    struct tcp_info info = { 0 };
    struct sockaddr_storage address = { 0 };
    struct stat file;
    socklen_t info_size = sizeof info, address_size = sizeof address;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &info_size) != 0) return false;
    /* Linux counts sent bytes since 4.19. */
    if (info_size < offsetof(struct tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent) return false;
    if (getsockname(fd, (struct sockaddr *)&address, &address_size) != 0 || fstat(fd, &file) != 0) return false;
    const uint64_t header = address.ss_family == AF_INET6 ? HEADER_6_BYTES : HEADER_4_BYTES;
    *number = file.st_ino;
    *bytes = info.tcpi_bytes_sent + info.tcpi_bytes_received
        + header * ((uint64_t)info.tcpi_segs_out + info.tcpi_segs_in);
    return true;
}
