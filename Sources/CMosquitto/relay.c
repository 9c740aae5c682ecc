/* The relay between the broker's socket and the library.
 *
 * The library reads from its socket until no bytes are left. As soon as the library has begun to connect, the relay therefore
 * puts one end of a socket pair under the library's descriptor, and keeps the broker's socket. So the library gets only bytes that
 * were checked. With TLS, the library decrypts the bytes itself; the relay passes on one record at a time, and looks at what
 * OpenSSL has decrypted before the library reads it. */

#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The header of a TLS record (RFC 8446, section 5.1): its kind, a version that begins with 3, and the length of the rest. */
#define RECORD_HEADER 5
#define LONGEST_REST (16 * 1024 + 2048)
_Static_assert(RECORD_HEADER + LONGEST_REST <= RELAY_CAPACITY, "A record must fit.");

/* How many times the relay reads before it lets the loop of the program continue. */
#define READS_AT_A_TIME 16

/* Takes the broker's socket from under the library's descriptor. */
static void interpose(struct cmosquitto_session *session, int library_fd) {
    int pair[2];
    const int fd = fcntl(library_fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
        close(fd);
        return;
    }
    session->fd = fd;
    session->relay_fd = dup3(pair[0], library_fd, O_CLOEXEC) < 0 ? -1 : pair[1];
    if (session->relay_fd < 0) close(pair[1]);
    close(pair[0]);
}

/* OpenSSL calls this before it writes or reads anything. */
static void on_handshake(const SSL *ssl, int event, int value) {
    struct cmosquitto_session *session = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    (void)value;
    if ((event & SSL_CB_HANDSHAKE_START) != 0 && session->fd < 0) interpose(session, SSL_get_fd(ssl));
}

bool cmosquitto_watch_handshake(struct cmosquitto_session *session) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context == NULL) return cmosquitto_check(session, MOSQ_ERR_NOMEM);
    SSL_CTX_set_app_data(context, session);
    SSL_CTX_set_info_callback(context, on_handshake);
    const bool is_set = cmosquitto_check(session, mosquitto_void_option(session->mosq, MOSQ_OPT_SSL_CTX, context));
    SSL_CTX_free(context); /* the library keeps it */
    return is_set;
}

bool cmosquitto_begin_relay(struct cmosquitto_session *session) {
    if (session->fd < 0) interpose(session, mosquitto_socket(session->mosq));
    return session->relay_fd < 0 ? cmosquitto_check(session, MOSQ_ERR_ERRNO) : cmosquitto_drive(session);
}

/* Returns the number of bytes that can be read from a descriptor. */
static int unread(int fd) {
    int count = 0;
    return fd >= 0 && ioctl(fd, FIONREAD, &count) == 0 ? count : 0;
}

bool cmosquitto_drive(struct cmosquitto_session *session) {
    /* With 2.0.11, only a read call continues the handshake, even if the next step of the handshake is to write. */
    const bool is_shaking = session->is_encrypted && session->answer == CMOSQUITTO_SILENT;
    if (is_shaking && !cmosquitto_check(session, mosquitto_loop_read(session->mosq, 1))) return false;
    if (!is_shaking && !mosquitto_want_write(session->mosq)) return true;
    return cmosquitto_check(session, mosquitto_loop_write(session->mosq, 1));
}

bool cmosquitto_wants_write(const struct cmosquitto_session *session) {
    return session->out_start < session->out_end || unread(session->relay_fd) > 0;
}

bool cmosquitto_send(struct cmosquitto_session *session) {
    for (;;) {
        if (session->out_start == session->out_end) {
            const ssize_t count = recv(session->relay_fd, session->out, sizeof session->out, MSG_DONTWAIT);
            if (count <= 0) return true;
            session->out_start = 0;
            session->out_end = (size_t)count;
        }
        const ssize_t count = send(session->fd, session->out + session->out_start, session->out_end - session->out_start,
            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
        if (count < 0) return cmosquitto_check(session, MOSQ_ERR_ERRNO);
        session->out_start += (size_t)count;
    }
}

/* Returns up to how many bytes to receive before they are passed on: with TLS a whole record, otherwise what the buffer has room
 * for. Bytes that are no record are passed on too, because OpenSSL then names the fault. */
static size_t end_of_part(const struct cmosquitto_session *session) {
    const uint8_t *in = session->in;
    if (!session->is_encrypted) return sizeof session->in;
    if (session->in_length < RECORD_HEADER) return RECORD_HEADER;
    const size_t rest = (size_t)(in[3] << 8 | in[4]);
    return in[1] != 3 || rest > LONGEST_REST ? session->in_length : RECORD_HEADER + rest;
}

/* Receives from the broker; returns true as soon as there is a part to pass on. */
static bool receive(struct cmosquitto_session *session) {
    for (;;) {
        const size_t wanted = end_of_part(session) - session->in_length;
        const ssize_t count = recv(session->fd, session->in + session->in_length, wanted, MSG_DONTWAIT);
        /* `is_alive` reports the end or the error of the socket. */
        if (count <= 0) return false;
        session->in_length += (size_t)count;
        session->received += count;
        session->allowance -= count;
        if (!session->is_encrypted || session->in_length == end_of_part(session)) return true;
    }
}

/* Checks what the record contains for the library. The check begins when the handshake is complete: a record that is part of the
 * handshake contains no packet. */
static bool check_record(struct cmosquitto_session *session) {
    SSL *ssl = mosquitto_ssl_get(session->mosq);
    uint8_t bytes[SSL3_RT_MAX_PLAIN_LENGTH];
    char words[256];
    if (!session->is_established) session->is_established = SSL_is_init_finished(ssl);
    if (!session->is_established) return true;
    ERR_clear_error();
    const int count = SSL_peek(ssl, bytes, sizeof bytes);
    if (count > 0) return cmosquitto_check_packets(session, bytes, (size_t)count);
    const int error = SSL_get_error(ssl, count);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return true;
    if (error != SSL_ERROR_SSL) return cmosquitto_check(session, MOSQ_ERR_CONN_LOST);
    for (unsigned long code = ERR_get_error(); code != 0; code = ERR_get_error()) {
        ERR_error_string_n(code, words, sizeof words);
        cmosquitto_note_fault(session, words);
    }
    errno = EPROTO;
    return cmosquitto_check(session, MOSQ_ERR_ERRNO);
}

/* Lets the library read all that it has got. */
static bool let_read(struct cmosquitto_session *session) {
    int before, left = INT32_MAX;
    do {
        const SSL *ssl = mosquitto_ssl_get(session->mosq);
        before = left;
        left = unread(mosquitto_socket(session->mosq)) + (ssl == NULL ? 0 : SSL_pending(ssl));
        if (left == 0) return true;
        if (!cmosquitto_check(session, mosquitto_loop_read(session->mosq, 1))) return false;
    } while (left < before);
    return true;
}

/* Passes on what was received; returns false if it makes no sense, or if the library ends the connection. */
static bool pass_on(struct cmosquitto_session *session) {
    const size_t length = session->in_length;
    session->in_length = 0;
    if (session->allowance < 0) return cmosquitto_is_too_much(session);
    if (!session->is_encrypted && !cmosquitto_check_packets(session, session->in, length)) return false;
    if (send(session->relay_fd, session->in, length, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)length)
        return cmosquitto_check(session, MOSQ_ERR_CONN_LOST);
    if (session->is_encrypted && !check_record(session)) return false;
    return let_read(session);
}

bool cmosquitto_receive(struct cmosquitto_session *session) {
    const int now = 1;
    for (int count = 0; count < READS_AT_A_TIME && mosquitto_socket(session->mosq) >= 0; count += 1) {
        if (!receive(session)) break;
        if (!pass_on(session)) return false;
    }
    /* Acknowledges the bytes to the broker's TCP at once. Otherwise a broker that waits for the acknowledgement before its next
     * small packet would wait 40 ms each time (mosquitto does by default). */
    setsockopt(session->fd, IPPROTO_TCP, TCP_QUICKACK, &now, sizeof now);
    return true;
}

bool cmosquitto_is_too_much(struct cmosquitto_session *session) {
    snprintf(session->words, sizeof session->words, "it sends more than %d KiB that nobody asked for",
        (int)(session->allowance_limit / 1024));
    return false;
}
