/* eventfd(2), which Swift's module of the C library leaves out. */
#ifndef CWAKE_H
#define CWAKE_H

#include <sys/eventfd.h>

/* Opens a counter that does not block and is not inherited; -1 and errno when there is none to be had. */
static inline int cwake_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

#endif
