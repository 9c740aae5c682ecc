// Threads for calls that can only block.

#ifndef CLINUX_THREAD_H
#define CLINUX_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/// Starts a detached thread with a stack of this number of bytes; false if the system refuses.
///
/// The thread blocks signals: the program reads them from a descriptor, and a broken pipe must not end it.
bool clinux_thread_start(void *(*run)(void *), void *argument, size_t stack_size);

#endif
