// CGpsd: a connection to gpsd, made and commanded through libgps. Devices reads what gpsd sends; README.md explains why.
//
// Order of calls: create (connects on a thread of its own), wait until cgpsd_fd is readable, cgpsd_take_over,
// then cgpsd_watch, and receive from cgpsd_fd; cgpsd_destroy at any time. Nothing here blocks. Call everything from one thread.

#ifndef CGPSD_H
#define CGPSD_H

#include <stdbool.h>

/// A connection to gpsd, or an attempt at one.
struct cgpsd;

enum cgpsd_stage {
    CGPSD_CONNECTING,
    CGPSD_OPEN,
    CGPSD_FAILED,
};

/// Starts to connect; NULL if the program is out of memory, descriptors or threads.
struct cgpsd *cgpsd_create(const char *host, const char *port);

/// Closes the connection and frees the handle; if the thread is still connecting, it does so at its end.
void cgpsd_destroy(struct cgpsd *gpsd);

/// Returns a descriptor that is readable when connecting has ended; afterwards returns gpsd's socket, which does not block.
int cgpsd_fd(const struct cgpsd *gpsd);

/// Takes the connection over from the thread once the connection is open; CGPSD_CONNECTING until the thread has ended.
enum cgpsd_stage cgpsd_take_over(struct cgpsd *gpsd);

/// Returns libgps' reason why connecting failed.
const char *cgpsd_reason(const struct cgpsd *gpsd);

/// Requests reports of one device or of all devices (NULL), or stops the reports; returns false if the request cannot be sent.
bool cgpsd_watch(struct cgpsd *gpsd, bool is_on, const char *device);

#endif
