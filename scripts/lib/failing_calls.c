/* Makes the N-th call on a network socket fail, for `scripts/torture calls`; loaded with LD_PRELOAD.
 *
 * FAIL_CALL=N selects the call, counted over the functions below in all threads; without FAIL_CALL, no call fails. When the
 * program ends or is killed, the file FAIL_COUNT contains the number of its calls. Each function fails with an error that
 * its manual page lists. Calls on local sockets (AF_UNIX) and pipes do not count. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long *count;
static long failing;

__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("FAIL_CALL"), *file = getenv("FAIL_COUNT");
    failing = number ? atol(number) : 0;
    if (!file) return;
    int fd = open(file, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *count) != 0) return;
    void *place = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (place != MAP_FAILED) count = place;
}

static int is_network(int fd) {
    int saved = errno, domain = 0;
    socklen_t size = sizeof domain;
    int is_known = getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0;
    errno = saved;
    return is_known && (domain == AF_INET || domain == AF_INET6);
}

/* Counts a call, and returns whether this call fails. */
static int fails(void) { return count && atomic_fetch_add(count, 1) + 1 == failing; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILING(condition, error) \
    if ((condition) && fails()) { errno = (error); return -1; }

int socket(int domain, int type, int protocol) {
    FAILING(domain == AF_INET || domain == AF_INET6, EMFILE)
    return REAL(socket)(domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t size) {
    FAILING(is_network(fd), ECONNREFUSED)
    return REAL(connect)(fd, address, size);
}

ssize_t send(int fd, const void *data, size_t size, int flags) {
    FAILING(is_network(fd), ECONNRESET)
    return REAL(send)(fd, data, size, flags);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    FAILING(is_network(fd), ECONNRESET)
    return REAL(sendto)(fd, data, size, flags, to, length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    FAILING(is_network(fd), EPIPE)
    return REAL(sendmsg)(fd, message, flags);
}

ssize_t recv(int fd, void *data, size_t size, int flags) {
    FAILING(is_network(fd), ECONNRESET)
    return REAL(recv)(fd, data, size, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    FAILING(is_network(fd), ETIMEDOUT)
    return REAL(recvmsg)(fd, message, flags);
}

ssize_t read(int fd, void *data, size_t size) {
    FAILING(is_network(fd), ECONNRESET)
    return REAL(read)(fd, data, size);
}

ssize_t write(int fd, const void *data, size_t size) {
    FAILING(is_network(fd), EPIPE)
    return REAL(write)(fd, data, size);
}

