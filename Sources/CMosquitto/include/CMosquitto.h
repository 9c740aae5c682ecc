/* CMosquitto: the part of libmosquitto that the uploader uses: one MQTT 5 or 3.1.1 connection through its socket, without
 * blocking.
 *
 * After the loss of a connection, the uploader closes the session and opens another one, so the library's own queue of
 * unacknowledged messages never outlives a connection. Requires libmosquitto 2.0; Debian 12 has 2.0.11, Debian 13 has 2.0.21. */
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One connection to a broker. */
struct cmosquitto_session;

/* The value in place of a reason code if the broker has sent none. */
#define CMOSQUITTO_SILENT (-1)

/* What a broker of MQTT 5 allows, as its CONNACK states; `largest_packet` is 0 without a limit. */
struct cmosquitto_limits {
    bool confirms; /* whether the broker accepts QoS 1 */
    bool retains;
    int keepalive_s;
    uint32_t largest_packet;
};

/* The number of a message that the broker has acknowledged, and the reason code, which is below 128 for a success. */
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

enum cmosquitto_publishing { CMOSQUITTO_TAKEN, CMOSQUITTO_TOO_LARGE, CMOSQUITTO_LOST };

/* Opens a session; NULL if the program is out of memory. */
struct cmosquitto_session *cmosquitto_open(const char *client_id, bool is_v5);

/* Describe the session; each function returns false if the library refuses. If `ca_file` is NULL, the system's authorities apply.
 * `certificate_file` and `key_file` are our own, or both NULL. */
bool cmosquitto_login(struct cmosquitto_session *session, const char *user, const char *password);
bool cmosquitto_trust(
    struct cmosquitto_session *session, const char *ca_file, const char *certificate_file, const char *key_file);
bool cmosquitto_will(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain);

/* The progress of an attempt to connect. */
enum cmosquitto_stage {
    CMOSQUITTO_RESOLVING,
    CMOSQUITTO_NO_ADDRESS, /* the broker's name has no address */
    CMOSQUITTO_CONNECTING,
    CMOSQUITTO_REFUSED, /* the attempt has failed, and cmosquitto_words() returns the reason */
};

/* Starts to connect on a separate thread, because the library resolves the name of the broker, which may take minutes. Returns
 * false if no thread starts. The library tries only the first address that the network does not refuse at once; if the name also
 * has addresses of IPv4, `skips_v6` leaves out the addresses of IPv6. */
bool cmosquitto_connect(
    struct cmosquitto_session *session, const char *host, int port, int keepalive_s, bool skips_v6);

/* Takes the session over from the thread once the thread has ended. Until then, only cmosquitto_socket() and cmosquitto_close()
 * may be called. */
enum cmosquitto_stage cmosquitto_take_over(struct cmosquitto_session *session);

/* Return the descriptor to wait for, -1 for none, and whether to wait also until the socket is writable. Until the session is
 * taken over, the descriptor becomes readable when the thread has ended. */
int cmosquitto_socket(const struct cmosquitto_session *session);
bool cmosquitto_wants_write(const struct cmosquitto_session *session);

/* Reads and writes as much as is possible without waiting; returns false if the connection is lost. */
bool cmosquitto_advance(struct cmosquitto_session *session);

/* Sends a ping if one is due; returns false if the connection is lost. */
bool cmosquitto_keep_alive(struct cmosquitto_session *session);

/* Publishes with QoS 1; stores in `message` the number that the broker's acknowledgement will contain. */
enum cmosquitto_publishing cmosquitto_publish(
    struct cmosquitto_session *session, const char *topic, const void *payload, int bytes, bool retain, int *message);

/* Subscribes to a topic; cmosquitto_take_call() then returns whether a message with these `words`, other than a retained one, has
 * arrived since its last call. */
bool cmosquitto_subscribe(struct cmosquitto_session *session, const char *topic, const char *words);
bool cmosquitto_take_call(struct cmosquitto_session *session);

/* The length of the longest order in bytes. */
#define CMOSQUITTO_LONGEST_ORDER (256 * 1024)

/* Subscribes to the topic of orders with QoS 1. The session keeps up to 32 messages on the topic, and drops further, longer and
 * retained ones. */
bool cmosquitto_listen(struct cmosquitto_session *session, const char *topic);

/* Returns the length of the oldest message on the topic of orders in bytes, or -1 if there is none. */
int cmosquitto_next_order(const struct cmosquitto_session *session);

/* Copies that message, of the length that cmosquitto_next_order() returns, and forgets it. */
void cmosquitto_take_order(struct cmosquitto_session *session, uint8_t *out);

/* Return the numbers of messages on the topic of orders that the session has dropped since the last call: those that are longer
 * than CMOSQUITTO_LONGEST_ORDER, and all others. */
int cmosquitto_take_oversized(struct cmosquitto_session *session);
int cmosquitto_take_dropped(struct cmosquitto_session *session);

/* Return the reason codes of the broker's CONNACK (3.1.1: table 3.1) and DISCONNECT, or CMOSQUITTO_SILENT. */
int cmosquitto_answer(const struct cmosquitto_session *session);
int cmosquitto_farewell(const struct cmosquitto_session *session);

/* Returns the limits of the broker, which are known after its CONNACK. */
struct cmosquitto_limits cmosquitto_limits(const struct cmosquitto_session *session);

/* Return why TLS fails, if a certificate is the reason, and what the other end is, if it does not speak MQTT. */
enum cmosquitto_trust cmosquitto_trust_of(const struct cmosquitto_session *session);
enum cmosquitto_stranger cmosquitto_stranger_of(const struct cmosquitto_session *session);

/* Fills in up to `capacity` messages that the broker has acknowledged since the last call; returns their number. */
int cmosquitto_acknowledged(struct cmosquitto_session *session, struct cmosquitto_ack *out, int capacity);

/* Returns the reason of the last error. */
const char *cmosquitto_words(const struct cmosquitto_session *session);

/* Returns whether the last error was one of TLS, which is usually an untrusted certificate. */
bool cmosquitto_is_distrusted(const struct cmosquitto_session *session);

/* Returns whether the other end closed the connection. */
bool cmosquitto_is_hung_up(const struct cmosquitto_session *session);

/* Returns whether the broker answered in the form of MQTT 3.1.1, although we asked for MQTT 5. */
bool cmosquitto_is_former(const struct cmosquitto_session *session);

/* Returns whether the other end sent bytes that MQTT does not allow; cmosquitto_words() names them. */
bool cmosquitto_is_nonsense(const struct cmosquitto_session *session);

/* Returns whether nothing has arrived from the broker since the last ping. */
bool cmosquitto_awaits_answer(const struct cmosquitto_session *session);

/* Sends DISCONNECT if the connection is open, and frees everything; a thread that is still connecting frees the session later. */
void cmosquitto_close(struct cmosquitto_session *session);

#endif
