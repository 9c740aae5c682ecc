// CGpiod: single GPIO lines through libgpiod, with one interface for 1.6 and 2.x. README.md lists the releases.
//
// Order of calls: take (as input or output), use, release. Nothing here blocks. Call everything from one thread.

#ifndef CGPIOD_H
#define CGPIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A requested line.
struct cgpiod_line;

/// The resistor that keeps an input from floating.
enum cgpiod_bias {
    CGPIOD_BIAS_AS_IS,
    CGPIOD_BIAS_PULL_UP,
    CGPIOD_BIAS_PULL_DOWN,
};

/// The state of an output.
enum cgpiod_drive {
    CGPIOD_INACTIVE,
    CGPIOD_ACTIVE,
    CGPIOD_FLOATING,            ///< an input that drives nothing
};

/// The line to request, and its wiring.
struct cgpiod_request {
    const char *label;          ///< the label of the chip
    const char *name;           ///< the name of the line; NULL if the offset is given
    unsigned offset;
    bool is_active_low;
    enum cgpiod_bias bias;
};

/// Why a line cannot be requested.
enum cgpiod_problem {
    CGPIOD_NO_CHIP,             ///< `chips` has the labels that exist
    CGPIOD_NO_LINE,             ///< the chip has no such line
    CGPIOD_BUSY,                ///< `consumer` uses the line
    CGPIOD_FORBIDDEN,           ///< no permission for the device `path`
    CGPIOD_NO_EDGES,            ///< the line raises no interrupts
    CGPIOD_REFUSED,             ///< another reason, in `code`
};

/// Why a line cannot be requested, and what the shim knows about the line.
struct cgpiod_failure {
    enum cgpiod_problem problem;
    int code;                   ///< errno
    unsigned offset;            ///< the line's offset, if the line was found
    char path[64];              ///< the path of the chip's device, if the chip was found, or of a device that may not be opened
    char consumer[64];          ///< the name of the line's user; empty if the kernel does not report it
    char chips[512];            ///< the labels of the chips, in order of their numbers, one per line
};

/// A change of an input.
struct cgpiod_edge {
    bool is_active;             ///< the level after the change
    int64_t since_boot_ns;      ///< the moment, by the kernel's clock that includes suspend
};

/// Requests a line as output, with this state from the first moment on; NULL on failure.
struct cgpiod_line *cgpiod_take_output(
    const struct cgpiod_request *request, enum cgpiod_drive drive, struct cgpiod_failure *failure);

/// Requests a line as input that reports its changes; NULL on failure.
struct cgpiod_line *cgpiod_take_input(const struct cgpiod_request *request, struct cgpiod_failure *failure);

/// Examines whether a line is free, without requesting it; if the chip has no such line, `names` contains the names of its lines,
/// one per line.
bool cgpiod_examine(const struct cgpiod_request *request, struct cgpiod_failure *failure, char *names, size_t size);

/// Releases the line to the kernel.
void cgpiod_release(struct cgpiod_line *line);

/// Drives an output, or lets it float; false on failure, see errno.
bool cgpiod_set(struct cgpiod_line *line, enum cgpiod_drive drive);

/// Returns the present level: 1 active, 0 inactive, -1 on failure, see errno.
int cgpiod_level(struct cgpiod_line *line);

/// Returns the descriptor, which is readable when an input has changed; -1 for an output.
int cgpiod_fd(struct cgpiod_line *line);

/// Reads the oldest change; returns 1 if it has read a change, 0 if no change is pending, -1 on failure, see errno.
int cgpiod_read_edge(struct cgpiod_line *line, struct cgpiod_edge *edge);

#endif
