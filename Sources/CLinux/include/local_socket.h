// Stream sockets between programs of one computer; `struct sockaddr_un` is awkward to fill in from Swift.

#ifndef CLINUX_LOCAL_SOCKET_H
#define CLINUX_LOCAL_SOCKET_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Returns the length of the longest path of a socket, without the zero at its end (unix(7)). */
static inline int clinux_local_longest_path(void) {
    return (int)sizeof(((struct sockaddr_un *)0)->sun_path) - 1;
}

/* Opens a socket that is bound to `path`, or connected to `path`; -1 on failure, with the reason in errno. */
static inline int clinux_local_open(const char *path, bool binds) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    const struct sockaddr *name = (const struct sockaddr *)&address;
    if ((binds ? bind(fd, name, sizeof address) : connect(fd, name, sizeof address)) == 0) return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* Opens a socket that is bound to `path`, from its first moment with at most the rights of `mode`; -1 on failure, see errno. No
 * other thread may create files during this call. */
static inline int clinux_local_bind(const char *path, mode_t mode) {
    const mode_t before = umask(~mode & 0777);
    const int fd = clinux_local_open(path, true);
    const int reason = errno;
    umask(before);
    errno = reason;
    return fd;
}

/* Changes the group of the socket at `path`, and never the group of another file there, or of a link's target; false on failure,
 * see errno. */
bool clinux_local_give(const char *path, gid_t group);

/* Opens a socket that is connected to `path`, without ever blocking, even on a busy listener; -1 on failure, see errno. */
static inline int clinux_local_connect(const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* Accepts a pending client of a non-blocking socket; calls on the client never block either; -1 if no client is pending. */
static inline int clinux_local_accept(int fd) {
    int client = accept(fd, NULL, NULL);
    if (client < 0) return -1;
    fcntl(client, F_SETFL, O_NONBLOCK);
    fcntl(client, F_SETFD, FD_CLOEXEC);
    return client;
}

/* Sends as much as the other end has room for; -1 on failure. Raises no SIGPIPE if the other end is gone. */
static inline ssize_t clinux_local_send(int fd, const void *bytes, size_t count) {
    return send(fd, bytes, count, MSG_NOSIGNAL);
}

/* Returns whether the other end is closed for good, so that no program would read an answer. */
static inline bool clinux_local_is_gone(int fd) {
    struct pollfd polled = { .fd = fd, .events = 0 };
    return poll(&polled, 1, 0) > 0 && (polled.revents & (POLLHUP | POLLERR)) != 0;
}

#endif
