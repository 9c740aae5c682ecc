// CGpiod: single GPIO lines out of libgpiod, in one shape for 1.6 and 2.x. README.md names the releases.
//
// A handle lives through: take (as input or output), use, release. Nothing here blocks. One thread calls all of it.

#ifndef CGPIOD_H
#define CGPIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A line that is held.
struct cgpiod_line;

/// What keeps an input from floating.
enum cgpiod_bias {
    CGPIOD_BIAS_AS_IS,
    CGPIOD_BIAS_PULL_UP,
    CGPIOD_BIAS_PULL_DOWN,
};

/// What an output can be.
enum cgpiod_drive {
    CGPIOD_INACTIVE,
    CGPIOD_ACTIVE,
    CGPIOD_FLOATING,            ///< an input that drives nothing
};

/// Which line is wanted, and how it is wired.
struct cgpiod_wish {
    const char *label;          ///< of the chip
    const char *name;           ///< of the line; NULL: it is meant by its offset
    unsigned offset;
    bool is_active_low;
    enum cgpiod_bias bias;
};

/// Why a line cannot be had.
enum cgpiod_problem {
    CGPIOD_NO_CHIP,             ///< `chips` has the labels of those that there are
    CGPIOD_NO_LINE,             ///< the chip has no such line
    CGPIOD_BUSY,                ///< `consumer` holds it
    CGPIOD_FORBIDDEN,           ///< no permission for the device `path`
    CGPIOD_NO_EDGES,            ///< the line raises no interrupts
    CGPIOD_REFUSED,             ///< anything else: `code` says what
};

/// Why a line cannot be had, and what is known about it.
struct cgpiod_failure {
    enum cgpiod_problem problem;
    int code;                   ///< errno
    unsigned offset;            ///< of the line, once it was found
    char path[64];              ///< of the chip's device, once it was found; or of the one that may not be opened
    char consumer[64];          ///< what the holder of the line calls itself; empty when the kernel does not say
    char chips[512];            ///< the labels of the chips, in order of their numbers, one a line
};

/// A change of an input.
struct cgpiod_edge {
    bool is_active;             ///< what it changed to
    int64_t since_boot_ns;      ///< when, by the kernel's clock that goes on during suspend
};

/// Takes a line as output, driven like that from the first moment on; NULL when that is impossible.
struct cgpiod_line *cgpiod_take_output(
    const struct cgpiod_wish *wish, enum cgpiod_drive drive, struct cgpiod_failure *failure);

/// Takes a line as input whose changes are reported; NULL when that is impossible.
struct cgpiod_line *cgpiod_take_input(const struct cgpiod_wish *wish, struct cgpiod_failure *failure);

/// Whether a line could be taken, without taking it; when the chip has no such line, `names` has those of the lines
/// that it has, one a line.
bool cgpiod_examine(const struct cgpiod_wish *wish, struct cgpiod_failure *failure, char *names, size_t size);

/// Gives the line back to the kernel.
void cgpiod_release(struct cgpiod_line *line);

/// Drives an output, or lets it float; false with the reason in errno.
bool cgpiod_set(struct cgpiod_line *line, enum cgpiod_drive drive);

/// The present level: 1 active, 0 not, -1 with the reason in errno.
int cgpiod_level(struct cgpiod_line *line);

/// Readable when an input has changed; -1 for an output.
int cgpiod_fd(struct cgpiod_line *line);

/// Reads the oldest change: 1 there was one, 0 none is pending, -1 with the reason in errno.
int cgpiod_read_edge(struct cgpiod_line *line, struct cgpiod_edge *edge);

#endif
