// CI2C: registers of chips on an I2C bus, through Linux' i2c-dev and libi2c. README.md says more.
//
// All functions give 0 or a count, or a negative CI2C_… cause. Each call is bounded by the time-out of ci2c_open.

#ifndef CI2C_H
#define CI2C_H

#include <stdint.h>

/// Why a call did not succeed. The system's own number stays in ci2c_errno.
enum ci2c_cause {
    CI2C_NO_ANSWER = -1,        ///< no chip has acknowledged its address
    CI2C_BUSY = -2,             ///< the bus did not become free in time, or a chip holds its clock
    CI2C_GONE = -3,             ///< the bus, or its adapter, is not there
    CI2C_FORBIDDEN = -4,        ///< no permission
    CI2C_TAKEN = -5,            ///< a driver of the kernel has the chip
    CI2C_OTHER = -6,            ///< something else
};

/// Opens a bus, such as "/dev/i2c-1"; gives its descriptor, or a cause.
int ci2c_open(const char *path);

/// Closes it.
void ci2c_close(int bus);

/// The system's error number of the last call of this thread that did not succeed.
int ci2c_errno(void);

/// Reads `count` bytes from `reg` on: in one combined transfer where the adapter can, else in blocks of at most
/// `block` bytes, each of them asked for at `reg` again, as a FIFO wants it; `block` is at most 32.
int ci2c_read(int bus, uint8_t address, uint8_t reg, uint8_t *bytes, int count, int block);

/// Writes up to 32 bytes from `reg` on.
int ci2c_write(int bus, uint8_t address, uint8_t reg, const uint8_t *bytes, int count);

/// Whether a chip acknowledges this address: 1 or 0, or a cause; nothing is written to it.
int ci2c_probe(int bus, uint8_t address);

#endif
