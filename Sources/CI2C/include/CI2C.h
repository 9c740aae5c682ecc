// CI2C: registers of chips on an I2C bus, through Linux' i2c-dev and libi2c; see README.md.
//
// A failed call returns a negative CI2C_… cause; read and write otherwise return 0. The time-out of ci2c_open bounds each call.

#ifndef CI2C_H
#define CI2C_H

#include <stdint.h>

/// Why a call failed. ci2c_errno returns the system's own number.
enum ci2c_cause {
    CI2C_NO_ANSWER = -1,        ///< no chip acknowledged the address
    CI2C_BUSY = -2,             ///< the bus did not become free in time, or a chip keeps the clock low
    CI2C_GONE = -3,             ///< the bus or its adapter does not exist
    CI2C_FORBIDDEN = -4,        ///< no permission
    CI2C_TAKEN = -5,            ///< a kernel driver uses the chip
    CI2C_OTHER = -6,            ///< another cause
};

/// Opens a bus, such as "/dev/i2c-1"; returns its descriptor, or a cause.
int ci2c_open(const char *path);

void ci2c_close(int bus);

/// Returns the system's error number of this thread's last failed call.
int ci2c_errno(void);

/// Reads `count` bytes, starting at `reg`: in one combined transfer if the adapter can, else in blocks of at most
/// `block` bytes, each starting at `reg` again, as a FIFO needs. An adapter without block reads gets single bytes, at
/// most `block` of them; `block` is at most 32.
int ci2c_read(int bus, uint8_t address, uint8_t reg, uint8_t *bytes, int count, int block);

/// Writes up to 32 bytes, starting at `reg`.
int ci2c_write(int bus, uint8_t address, uint8_t reg, const uint8_t *bytes, int count);

/// Returns whether a chip acknowledges this address (1 or 0), or a cause; writes no data to the chip.
int ci2c_probe(int bus, uint8_t address);

#endif
