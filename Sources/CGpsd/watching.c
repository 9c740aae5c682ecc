// Starts and stops gpsd's reports.

#include "connection.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

// libgps writes with write(2), which raises SIGPIPE if the peer is gone. This file blocks SIGPIPE during the call, and discards
// one that the call has raised.
static bool stream_without_sigpipe(struct cgpsd *gpsd, unsigned flags, const char *device) {
    sigset_t broken_pipe, before, waiting;
    const struct timespec at_once = {0, 0};
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    sigpending(&waiting);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    const bool is_sent = gps_stream(&gpsd->data, flags, (void *)device) == 0;
    if (!is_sent && !sigismember(&waiting, SIGPIPE)) sigtimedwait(&broken_pipe, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_sent;
}

bool cgpsd_watch(struct cgpsd *gpsd, bool is_on, const char *device) {
    if (!is_on) return stream_without_sigpipe(gpsd, WATCH_DISABLE | WATCH_JSON, NULL);
    const unsigned which = device == NULL ? 0 : WATCH_DEVICE;
    return stream_without_sigpipe(gpsd, WATCH_ENABLE | WATCH_JSON | which, device);
}
