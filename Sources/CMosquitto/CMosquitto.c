#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <linux/tcp.h>
#include <mqtt_protocol.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if LIBMOSQUITTO_MAJOR < 2
#error "libmosquitto before 2.0 is not supported: it cannot use the certificates of the system"
#endif

/* We subscribe to two topics at most, so a broker has little to send: a greeting, four bytes for each of our messages, answers to
 * pings. The library would keep a message of any size in memory (256 MiB at most), so we count the received bytes. The connection
 * begins with an allowance; each byte reduces the allowance, and each acknowledgement increases it a little. */
#define ALLOWANCE_LIMIT (512 * 1024)
#define ALLOWANCE_PER_ANSWER 1024

/* The window of TCP, which limits the bytes that the other end may have in flight to us. While the library reads, we close the
 * window (for 1 the kernel uses its own smallest window). The library reads until no bytes are left, and a fast sender could
 * otherwise keep it reading for ever. */
#define OPEN_WINDOW (64 * 1024)
#define CLOSED_WINDOW 1

/* Returns why OpenSSL does not trust the broker's certificate. */
static enum cmosquitto_trust verdict(const struct cmosquitto_session *session) {
    const SSL *ssl = mosquitto_ssl_get(session->mosq);
    if (session->is_other_name) return CMOSQUITTO_OTHER_NAME;
    if (ssl == NULL) return CMOSQUITTO_TRUSTED;
    switch (SSL_get_verify_result(ssl)) {
    case X509_V_OK: return CMOSQUITTO_TRUSTED;
    case X509_V_ERR_CERT_HAS_EXPIRED: return CMOSQUITTO_EXPIRED;
    case X509_V_ERR_CERT_NOT_YET_VALID: return CMOSQUITTO_NOT_YET_VALID;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return CMOSQUITTO_SELF_SIGNED;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return CMOSQUITTO_OTHER_NAME;
    // X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: the self-signed certificate is that of the authority, which the broker also sends.
    default: return CMOSQUITTO_UNKNOWN_AUTHORITY;
    }
}

/* The library reports OpenSSL's errors only in its log. */
static void on_log(struct mosquitto *mosq, void *context, int level, const char *words) {
    struct cmosquitto_session *session = context;
    (void)mosq;
    /* The library checks the name itself, so OpenSSL does not know that the name was the reason. */
    if (strstr(words, "host name verification failed") != NULL) session->is_other_name = true;
    /* A fault of the certificate comes first; the broken connection that follows adds no information. */
    if (level != MOSQ_LOG_ERR || strstr(session->objection, "certificate") != NULL) return;
    const char *last = strrchr(words, ':');
    snprintf(session->objection, sizeof session->objection, "%s", last != NULL ? last + 1 : words);
    if (strstr(words, "wrong version number") != NULL) session->stranger = CMOSQUITTO_UNENCRYPTED;
    if (strstr(words, "certificate verify failed") != NULL) session->trust = verdict(session);
    /* The broker's alert: the broker requires a certificate of ours, or does not accept ours. */
    if (strstr(words, "alert certificate required") != NULL) session->trust = CMOSQUITTO_CERTIFICATE_WANTED;
    else if (strstr(words, "alert unknown ca") != NULL || strstr(words, "alert bad certificate") != NULL
        || strstr(words, "alert certificate") != NULL) session->trust = CMOSQUITTO_CERTIFICATE_REFUSED;
}

/* Returns whether OpenSSL's words name a fault of TLS. Without words, or if they name the end of the connection, the other end has
 * closed or reset the connection. */
static bool is_fault_of_tls(const char *words) {
    return words[0] != 0 && strstr(words, "unexpected eof") == NULL && strstr(words, strerror(ECONNRESET)) == NULL
        && strstr(words, strerror(EPIPE)) == NULL;
}

bool cmosquitto_check(struct cmosquitto_session *session, int code) {
    const int error = errno;
    if (code == MOSQ_ERR_SUCCESS || code == MOSQ_ERR_CONN_PENDING) return true;
    const bool is_fault = is_fault_of_tls(session->objection);
    /* Release 2.0.11 reports an error of OpenSSL in the handshake as MOSQ_ERR_TLS. Newer releases, and each release after the
     * handshake, report it as EPROTO. */
    const bool is_of_tls = session->is_encrypted
        && (code == MOSQ_ERR_TLS || code == MOSQ_ERR_TLS_HANDSHAKE || (code == MOSQ_ERR_ERRNO && error == EPROTO));
    const bool is_end = (is_of_tls && !is_fault) || code == MOSQ_ERR_CONN_LOST
        || (code == MOSQ_ERR_ERRNO && (error == ECONNRESET || error == EPIPE));
    if (session->is_encrypted && is_end && session->answer == CMOSQUITTO_SILENT) session->is_hung_up = true;
    session->is_distrusted = (is_of_tls && is_fault) || strstr(session->objection, "certificate") != NULL;
    const char *words = mosquitto_strerror(code);
    if (session->is_distrusted && is_fault) words = session->objection;
    else if (is_of_tls) words = strerror(ECONNRESET);
    else if (code == MOSQ_ERR_ERRNO) words = strerror(error);
    snprintf(session->words, sizeof session->words, "%s", words);
    return false;
}

static void on_connect(
    struct mosquitto *mosq, void *context, int code, int flags, const mosquitto_property *properties) {
    struct cmosquitto_session *session = context;
    (void)mosq;
    (void)flags;
    session->answer = code;
    uint8_t byte;
    uint16_t word;
    uint32_t number;
    if (mosquitto_property_read_byte(properties, MQTT_PROP_MAXIMUM_QOS, &byte, false) != NULL)
        session->limits.confirms = byte > 0;
    if (mosquitto_property_read_byte(properties, MQTT_PROP_RETAIN_AVAILABLE, &byte, false) != NULL)
        session->limits.retains = byte > 0;
    /* The library pings in this interval by itself. */
    if (mosquitto_property_read_int16(properties, MQTT_PROP_SERVER_KEEP_ALIVE, &word, false) != NULL)
        session->limits.keepalive_s = word;
    /* The library does not send larger packets. */
    if (mosquitto_property_read_int32(properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, &number, false) != NULL)
        session->limits.largest_packet = number;
}

static void on_disconnect(struct mosquitto *mosq, void *context, int code, const mosquitto_property *properties) {
    struct cmosquitto_session *session = context;
    (void)mosq;
    (void)properties;
    /* Smaller numbers are the library's own errors. */
    if (code >= MQTT_RC_UNSPECIFIED) session->farewell = code;
}

/* A retained message is an old one: the broker sends it because we have subscribed. */
static void on_message(
    struct mosquitto *mosq, void *context, const struct mosquitto_message *message, const mosquitto_property *properties) {
    struct cmosquitto_session *session = context;
    size_t length = strlen(session->called_by);
    (void)mosq;
    (void)properties;
    if (session->order_topic != NULL && strcmp(message->topic, session->order_topic) == 0) {
        cmosquitto_keep_order(session, message);
        return;
    }
    if (message->retain || length == 0 || (size_t)message->payloadlen != length) return;
    if (memcmp(message->payload, session->called_by, length) == 0) session->is_called = true;
}

static void grant_answer(struct cmosquitto_session *session) {
    session->allowance += ALLOWANCE_PER_ANSWER;
    if (session->allowance > session->allowance_limit) session->allowance = session->allowance_limit;
}

static void on_publish(
    struct mosquitto *mosq, void *context, int message, int reason, const mosquitto_property *properties) {
    struct cmosquitto_session *session = context;
    (void)mosq;
    (void)properties;
    grant_answer(session);
    if (session->acknowledged_count < ACKNOWLEDGED_CAPACITY)
        session->acknowledged[session->acknowledged_count++] = (struct cmosquitto_ack){ message, reason };
}

struct cmosquitto_session *cmosquitto_open(const char *client_id, bool is_v5) {
    cmosquitto_start_library();
    struct cmosquitto_session *session = calloc(1, sizeof *session);
    if (session == NULL) return NULL;
    session->mosq = mosquitto_new(client_id, true, session);
    if (session->mosq == NULL) {
        free(session);
        return NULL;
    }
    session->is_v5 = is_v5;
    session->done_fd = -1;
    session->allowance = session->allowance_limit = ALLOWANCE_LIMIT;
    session->awaits_room = true;
    session->answer = CMOSQUITTO_SILENT;
    session->farewell = CMOSQUITTO_SILENT;
    session->limits = (struct cmosquitto_limits){ .confirms = true, .retains = true };
    int version = is_v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311;
    mosquitto_int_option(session->mosq, MOSQ_OPT_PROTOCOL_VERSION, version);
    mosquitto_connect_v5_callback_set(session->mosq, on_connect);
    mosquitto_disconnect_v5_callback_set(session->mosq, on_disconnect);
    mosquitto_publish_v5_callback_set(session->mosq, on_publish);
    mosquitto_message_v5_callback_set(session->mosq, on_message);
    mosquitto_log_callback_set(session->mosq, on_log);
    return session;
}

bool cmosquitto_login(struct cmosquitto_session *session, const char *user, const char *password) {
    return cmosquitto_check(session, mosquitto_username_pw_set(session->mosq, user, password));
}

/* Without this function, OpenSSL would ask a terminal for the password of a key, and wait for ever. */
static int no_password(char *buffer, int size, int is_writing, void *context) {
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return 0;
}

bool cmosquitto_trust(
    struct cmosquitto_session *session, const char *ca_file, const char *certificate_file, const char *key_file) {
    session->is_encrypted = true;
    /* Without a configured version, the library uses TLS 1.2 and newer. */
    if (ca_file == NULL && certificate_file == NULL)
        return cmosquitto_check(session, mosquitto_int_option(session->mosq, MOSQ_OPT_TLS_USE_OS_CERTS, 1));
    /* With a certificate of ours, the library requires a file or folder of authorities; this folder contains Debian's. */
    const char *folder = ca_file == NULL ? "/etc/ssl/certs" : NULL;
    return cmosquitto_check(
        session, mosquitto_tls_set(session->mosq, ca_file, folder, certificate_file, key_file, no_password));
}

bool cmosquitto_will(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain) {
    return cmosquitto_check(session, mosquitto_will_set(session->mosq, topic, bytes, payload, 1, retain));
}

/* Returns whether the TLS handshake is running, or our CONNECT over TLS has no answer yet. */
static bool is_shaking_hands(const struct cmosquitto_session *session) {
    return session->is_encrypted && session->answer == CMOSQUITTO_SILENT;
}

bool cmosquitto_wants_write(const struct cmosquitto_session *session) {
    /* During the handshake the library's own answer is wrong in both cases (2.0.11): if the TCP connection was not open at once,
     * the library wants to write for ever. As soon as the socket has any room, it has enough room for all that a handshake
     * writes. */
    return is_shaking_hands(session) ? session->awaits_room : mosquitto_want_write(session->mosq);
}

/* Returns whether this error explains a failed connection; errno may contain the error of another call. */
static bool is_network_error(int error) {
    return error == ECONNREFUSED || error == ECONNRESET || error == EHOSTUNREACH || error == ENETUNREACH
        || error == ETIMEDOUT;
}

/* Recognises a server of another protocol by its first bytes; an MQTT library can only report them as malformed. */
static enum cmosquitto_stranger stranger(const struct cmosquitto_session *session, const char *bytes, ssize_t count) {
    if (session->is_encrypted || session->answer != CMOSQUITTO_SILENT || count < 4) return CMOSQUITTO_NO_STRANGER;
    if (memcmp(bytes, "HTTP", 4) == 0) return CMOSQUITTO_HTTP;
    /* RFC 8446, section 5.1: an alert of any version of TLS. */
    if (bytes[0] == 0x15 && bytes[1] == 0x03) return CMOSQUITTO_TLS;
    /* MQTT 5.0, section 3.2.1: the first packet of a broker is CONNACK. */
    return bytes[0] == 0x20 ? CMOSQUITTO_NO_STRANGER : CMOSQUITTO_UNKNOWN_PROTOCOL;
}

/* Returns whether the connection is open, or still being opened. During the handshake, the library (2.0.11) does not notice that
 * the other end has refused or closed the connection, and restarts the handshake repeatedly. */
static bool is_alive(struct cmosquitto_session *session, int fd) {
    char bytes[4];
    ssize_t count = recv(fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0) session->stranger = stranger(session, bytes, count);
    if (session->stranger != CMOSQUITTO_NO_STRANGER) return cmosquitto_check(session, MOSQ_ERR_PROTOCOL);
    if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) return true;
    /* The library's first attempt to write may have fetched the error of the socket, which the kernel reports only once. */
    bool is_fetched = count == 0 && session->answer == CMOSQUITTO_SILENT && is_network_error(session->connect_errno);
    int error = is_fetched ? session->connect_errno : errno;
    if (count < 0 || is_fetched) {
        /* ECONNRESET means that the connection was open; before that, the other end refuses the connection. */
        session->is_hung_up = error == ECONNRESET && session->answer == CMOSQUITTO_SILENT;
        errno = error;
        return cmosquitto_check(session, MOSQ_ERR_ERRNO);
    }
    session->is_hung_up = true;
    return cmosquitto_check(session, MOSQ_ERR_CONN_LOST);
}

/* Counts the received bytes; returns false if the broker sends much more than we requested. */
static bool is_within_allowance(struct cmosquitto_session *session, int fd) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return true;
    session->allowance -= (int64_t)(info.tcpi_bytes_received - session->received);
    session->received = info.tcpi_bytes_received;
    if (session->allowance >= 0) return true;
    snprintf(session->words, sizeof session->words, "it sends more than %d KiB that nobody asked for",
        (int)(session->allowance_limit / 1024));
    return false;
}

static void set_number(int fd, int option, int value) { setsockopt(fd, IPPROTO_TCP, option, &value, sizeof value); }

/* Reads the received bytes, and acknowledges them to the other end's TCP at once. Otherwise a broker that waits for the
 * acknowledgement before its next small packet would wait 40 ms each time (mosquitto does by default). */
static bool read_packets(struct cmosquitto_session *session, int fd) {
    set_number(fd, TCP_WINDOW_CLAMP, CLOSED_WINDOW);
    int code = mosquitto_loop_read(session->mosq, 1);
    session->is_malformed = code == MOSQ_ERR_PROTOCOL || code == MOSQ_ERR_MALFORMED_PACKET;
    if (!cmosquitto_check(session, code)) return false;
    if (mosquitto_socket(session->mosq) != fd) return true;
    set_number(fd, TCP_WINDOW_CLAMP, OPEN_WINDOW);
    set_number(fd, TCP_QUICKACK, 1);
    return is_within_allowance(session, fd);
}

bool cmosquitto_advance(struct cmosquitto_session *session) {
    struct pollfd state = { .fd = mosquitto_socket(session->mosq), .events = POLLIN | POLLOUT, .revents = 0 };
    if (state.fd < 0 || poll(&state, 1, 0) < 0) return cmosquitto_check(session, MOSQ_ERR_NO_CONN);
    const bool is_shaking = is_shaking_hands(session);
    const bool is_readable = (state.revents & (POLLIN | POLLERR | POLLHUP)) != 0;
    const bool has_room = (state.revents & POLLOUT) != 0;
    session->awaits_room = !has_room;
    if (is_readable && !is_alive(session, state.fd)) return false;
    /* Only a read call continues the handshake, even if the next step of the handshake is to write. */
    if ((is_readable || (is_shaking && has_room)) && !read_packets(session, state.fd)) return false;
    if (has_room && (is_shaking || mosquitto_want_write(session->mosq))) {
        if (!cmosquitto_check(session, mosquitto_loop_write(session->mosq, 1))) return false;
    }
    return mosquitto_socket(session->mosq) >= 0 ? true : cmosquitto_check(session, MOSQ_ERR_CONN_LOST);
}

bool cmosquitto_keep_alive(struct cmosquitto_session *session) {
    grant_answer(session);
    cmosquitto_grant_orders(session);
    if (!cmosquitto_check(session, mosquitto_loop_misc(session->mosq))) return false;
    return mosquitto_socket(session->mosq) >= 0 ? true : cmosquitto_check(session, MOSQ_ERR_KEEPALIVE);
}

enum cmosquitto_publishing cmosquitto_publish(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain, int *message) {
    int code = mosquitto_publish(session->mosq, message, topic, bytes, payload, 1, retain);
    if (cmosquitto_check(session, code)) return CMOSQUITTO_TAKEN;
    return code == MOSQ_ERR_PAYLOAD_SIZE || code == MOSQ_ERR_OVERSIZE_PACKET ? CMOSQUITTO_TOO_LARGE : CMOSQUITTO_LOST;
}

bool cmosquitto_subscribe(struct cmosquitto_session *session, const char *topic, const char *words) {
    snprintf(session->called_by, sizeof session->called_by, "%s", words);
    return cmosquitto_check(session, mosquitto_subscribe(session->mosq, NULL, topic, 1));
}

bool cmosquitto_take_call(struct cmosquitto_session *session) {
    const bool is_called = session->is_called;
    session->is_called = false;
    return is_called;
}

int cmosquitto_answer(const struct cmosquitto_session *session) { return session->answer; }

int cmosquitto_farewell(const struct cmosquitto_session *session) { return session->farewell; }

struct cmosquitto_limits cmosquitto_limits(const struct cmosquitto_session *session) { return session->limits; }

enum cmosquitto_trust cmosquitto_trust_of(const struct cmosquitto_session *session) { return session->trust; }

enum cmosquitto_stranger cmosquitto_stranger_of(const struct cmosquitto_session *session) { return session->stranger; }

int cmosquitto_acknowledged(struct cmosquitto_session *session, struct cmosquitto_ack *out, int capacity) {
    int count = session->acknowledged_count < capacity ? session->acknowledged_count : capacity;
    memcpy(out, session->acknowledged, (size_t)count * sizeof *out);
    session->acknowledged_count -= count;
    memmove(session->acknowledged, session->acknowledged + count, (size_t)session->acknowledged_count * sizeof *out);
    return count;
}

const char *cmosquitto_words(const struct cmosquitto_session *session) { return session->words; }

bool cmosquitto_is_distrusted(const struct cmosquitto_session *session) { return session->is_distrusted; }

bool cmosquitto_is_hung_up(const struct cmosquitto_session *session) { return session->is_hung_up; }

bool cmosquitto_is_malformed(const struct cmosquitto_session *session) { return session->is_malformed; }

void cmosquitto_free(struct cmosquitto_session *session) {
    if (session->answer == 0) mosquitto_disconnect(session->mosq);
    mosquitto_destroy(session->mosq);
    for (int index = 0; index < session->order_count; index += 1) free(session->orders[index].bytes);
    free(session->order_topic);
    free(session->host);
    if (session->done_fd >= 0) close(session->done_fd);
    free(session);
}
