// The contents of a handle, outside include/ so that Swift does not see libgps.

#ifndef CGPSD_CONNECTION_H
#define CGPSD_CONNECTION_H

#include "CGpsd.h"

#include <gps.h>
#include <stdatomic.h>

enum {
    CGPSD_OWNED_BY_THREAD,      // still connecting
    CGPSD_OWNED_BY_LOOP,        // the thread has handed the handle over
    CGPSD_ABANDONED,            // destroyed while the thread connected: the thread frees the handle
};

struct cgpsd {
    struct gps_data_t data;
    char *host;
    char *port;
    int result;                 // of gps_open
    int done_fd;                // readable when the thread has ended
    int tell_fd;                // the thread's end of the pipe
    atomic_int owner;
    bool is_taken_over;
};

// Since release 3.26, gps_fd has its own type, which is a pointer in a Qt build; the cast works for all types.
static inline int cgpsd_socket(const struct cgpsd *gpsd) { return (int)(intptr_t)gpsd->data.gps_fd; }

#endif
