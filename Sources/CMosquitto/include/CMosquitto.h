/* What the uploader asks of libmosquitto: one MQTT 5 or 3.1.1 connection, driven through its socket, without ever blocking.
 *
 * A connection that is lost is closed and another one opened: the library's own queue of unacknowledged messages
 * never outlives a connection. Wants libmosquitto 2.0; Debian 12 has 2.0.11, Debian 13 has 2.0.21. */
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One connection to a broker. */
struct cmosquitto_session;

/* In place of a reason code: the broker has sent none. */
#define CMOSQUITTO_SILENT (-1)

/* What a broker of MQTT 5 allows, as its CONNACK states; `largest_packet` is 0 without a limit. */
struct cmosquitto_limits {
    bool confirms; /* whether it accepts QoS 1 */
    bool retains;
    int keepalive_s;
    uint32_t largest_packet;
};

/* The number of a message that was acknowledged, and the reason code: below 128 is a success. */
struct cmosquitto_ack {
    int message;
    int reason;
};

/* Why one of the two ends does not trust the other's certificate. */
enum cmosquitto_trust {
    CMOSQUITTO_TRUSTED,
    CMOSQUITTO_EXPIRED,
    CMOSQUITTO_NOT_YET_VALID,
    CMOSQUITTO_SELF_SIGNED,
    CMOSQUITTO_OTHER_NAME,
    CMOSQUITTO_UNKNOWN_AUTHORITY,
    CMOSQUITTO_CERTIFICATE_WANTED,
    CMOSQUITTO_CERTIFICATE_REFUSED,
};

/* What the other end is, if its first bytes are not MQTT. */
enum cmosquitto_stranger {
    CMOSQUITTO_NO_STRANGER,
    CMOSQUITTO_TLS,
    CMOSQUITTO_HTTP,
    CMOSQUITTO_UNENCRYPTED,
    CMOSQUITTO_UNKNOWN_PROTOCOL,
};

/* What became of a message. */
enum cmosquitto_publishing { CMOSQUITTO_TAKEN, CMOSQUITTO_TOO_LARGE, CMOSQUITTO_LOST };

/* Looks a name up on a thread of its own, since the library's look-up blocks. Gives a file descriptor from which one
 * byte can be read when it is done: 1 for found, 2 for found with addresses of IPv4 and IPv6, 0 for not; the caller
 * closes it, at any time. -1: no thread. */
int cmosquitto_lookup(const char *host);

/* Opens a session; NULL when there is no memory. */
struct cmosquitto_session *cmosquitto_open(const char *client_id, bool is_v5);

/* Describe the session; each gives false when the library refuses. `ca_file` may be NULL: those of the system.
 * `certificate_file` and `key_file` are our own, or both NULL. */
bool cmosquitto_login(struct cmosquitto_session *session, const char *user, const char *password);
bool cmosquitto_trust(
    struct cmosquitto_session *session, const char *ca_file, const char *certificate_file, const char *key_file);
bool cmosquitto_will(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain);

/* Begins to connect; false if that is already impossible, and cmosquitto_words() is the reason. The library tries only the
 * first address whose network does not refuse at once, so `is_only_v4` leaves out those of IPv6. */
bool cmosquitto_connect(
    struct cmosquitto_session *session, const char *host, int port, int keepalive_s, bool is_only_v4);

/* The socket to wait for, -1 for none; and whether to wait until it can be written to as well. */
int cmosquitto_socket(const struct cmosquitto_session *session);
bool cmosquitto_wants_write(const struct cmosquitto_session *session);

/* Reads and writes what can be without waiting; false when the connection is gone. */
bool cmosquitto_advance(struct cmosquitto_session *session);

/* Sends the ping when one is due; false when the connection is gone. */
bool cmosquitto_keep_alive(struct cmosquitto_session *session);

/* Publishes with QoS 1; `message` gets the number that is acknowledged later. */
enum cmosquitto_publishing cmosquitto_publish(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain, int *message);

/* Subscribes to a topic; from then on cmosquitto_take_call() gives true once after each message of these `words` there. */
bool cmosquitto_subscribe(struct cmosquitto_session *session, const char *topic, const char *words);
bool cmosquitto_take_call(struct cmosquitto_session *session);

/* The reason codes of the broker's CONNACK (3.1.1: table 3.1) and DISCONNECT, or CMOSQUITTO_SILENT. */
int cmosquitto_answer(const struct cmosquitto_session *session);
int cmosquitto_farewell(const struct cmosquitto_session *session);

/* What the broker allows; known after its CONNACK. */
struct cmosquitto_limits cmosquitto_limits(const struct cmosquitto_session *session);

/* Why TLS fails, if a certificate is the reason; and what the other end is if it does not speak MQTT. */
enum cmosquitto_trust cmosquitto_trust_of(const struct cmosquitto_session *session);
enum cmosquitto_stranger cmosquitto_stranger_of(const struct cmosquitto_session *session);

/* The messages that were acknowledged since the last call: fills up to `capacity`, gives their number. */
int cmosquitto_acknowledged(struct cmosquitto_session *session, struct cmosquitto_ack *out, int capacity);

/* What went wrong last. */
const char *cmosquitto_words(const struct cmosquitto_session *session);

/* Whether that was TLS: mostly a certificate that is not believed. */
bool cmosquitto_is_distrusted(const struct cmosquitto_session *session);

/* Whether the other end closed the connection. */
bool cmosquitto_is_hung_up(const struct cmosquitto_session *session);

/* Whether the other end sent what the version of the protocol does not allow. */
bool cmosquitto_is_malformed(const struct cmosquitto_session *session);

/* Sends DISCONNECT if the connection is open, and frees everything. */
void cmosquitto_close(struct cmosquitto_session *session);

#endif
