/* Makes the N-th call of a kind on a socket fail, for `scripts/torture calls`; loaded with LD_PRELOAD.
 *
 * A kind is a function and the family of the socket: `network` for IP, `gpsd` for IP to the port FAIL_GPSD, `local` for the control
 * sockets and their clients, and `netlink`. FAIL_CALL="recv gpsd 3" selects the third call of this kind in all threads; without
 * FAIL_CALL, no call fails. When the program ends or is killed, the file FAIL_COUNT contains the number of calls of each kind.
 * Each function fails with an error that its manual page lists. Calls on sockets without a name (socketpair) and on pipes do not
 * count, because they belong to the wake-up signals of libraries. Calls to poll do not count either. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

/* scripts/lib/torture_calls.py has the same names in the same order. */
enum function { SOCKET, BIND, LISTEN, ACCEPT, CONNECT, SEND, RECV, READ, WRITE, FUNCTIONS };
static const char *const functions[] = { "socket", "bind", "listen", "accept", "connect", "send", "recv", "read", "write" };
enum family { NETWORK, GPSD, LOCAL, NETLINK, FAMILIES, OTHER = -1 };
static const char *const families[] = { "network", "gpsd", "local", "netlink" };

static atomic_long *counts;
static int failing_kind = -1;
static long failing_number;
static int gpsd_port;

static int place(const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) return i;
    }
    return -1;
}

__attribute__((constructor)) static void begin(void) {
    const char *call = getenv("FAIL_CALL"), *file = getenv("FAIL_COUNT"), *port = getenv("FAIL_GPSD");
    char function[16], family[16];
    if (call && sscanf(call, "%15s %15s %ld", function, family, &failing_number) == 3) {
        failing_kind = place(function, functions, FUNCTIONS) * FAMILIES + place(family, families, FAMILIES);
    }
    gpsd_port = port ? atoi(port) : 0;
    if (!file) return;
    const size_t size = sizeof *counts * FUNCTIONS * FAMILIES;
    int fd = open(file, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0) return;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (memory != MAP_FAILED) counts = memory;
}

static enum family family_of_domain(int domain) {
    switch (domain) {
    case AF_INET:
    case AF_INET6: return NETWORK;
    case AF_UNIX: return LOCAL;
    case AF_NETLINK: return NETLINK;
    default: return OTHER;
    }
}

static enum family family_of_address(const void *address) {
    sa_family_t domain;
    in_port_t port;
    memcpy(&domain, (const char *)address + offsetof(struct sockaddr, sa_family), sizeof domain);
    const enum family family = family_of_domain(domain);
    if (family != NETWORK || gpsd_port == 0) return family;
    /* The port is at the same place in an address of IPv6. */
    memcpy(&port, (const char *)address + offsetof(struct sockaddr_in, sin_port), sizeof port);
    return ntohs(port) == gpsd_port ? GPSD : NETWORK;
}

static enum family family_of(int fd) {
    const int saved = errno;
    struct sockaddr_storage address = { 0 };
    socklen_t size = sizeof address;
    int domain = 0;
    socklen_t length = sizeof domain;
    enum family family = OTHER;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0) {
        family = family_of_domain(domain);
        if (family == NETWORK && getpeername(fd, (struct sockaddr *)&address, &size) == 0) {
            family = family_of_address(&address);
        } else if (family == LOCAL) {
            const int is_named = getsockname(fd, (struct sockaddr *)&address, &size) == 0
                && size > offsetof(struct sockaddr_un, sun_path);
            if (!is_named) family = OTHER;
        }
    }
    errno = saved;
    return family;
}

/* Counts a call, and returns whether this call fails. */
static int fails(enum function function, enum family family) {
    if (!counts || family == OTHER) return 0;
    const int kind = (int)function * FAMILIES + (int)family;
    return atomic_fetch_add(&counts[kind], 1) + 1 == failing_number && kind == failing_kind;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILING(function, family, error) \
    if (fails(function, family)) { errno = (error); return -1; }

int socket(int domain, int type, int protocol) {
    FAILING(SOCKET, family_of_domain(domain), EMFILE)
    return REAL(socket)(domain, type, protocol);
}

int bind(int fd, const struct sockaddr *address, socklen_t size) {
    FAILING(BIND, family_of_address(address), EADDRINUSE)
    return REAL(bind)(fd, address, size);
}

int listen(int fd, int backlog) {
    FAILING(LISTEN, family_of(fd), EADDRINUSE)
    return REAL(listen)(fd, backlog);
}

int accept(int fd, struct sockaddr *address, socklen_t *size) {
    FAILING(ACCEPT, family_of(fd), EMFILE)
    return REAL(accept)(fd, address, size);
}

int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags) {
    FAILING(ACCEPT, family_of(fd), EMFILE)
    return REAL(accept4)(fd, address, size, flags);
}

int connect(int fd, const struct sockaddr *address, socklen_t size) {
    FAILING(CONNECT, family_of_address(address), ECONNREFUSED)
    return REAL(connect)(fd, address, size);
}

ssize_t send(int fd, const void *data, size_t size, int flags) {
    FAILING(SEND, family_of(fd), ECONNRESET)
    return REAL(send)(fd, data, size, flags);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    FAILING(SEND, family_of(fd), ECONNRESET)
    return REAL(sendto)(fd, data, size, flags, to, length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    FAILING(SEND, family_of(fd), EPIPE)
    return REAL(sendmsg)(fd, message, flags);
}

ssize_t recv(int fd, void *data, size_t size, int flags) {
    const enum family family = family_of(fd);
    /* netlink(7): the kernel had no room for a message. */
    FAILING(RECV, family, family == NETLINK ? ENOBUFS : ECONNRESET)
    return REAL(recv)(fd, data, size, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    FAILING(RECV, family_of(fd), ETIMEDOUT)
    return REAL(recvmsg)(fd, message, flags);
}

ssize_t read(int fd, void *data, size_t size) {
    FAILING(READ, family_of(fd), ECONNRESET)
    return REAL(read)(fd, data, size);
}

ssize_t write(int fd, const void *data, size_t size) {
    FAILING(WRITE, family_of(fd), EPIPE)
    return REAL(write)(fd, data, size);
}
