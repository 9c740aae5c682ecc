/* What the uploader asks of libmosquitto: one MQTT 3.1.1 connection, driven through its socket, without ever blocking.
 *
 * A connection that is lost is closed and another one opened: the library's own queue of unacknowledged messages
 * never outlives a connection. Wants libmosquitto 2.0; Debian 12 has 2.0.11, Debian 13 has 2.0.21. */
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>

/* One connection to a broker. */
struct cmosquitto_session;

/* The broker's answer to our CONNECT, in classes that the caller treats differently. */
enum cmosquitto_welcome { CMOSQUITTO_SILENT, CMOSQUITTO_WELCOME, CMOSQUITTO_UNAUTHORISED, CMOSQUITTO_TURNED_AWAY };

/* What became of a message. */
enum cmosquitto_publishing { CMOSQUITTO_TAKEN, CMOSQUITTO_TOO_LARGE, CMOSQUITTO_LOST };

/* Looks a name up on a thread of its own, since the library's look-up blocks. Gives a file descriptor from which one
 * byte can be read when it is done: 1 for found, 0 for not; the caller closes it, at any time. -1: no thread. */
int cmosquitto_lookup(const char *host);

/* Opens a session; NULL when there is no memory. */
struct cmosquitto_session *cmosquitto_open(const char *client_id);

/* Describe the session; each gives false when the library refuses. `ca_file` may be NULL: those of the system. */
bool cmosquitto_login(struct cmosquitto_session *session, const char *user, const char *password);
bool cmosquitto_trust(struct cmosquitto_session *session, const char *ca_file);
bool cmosquitto_will(struct cmosquitto_session *session, const char *topic, const void *payload, int bytes);

/* Begins to connect; false if that is already impossible, and cmosquitto_words() is the reason. */
bool cmosquitto_connect(struct cmosquitto_session *session, const char *host, int port, int keepalive_s);

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

enum cmosquitto_welcome cmosquitto_welcome(const struct cmosquitto_session *session);

/* The numbers of the messages that were acknowledged since the last call: fills up to `capacity`, gives their number. */
int cmosquitto_acknowledged(struct cmosquitto_session *session, int *out, int capacity);

/* What went wrong last. */
const char *cmosquitto_words(const struct cmosquitto_session *session);

/* Whether that was TLS: mostly a certificate that is not believed. */
bool cmosquitto_is_distrusted(const struct cmosquitto_session *session);

/* Whether the other end closed the connection. */
bool cmosquitto_is_hung_up(const struct cmosquitto_session *session);

/* Sends DISCONNECT if the connection is open, and frees everything. */
void cmosquitto_close(struct cmosquitto_session *session);

#endif
