// The declarations that the files for both releases of libgpiod share, outside include/ so that Swift does not see libgpiod.

#ifndef CGPIOD_LINE_H
#define CGPIOD_LINE_H

#include "CGpiod.h"

#include <gpiod.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

// libgpiod has no version macro; release 2.0 removed the macro below.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIOD_RELEASE 1
#else
#define CGPIOD_RELEASE 2
#endif

// Our name for other programs: `gpioinfo` shows it next to the line.
#define CGPIOD_CONSUMER "trackerd"

/// Copies the label of a chip; empty if it cannot be read.
void cgpiod_copy_label(struct gpiod_chip *chip, char *label, size_t size);

/// Returns the offset of the line with this name; -1 if no line has the name.
int cgpiod_find_offset(struct gpiod_chip *chip, const char *name);

/// What the kernel reports about a line.
struct cgpiod_state {
    bool is_used;
    char name[64];              // empty if the line has no name
    char consumer[64];          // the consumer's name; empty if the line is free or the kernel does not report it
};

/// Returns whether the chip has a line with this offset; stores what the kernel reports about the line.
bool cgpiod_read_state(struct gpiod_chip *chip, unsigned offset, struct cgpiod_state *state);

/// The role of a line: an output, a line that floats, or an input that reports its edges.
enum cgpiod_role {
    CGPIOD_DRIVEN_INACTIVE = CGPIOD_INACTIVE,
    CGPIOD_DRIVEN_ACTIVE = CGPIOD_ACTIVE,
    CGPIOD_RELEASED = CGPIOD_FLOATING,
    CGPIOD_WATCHED,
};

/// Requests the line. The handle then owns the chip; on failure (NULL, see errno) the caller still owns the chip.
struct cgpiod_line *cgpiod_take_line(
    struct gpiod_chip *chip, unsigned offset, const struct cgpiod_request *request, enum cgpiod_role role);

/// Returns whether a read would not block.
static inline bool cgpiod_is_readable(int fd) {
    struct pollfd polled = { .fd = fd, .events = POLLIN };
    return poll(&polled, 1, 0) > 0;
}

static inline int64_t cgpiod_clock_ns(clockid_t clock) {
    struct timespec now = { 0 };
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/// Converts the kernel's time of an edge: the kernel uses CLOCK_MONOTONIC (since 5.7), which stops during suspend; our clock does
/// not.
static inline int64_t cgpiod_since_boot_ns(int64_t monotonic_ns) {
    return monotonic_ns + cgpiod_clock_ns(CLOCK_BOOTTIME) - cgpiod_clock_ns(CLOCK_MONOTONIC);
}

#endif
