// The system clock's state, which Swift's Glibc module leaves out.

#ifndef CLINUX_CLOCK_H
#define CLINUX_CLOCK_H

#include <stdbool.h>

/// Whether a time server, GPS or an administrator's tool has told the kernel that its clock is right.
bool clinux_is_clock_synchronised(void);

#endif
