/* CMicrohttpd: an HTTP server by GNU libmicrohttpd, driven by the caller's poll loop. No function is safe on several threads. */
#ifndef TRACKERD_CMICROHTTPD_H
#define TRACKERD_CMICROHTTPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* The highest number of connections without those of streams. */
    CHTTPD_CONNECTIONS = 32,
    /* The longest head and body of a request, in bytes. */
    CHTTPD_HEAD_BYTES = 8 * 1024,
    CHTTPD_BODY_BYTES = 64 * 1024,
    /* The most bytes of a stream that wait for the client. */
    CHTTPD_STREAM_BYTES = 256 * 1024,
    /* The time within which a client must complete a request, and read an answer other than a stream, in seconds. */
    CHTTPD_HEAD_S = 10,
    CHTTPD_ANSWER_S = 60,
    /* The longest time without a byte in either direction, in seconds. */
    CHTTPD_IDLE_S = 30,
    /* The longest wait for an event, in milliseconds. */
    CHTTPD_WAIT_MS = 60 * 1000
};

typedef struct chttpd chttpd;
/* A request and its answer; it exists until `closed` is called with it. */
typedef struct chttpd_exchange chttpd_exchange;

typedef struct {
    const char *name;
    const char *value;
} chttpd_header;

typedef struct {
    void *context;
    /* A request is complete. The receiver calls chttpd_answer or chttpd_stream, now or later. */
    void (*request)(void *context, chttpd_exchange *exchange);
    /* The exchange has ended, and its pointer is invalid afterwards. */
    void (*closed)(void *context, chttpd_exchange *exchange);
} chttpd_receiver;

/* Starts a server at an IP address, or at a Unix socket if `address` begins with a slash (`port` is then ignored; the socket gets
 * the mode 0660). With port 0 the system chooses one. An address, or a /64 of IPv6, has at most
 * `most_of_network` connections without those of streams; 0 for no such limit. A connection beyond a limit replaces the one whose
 * client has kept the server waiting longest. `key` and `certificate` are PEM texts for TLS, or both NULL.
 * Returns NULL and sets `*error` to an errno if the server cannot start; EPROTO means that key or certificate is wrong. */
chttpd *chttpd_start(const char *address, uint16_t port, unsigned most_of_network, const char *key, const char *certificate,
                     chttpd_receiver receiver, int *error);
void chttpd_stop(chttpd *server);

/* The port, 0 for a Unix socket. */
uint16_t chttpd_port(chttpd *server);
/* The descriptor to wait for, and the longest wait in milliseconds. Call chttpd_run after each wait. */
int chttpd_descriptor(chttpd *server);
int chttpd_timeout_ms(chttpd *server);
void chttpd_run(chttpd *server);
/* Connects the server to itself; except at a Unix socket, this takes no place of a client. Returns whether the server has
 * accepted a connection since the previous call; true also in the first call, and after a call that could not connect. */
bool chttpd_probe(chttpd *server);

/* The parts of a request; the texts are valid until `request` returns. NULL if a part is missing. */
const char *chttpd_method(chttpd_exchange *exchange);
const char *chttpd_path(chttpd_exchange *exchange);
const char *chttpd_request_header(chttpd_exchange *exchange, const char *name);
const char *chttpd_argument(chttpd_exchange *exchange, const char *name);
/* The body; `*bytes` is SIZE_MAX if the body is longer than CHTTPD_BODY_BYTES. */
const unsigned char *chttpd_body(chttpd_exchange *exchange, size_t *bytes);
/* Writes the client's address as text; an empty text for a Unix socket. */
void chttpd_peer(chttpd_exchange *exchange, char *text, size_t size);

/* Answers; the server copies all texts. Has no effect if the exchange is answered already. */
void chttpd_answer(chttpd_exchange *exchange, unsigned status, const chttpd_header *headers, size_t count,
                   const unsigned char *body, size_t bytes);
/* Answers with status 200 and a body that chttpd_push extends. */
void chttpd_stream(chttpd_exchange *exchange, const chttpd_header *headers, size_t count);
/* Extends a stream; if more than CHTTPD_STREAM_BYTES would wait for the client, ends the stream instead, and returns false. */
bool chttpd_push(chttpd_exchange *exchange, const unsigned char *part, size_t bytes);

#endif
