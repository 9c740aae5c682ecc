// What the two releases of libgpiod have in common here. Not in include/: nothing of libgpiod is seen from Swift.

#ifndef CGPIOD_LINE_H
#define CGPIOD_LINE_H

#include "CGpiod.h"

#include <gpiod.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

// libgpiod has no version macro; 2.0 took this one away.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIOD_RELEASE 1
#else
#define CGPIOD_RELEASE 2
#endif

// What others see of us: `gpioinfo` shows it beside the line.
#define CGPIOD_CONSUMER "trackerd"

/// Copies the label of a chip; empty when it cannot be read.
void cgpiod_copy_label(struct gpiod_chip *chip, char *label, size_t size);

/// The offset of the line of that name; -1 when there is none.
int cgpiod_find_offset(struct gpiod_chip *chip, const char *name);

/// What the kernel tells of a line.
struct cgpiod_sight {
    bool is_held;
    char name[64];              // empty when it has none
    char consumer[64];          // what the holder calls itself; empty when nobody holds it, or the kernel does not say
};

/// Whether the chip has a line of that offset; what is told of it.
bool cgpiod_look_at(struct gpiod_chip *chip, unsigned offset, struct cgpiod_sight *sight);

/// What a line is taken as: an output, or an input that reports its edges.
enum cgpiod_role {
    CGPIOD_DRIVEN_INACTIVE = CGPIOD_INACTIVE,
    CGPIOD_DRIVEN_ACTIVE = CGPIOD_ACTIVE,
    CGPIOD_RELEASED = CGPIOD_FLOATING,
    CGPIOD_WATCHED,
};

/// Takes the line; the chip becomes the handle's, or remains the caller's when NULL comes back, with errno.
struct cgpiod_line *cgpiod_request(
    struct gpiod_chip *chip, unsigned offset, const struct cgpiod_wish *wish, enum cgpiod_role role);

/// Whether a read would not block.
static inline bool cgpiod_is_readable(int fd) {
    struct pollfd polled = { .fd = fd, .events = POLLIN };
    return poll(&polled, 1, 0) > 0;
}

static inline int64_t cgpiod_clock_ns(clockid_t clock) {
    struct timespec now = { 0 };
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/// The kernel stamps edges by CLOCK_MONOTONIC (since 5.7), which stands still during suspend; ours does not.
static inline int64_t cgpiod_since_boot_ns(int64_t monotonic_ns) {
    return monotonic_ns + cgpiod_clock_ns(CLOCK_BOOTTIME) - cgpiod_clock_ns(CLOCK_MONOTONIC);
}

#endif
