// The inside of a handle. Not in include/: nothing of libgps is seen from Swift.

#ifndef CGPSD_CONNECTION_H
#define CGPSD_CONNECTION_H

#include "CGpsd.h"

#include <gps.h>
#include <stdatomic.h>

// 3.21 moved the status into the fix.
#if GPSD_API_MAJOR_VERSION < 10
#error "libgps before 3.21 is not supported"
#endif

enum {
    CGPSD_OWNED_BY_THREAD,      // still connecting
    CGPSD_OWNED_BY_LOOP,        // the thread is through with it
    CGPSD_ABANDONED,            // destroyed while the thread connected: the thread frees it
};

struct cgpsd {
    struct gps_data_t data;
    char *host;
    char *port;
    int result;                 // of gps_open
    int done_fd;                // readable when the thread has ended
    int tell_fd;                // the thread's end of it
    atomic_int owner;
    bool is_taken_over;
    char line[4096];            // the head of the line that was read last, for a look at its shape
};

// 3.26 made gps_fd a type of its own, and in a Qt build it is a pointer: the cast serves all of them.
static inline int cgpsd_socket(const struct cgpsd *gpsd) { return (int)(intptr_t)gpsd->data.gps_fd; }

// 3.26 added it without a new major version; the macro came into the header along with it.
static inline int cgpsd_jamming(const struct gps_fix_t *fix) {
#ifdef ANT_UNK
    return fix->jam;
#else
    (void)fix;
    return -1;
#endif
}

#endif
