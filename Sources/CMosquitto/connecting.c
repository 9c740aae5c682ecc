/* Connecting, on a thread. */

#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Resolves the name. The library resolves the name once more and does not return the addresses, so this function only finds out
 * whether the name has addresses, and whether it has some of IPv4 beside those of IPv6. */
static bool resolve(const char *host, bool *has_both) {
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, NULL, &hints, &found) != 0) return false;
    bool has_v4 = false, has_v6 = false;
    for (const struct addrinfo *each = found; each != NULL; each = each->ai_next) {
        has_v4 = has_v4 || each->ai_family == AF_INET;
        has_v6 = has_v6 || each->ai_family == AF_INET6;
    }
    freeaddrinfo(found);
    *has_both = has_v4 && has_v6;
    return true;
}

static void begin(struct cmosquitto_session *session) {
    bool has_both = false;
    session->is_resolved = resolve(session->host, &has_both);
    if (!session->is_resolved) return;
    /* A socket of IPv6 cannot be bound to this address, so the library continues with the addresses of IPv4. */
    const char *own_address = session->skips_v6 && has_both ? "0.0.0.0" : NULL;
    errno = 0;
    session->result = mosquitto_connect_bind_async(
        session->mosq, session->host, session->port, session->keepalive_s, own_address);
    session->result_errno = errno;
}

static void *run(void *context) {
    struct cmosquitto_session *session = context;
    const int tell_fd = session->tell_fd;
    begin(session);
    int owner = CMOSQUITTO_OWNED_BY_THREAD;
    if (atomic_compare_exchange_strong(&session->owner, &owner, CMOSQUITTO_OWNED_BY_LOOP)) {
        /* The loop may free the session from now on. It may have closed its end of the pipe already; SIGPIPE is blocked in this
         * thread, so the write then only fails. */
        const char end = 0;
        ssize_t written = write(tell_fd, &end, 1);
        (void)written;
    } else {
        cmosquitto_free(session);
    }
    close(tell_fd);
    return NULL;
}

/* Starts the thread. It inherits a mask that blocks all signals, because another thread waits for signals. */
static bool start(struct cmosquitto_session *session) {
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failure = pthread_create(&thread, NULL, run, session);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure != 0) return false;
    pthread_detach(thread);
    return true;
}

bool cmosquitto_connect(
    struct cmosquitto_session *session, const char *host, int port, int keepalive_s, bool skips_v6) {
    int ends[2];
    session->port = port;
    session->keepalive_s = session->limits.keepalive_s = keepalive_s;
    session->skips_v6 = skips_v6;
    session->host = strdup(host);
    if (session->host == NULL) return cmosquitto_check(session, MOSQ_ERR_NOMEM);
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return cmosquitto_check(session, MOSQ_ERR_ERRNO);
    session->done_fd = ends[0];
    session->tell_fd = ends[1];
    atomic_store(&session->owner, CMOSQUITTO_OWNED_BY_THREAD);
    if (start(session)) return true;
    atomic_store(&session->owner, CMOSQUITTO_OWNED_BY_LOOP);
    close(ends[1]);
    return cmosquitto_check(session, MOSQ_ERR_NOMEM);
}

enum cmosquitto_stage cmosquitto_take_over(struct cmosquitto_session *session) {
    if (atomic_load(&session->owner) != CMOSQUITTO_OWNED_BY_LOOP) return CMOSQUITTO_RESOLVING;
    if (session->done_fd >= 0) close(session->done_fd);
    session->done_fd = -1;
    if (!session->is_resolved) return CMOSQUITTO_NO_ADDRESS;
    errno = session->result_errno;
    const bool has_begun = cmosquitto_check(session, session->result) && cmosquitto_begin_relay(session);
    return has_begun ? CMOSQUITTO_CONNECTING : CMOSQUITTO_REFUSED;
}

int cmosquitto_socket(const struct cmosquitto_session *session) {
    return session->done_fd >= 0 ? session->done_fd : session->fd;
}

void cmosquitto_close(struct cmosquitto_session *session) {
    if (session == NULL) return;
    int owner = CMOSQUITTO_OWNED_BY_THREAD;
    if (atomic_compare_exchange_strong(&session->owner, &owner, CMOSQUITTO_ABANDONED)) return;
    cmosquitto_free(session);
}
