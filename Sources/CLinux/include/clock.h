// The system clock's state, which Swift's Glibc module omits.

#ifndef CLINUX_CLOCK_H
#define CLINUX_CLOCK_H

#include <stdbool.h>

/// Returns whether a time server, GPS or an administrator's tool has marked the kernel's clock as synchronised.
bool clinux_is_clock_synchronised(void);

#endif
