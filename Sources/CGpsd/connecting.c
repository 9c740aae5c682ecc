// The life cycle of a connection: made on a thread, handed over, closed.

#define _GNU_SOURCE  // pipe2

#include "connection.h"

#include <CLinux.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// getaddrinfo and the libraries that it loads need more than the smallest stack; the default of 8 MiB is too large for a Pi Zero.
static const size_t stack_size = 512 * 1024;

static void release(struct cgpsd *gpsd) {
    if (gpsd->result == 0) gps_close(&gpsd->data);
    if (gpsd->done_fd >= 0) close(gpsd->done_fd);
    free(gpsd->host);
    free(gpsd->port);
    free(gpsd);
}

// gps_open blocks on name servers, and for minutes on a host that is down. A thread therefore calls gps_open, and the loop waits
// for a pipe. The thread owns the writing end of the pipe, and uses only this end after it has handed over the handle.
static void *connect_in_background(void *argument) {
    struct cgpsd *gpsd = argument;
    const int tell_fd = gpsd->tell_fd;
    gpsd->result = gps_open(gpsd->host, gpsd->port, &gpsd->data);
    // The result is -1 for every network failure; libgps puts the reason into errno, as a negative number.
    if (gpsd->result != 0 && errno < 0) gpsd->result = errno;
    if (atomic_exchange(&gpsd->owner, CGPSD_OWNED_BY_LOOP) == CGPSD_ABANDONED) release(gpsd);
    while (write(tell_fd, "", 1) < 0 && errno == EINTR) {}
    close(tell_fd);
    return NULL;
}

struct cgpsd *cgpsd_create(const char *host, const char *port) {
    struct cgpsd *gpsd = calloc(1, sizeof *gpsd);
    int ends[2] = {-1, -1};
    if (gpsd == NULL) return NULL;
    gpsd->result = -1;
    gpsd->done_fd = -1;
    // Since 3.25 libgps keeps these two pointers until the connection is closed.
    gpsd->host = strdup(host);
    gpsd->port = strdup(port);
    if (gpsd->host != NULL && gpsd->port != NULL && pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
        gpsd->done_fd = ends[0];
        gpsd->tell_fd = ends[1];
        if (clinux_thread_start(connect_in_background, gpsd, stack_size)) return gpsd;
        close(ends[1]);
    }
    release(gpsd);
    return NULL;
}

void cgpsd_destroy(struct cgpsd *gpsd) {
    if (atomic_exchange(&gpsd->owner, CGPSD_ABANDONED) == CGPSD_OWNED_BY_LOOP) release(gpsd);
}

int cgpsd_fd(const struct cgpsd *gpsd) {
    return gpsd->is_taken_over ? cgpsd_socket(gpsd) : gpsd->done_fd;
}

enum cgpsd_stage cgpsd_take_over(struct cgpsd *gpsd) {
    if (atomic_load(&gpsd->owner) != CGPSD_OWNED_BY_LOOP) return CGPSD_CONNECTING;
    if (gpsd->result != 0) return CGPSD_FAILED;
    // No descriptor: the host was one of libgps' names for shared memory or D-Bus, which cannot be polled.
    const int socket = cgpsd_socket(gpsd);
    if (socket < 0) return CGPSD_FAILED;
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    gpsd->is_taken_over = true;
    return CGPSD_OPEN;
}

const char *cgpsd_reason(const struct cgpsd *gpsd) {
    return gpsd->result == 0 ? "not a network connection" : gps_errstr(gpsd->result);
}
