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
 * begins with an allowance; each byte reduces the allowance, and each acknowledgement and each ping increases it a little. */
#define ALLOWANCE_LIMIT (512 * 1024)
#define ALLOWANCE_PER_ANSWER 1024

/* If the other end's TCP acknowledges nothing for this time, the kernel ends the connection: a router may have forgotten it. */
#define LONGEST_SILENCE_MS 15000

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

void cmosquitto_note_fault(struct cmosquitto_session *session, const char *words) {
    /* The library checks the name itself, so OpenSSL does not know that the name was the reason. */
    if (strstr(words, "host name verification failed") != NULL) session->is_other_name = true;
    /* A fault of the certificate comes first; the broken connection that follows adds no information. */
    if (strstr(session->objection, "certificate") != NULL) return;
    const char *last = strrchr(words, ':');
    snprintf(session->objection, sizeof session->objection, "%s", last != NULL ? last + 1 : words);
    if (strstr(words, "wrong version number") != NULL) session->stranger = CMOSQUITTO_UNENCRYPTED;
    if (strstr(words, "certificate verify failed") != NULL) session->trust = verdict(session);
    /* The broker's alert: the broker requires a certificate of ours, or does not accept ours. */
    if (strstr(words, "alert certificate required") != NULL) session->trust = CMOSQUITTO_CERTIFICATE_WANTED;
    else if (strstr(words, "alert unknown ca") != NULL || strstr(words, "alert bad certificate") != NULL
        || strstr(words, "alert certificate") != NULL) session->trust = CMOSQUITTO_CERTIFICATE_REFUSED;
}

/* The library reports OpenSSL's errors only in its log. */
static void on_log(struct mosquitto *mosq, void *context, int level, const char *words) {
    (void)mosq;
    if (level == MOSQ_LOG_ERR) cmosquitto_note_fault(context, words);
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
    /* Release 2.0.11 reports an error of OpenSSL in the handshake as MOSQ_ERR_TLS. Newer releases report it as EPROTO, as all
     * releases do after the handshake. */
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
    const int silence_ms = LONGEST_SILENCE_MS;
    (void)mosq;
    (void)flags;
    session->answer = code;
    setsockopt(session->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms, sizeof silence_ms);
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
    session->done_fd = session->fd = session->relay_fd = -1;
    session->allowance = session->allowance_limit = ALLOWANCE_LIMIT;
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
    /* With a context of ours, the library requires a file or folder of authorities; this folder contains those of the system.
     * Without a configured version, it uses TLS 1.2 and newer. */
    const char *folder = ca_file == NULL ? "/etc/ssl/certs" : NULL;
    return cmosquitto_watch_handshake(session)
        && cmosquitto_check(
            session, mosquitto_tls_set(session->mosq, ca_file, folder, certificate_file, key_file, no_password));
}

bool cmosquitto_will(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain) {
    return cmosquitto_check(session, mosquitto_will_set(session->mosq, topic, bytes, payload, 1, retain));
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

/* Returns whether the connection is open, or still being opened. */
static bool is_alive(struct cmosquitto_session *session) {
    char bytes[4];
    ssize_t count = recv(session->fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0 && session->received == 0) session->stranger = stranger(session, bytes, count);
    if (session->stranger != CMOSQUITTO_NO_STRANGER) return cmosquitto_check(session, MOSQ_ERR_PROTOCOL);
    if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) return true;
    /* An open connection is reset (ECONNRESET); one that is not open yet is refused (ECONNREFUSED). */
    session->is_hung_up = count == 0 || (errno == ECONNRESET && session->answer == CMOSQUITTO_SILENT);
    return cmosquitto_check(session, count == 0 ? MOSQ_ERR_CONN_LOST : MOSQ_ERR_ERRNO);
}

bool cmosquitto_advance(struct cmosquitto_session *session) {
    struct pollfd state = { .fd = session->fd, .events = POLLIN, .revents = 0 };
    if (mosquitto_socket(session->mosq) < 0 || poll(&state, 1, 0) < 0) return cmosquitto_check(session, MOSQ_ERR_NO_CONN);
    if (state.revents != 0 && (!is_alive(session) || !cmosquitto_receive(session))) return false;
    do {
        if (mosquitto_socket(session->mosq) < 0) return cmosquitto_check(session, MOSQ_ERR_CONN_LOST);
        if (!cmosquitto_drive(session) || !cmosquitto_send(session)) return false;
    } while (session->out_start == session->out_end && session->answer == 0 && mosquitto_want_write(session->mosq));
    return true;
}

bool cmosquitto_keep_alive(struct cmosquitto_session *session) {
    grant_answer(session);
    cmosquitto_grant_orders(session);
    if (!cmosquitto_check(session, mosquitto_loop_misc(session->mosq))) return false;
    session->awaits_answer = cmosquitto_wants_write(session);
    return cmosquitto_send(session);
}

enum cmosquitto_publishing cmosquitto_publish(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain, int *message) {
    int code = mosquitto_publish(session->mosq, message, topic, bytes, payload, 1, retain);
    if (cmosquitto_check(session, code)) return cmosquitto_send(session) ? CMOSQUITTO_TAKEN : CMOSQUITTO_LOST;
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

bool cmosquitto_is_former(const struct cmosquitto_session *session) { return session->is_former; }

bool cmosquitto_is_nonsense(const struct cmosquitto_session *session) { return session->is_nonsense; }

bool cmosquitto_awaits_answer(const struct cmosquitto_session *session) { return session->awaits_answer; }

void cmosquitto_free(struct cmosquitto_session *session) {
    if (session->answer == 0) mosquitto_disconnect(session->mosq);
    mosquitto_destroy(session->mosq);
    if (session->relay_fd >= 0) {
        cmosquitto_send(session);
        close(session->relay_fd);
    }
    if (session->fd >= 0) close(session->fd);
    cmosquitto_forget_packet(&session->packet);
    for (int index = 0; index < session->order_count; index += 1) free(session->orders[index].bytes);
    free(session->order_topic);
    free(session->host);
    if (session->done_fd >= 0) close(session->done_fd);
    free(session);
}
