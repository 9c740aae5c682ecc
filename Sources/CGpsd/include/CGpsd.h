// CGpsd: a connection to gpsd, made and commanded by libgps. What gpsd sends is read by Devices: README.md says why.
//
// A handle lives through: create (connects on a thread of its own), wait until cgpsd_fd is readable, cgpsd_take_over,
// then cgpsd_watch, and receive from cgpsd_fd; cgpsd_destroy at any time. Nothing here blocks. One thread calls all of it.

#ifndef CGPSD_H
#define CGPSD_H

#include <stdbool.h>

/// A connection to gpsd, or an attempt at one.
struct cgpsd;

/// How far the connecting has come.
enum cgpsd_stage {
    CGPSD_CONNECTING,
    CGPSD_OPEN,
    CGPSD_FAILED,
};

/// Begins to connect; NULL when there is no memory, descriptor or thread for it.
struct cgpsd *cgpsd_create(const char *host, const char *port);

/// Closes and frees; a thread that still connects finds out by itself and frees what it has.
void cgpsd_destroy(struct cgpsd *gpsd);

/// What to wait for until readable: the end of the connecting, later gpsd's socket, which does not block.
int cgpsd_fd(const struct cgpsd *gpsd);

/// Takes the connection over from the thread, when it is there.
enum cgpsd_stage cgpsd_take_over(struct cgpsd *gpsd);

/// Why the connecting failed, in the words of libgps.
const char *cgpsd_reason(const struct cgpsd *gpsd);

/// Asks for reports, of one device or of all (NULL), or for silence; false when gpsd cannot be told.
bool cgpsd_watch(struct cgpsd *gpsd, bool is_on, const char *device);

#endif
