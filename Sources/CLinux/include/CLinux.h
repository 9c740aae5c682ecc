/* CLinux: the file descriptors of Linux that Swift's Glibc module omits: timers, counters and signals. */
#ifndef TRACKERD_CLINUX_H
#define TRACKERD_CLINUX_H

#include "clock.h"
#include "local_socket.h"
#include "memory.h"
#include "network.h"
#include "notify.h"
#include "thread.h"
#include "traffic.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Opens a counter that is readable while it is above zero; -1 on failure. */
static inline int clinux_counter_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* Makes the counter readable. */
static inline void clinux_counter_raise(int fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) { }
}

/* Sets the counter, or a timer's count, back to zero. */
static inline void clinux_counter_clear(int fd) {
    uint64_t count;
    while (read(fd, &count, sizeof count) < 0 && errno == EINTR) { }
}

/* Opens a timer on the clock that counts from boot, suspend included; -1 on failure. */
static inline int clinux_timer_open(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

/* Arms the timer once for this duration; 0 or less disarms the timer. */
static inline int clinux_timer_set(int fd, int64_t nanoseconds) {
    struct itimerspec when = { .it_value = { .tv_sec = 0, .tv_nsec = 0 } };
    if (nanoseconds > 0) {
        when.it_value.tv_sec = nanoseconds / 1000000000;
        when.it_value.tv_nsec = nanoseconds % 1000000000;
    }
    return timerfd_settime(fd, 0, &when, NULL);
}

/* Returns the signals that the daemon handles: SIGTERM, SIGINT and SIGHUP. */
static inline sigset_t clinux_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    return set;
}

/* Blocks these signals in this thread and in the threads that it starts: the signals stay pending until the program reads them.
 * Also makes a write to a broken pipe fail without SIGPIPE. */
static inline void clinux_signals_hold(void) {
    const sigset_t set = clinux_signals();
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* Undoes clinux_signals_hold(). */
static inline void clinux_signals_release(void) {
    const sigset_t set = clinux_signals();
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Blocks these signals in this thread and in the threads that it starts, and makes the signals readable; -1 on failure. */
static inline int clinux_signals_open(void) {
    const sigset_t set = clinux_signals();
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Returns the number of the pending signal, or 0 if no signal is pending. */
static inline int clinux_signals_read(int fd) {
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

#endif
