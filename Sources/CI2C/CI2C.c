#include "CI2C.h"

#include <errno.h>
#include <fcntl.h>
#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LONGEST_BLOCK = I2C_SMBUS_BLOCK_MAX,
    TIMEOUT_10MS = 10,          // 192 bytes at 100 kHz take 18 ms
};

static _Thread_local int last_error;

static int cause(void) {
    last_error = errno;
    switch (errno) {
    // Adapters report a missing acknowledgement differently (Documentation/i2c/fault-codes).
    case ENXIO:
    case EREMOTEIO: return CI2C_NO_ANSWER;
    case EAGAIN:
    case ETIMEDOUT: return CI2C_BUSY;
    case ENOENT:
    case ENODEV:
    case ENOTTY: return CI2C_GONE;
    case EACCES:
    case EPERM: return CI2C_FORBIDDEN;
    case EBUSY: return CI2C_TAKEN;
    default: return CI2C_OTHER;
    }
}

int ci2c_errno(void) { return last_error; }

int ci2c_open(const char *path) {
    int bus = open(path, O_RDWR | O_CLOEXEC);
    if (bus < 0) return cause();
    // Some adapters ignore these settings; then their own time-out applies.
    ioctl(bus, I2C_TIMEOUT, (unsigned long)TIMEOUT_10MS);
    ioctl(bus, I2C_RETRIES, 1UL);
    return bus;
}

void ci2c_close(int bus) { close(bus); }

// Returns the adapter's functions; 0 if the adapter does not report them, and then the next call fails with the reason.
static unsigned long functions(int bus) {
    unsigned long bits = 0;
    return ioctl(bus, I2C_FUNCS, &bits) < 0 ? 0 : bits;
}

static int combined(int bus, struct i2c_msg *messages, unsigned count) {
    struct i2c_rdwr_ioctl_data transfer = { .msgs = messages, .nmsgs = count };
    return ioctl(bus, I2C_RDWR, &transfer) < 0 ? cause() : 0;
}

int ci2c_read(int bus, uint8_t address, uint8_t reg, uint8_t *bytes, int count, int block) {
    if (count < 1 || block < 1 || block > LONGEST_BLOCK) return errno = EINVAL, cause();
    unsigned long can = functions(bus);
    if (can & I2C_FUNC_I2C) {
        struct i2c_msg messages[] = {
            { .addr = address, .len = 1, .buf = &reg },
            { .addr = address, .flags = I2C_M_RD, .len = (uint16_t)count, .buf = bytes },
        };
        return combined(bus, messages, 2);
    }
    // A FIFO cannot be read byte by byte beyond its first group.
    if (!(can & I2C_FUNC_SMBUS_READ_I2C_BLOCK) && count > block) return errno = EOPNOTSUPP, cause();
    if (ioctl(bus, I2C_SLAVE, (unsigned long)address) < 0) return cause();
    for (int done = 0; done < count;) {
        int want = count - done < block ? count - done : block;
        int got;
        if (can & I2C_FUNC_SMBUS_READ_I2C_BLOCK) {
            got = i2c_smbus_read_i2c_block_data(bus, reg, (uint8_t)want, bytes + done);
        } else {
            got = i2c_smbus_read_byte_data(bus, (uint8_t)(reg + done));
            if (got >= 0) bytes[done] = (uint8_t)got, got = 1;
        }
        if (got < 0) return cause();
        if (got == 0) return errno = EIO, cause();
        done += got;
    }
    return 0;
}

int ci2c_write(int bus, uint8_t address, uint8_t reg, const uint8_t *bytes, int count) {
    if (count < 1 || count > LONGEST_BLOCK) return errno = EINVAL, cause();
    unsigned long can = functions(bus);
    if (can & I2C_FUNC_I2C) {
        uint8_t message[LONGEST_BLOCK + 1] = { reg };
        memcpy(message + 1, bytes, (size_t)count);
        struct i2c_msg messages[] = { { .addr = address, .len = (uint16_t)(count + 1), .buf = message } };
        return combined(bus, messages, 1);
    }
    if (ioctl(bus, I2C_SLAVE, (unsigned long)address) < 0) return cause();
    if (can & I2C_FUNC_SMBUS_WRITE_I2C_BLOCK) {
        return i2c_smbus_write_i2c_block_data(bus, reg, (uint8_t)count, bytes) < 0 ? cause() : 0;
    }
    for (int i = 0; i < count; i++) {
        if (i2c_smbus_write_byte_data(bus, (uint8_t)(reg + i), bytes[i]) < 0) return cause();
    }
    return 0;
}

int ci2c_probe(int bus, uint8_t address) {
    if (ioctl(bus, I2C_SLAVE, (unsigned long)address) < 0) return cause();
    // i2cdetect also reads one byte where a write could disturb a chip; accelerometers and the INA219 tolerate this read.
    if (i2c_smbus_read_byte(bus) >= 0) return 1;
    int why = cause();
    return why == CI2C_NO_ANSWER ? 0 : why;
}
