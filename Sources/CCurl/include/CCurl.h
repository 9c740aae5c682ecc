/* CCurl: the part of libcurl that the uploader uses: one request at a time over a connection that stays open, without ever
 * blocking.
 *
 * Swift sees no variadic call, no option number and no struct of the library. Requires libcurl 7.87 or newer (with
 * CURLOPT_QUICK_EXIT, libcurl does not wait for a cancelled look-up of a name); Debian 12 has 7.88.1, Debian 13 has 8.14. */
#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

/* The connection pool of one target, and the request in flight. */
struct ccurl_client;

/* A socket to wait for. */
struct ccurl_socket {
    int fd;
    bool reads;
    bool writes;
};

/* The result of a request, in classes that the caller treats differently. */
enum ccurl_outcome {
    CCURL_ANSWERED,      /* a whole answer has arrived */
    CCURL_NO_NAME,       /* the name has no address */
    CCURL_NO_CONNECTION, /* no program listens there, or the address is unreachable */
    CCURL_TIMED_OUT,
    CCURL_DISTRUSTED,    /* libcurl does not trust the certificate */
    CCURL_TOO_LONG,      /* the answer is longer than the limit */
    CCURL_HEAD_TOO_LONG, /* the header lines of the answer are longer than 64 KiB */
    CCURL_CERTIFICATE_UNUSABLE, /* our own certificate or key cannot be used */
    CCURL_BROKEN         /* another error; ccurl_words() returns the reason */
};

/* Opens a client; NULL if the program is out of memory. A request whose answer has a body above `body_limit` bytes fails. */
struct ccurl_client *ccurl_open(size_t body_limit);

/* Starts to describe a request. Each call returns false if the library refuses. */
bool ccurl_begin(struct ccurl_client *client, const char *url);
bool ccurl_header(struct ccurl_client *client, const char *line);
bool ccurl_login(struct ccurl_client *client, const char *user, const char *password);
/* Trusts only the certificates of the file, also for a proxy; without this call, libcurl trusts the system's certificates. */
bool ccurl_trust(struct ccurl_client *client, const char *ca_file);
/* Uses a proxy; its URL may contain user and password. Without this call, libcurl uses no proxy. */
bool ccurl_proxy(struct ccurl_client *client, const char *url);

/* Identifies us with the certificate, in PEM; `key` may be the same file. */
bool ccurl_certificate(struct ccurl_client *client, const char *file, const char *key);

bool ccurl_get(struct ccurl_client *client, long connect_ms, long total_ms);

/* Posts a copy of the body. */
bool ccurl_post(struct ccurl_client *client, const void *body, size_t bytes, long connect_ms, long total_ms);

/* Does what is possible without waiting; returns true when the request has ended. */
bool ccurl_advance(struct ccurl_client *client);

/* Fills in up to `capacity` sockets to wait for; returns their number. */
int ccurl_watched(struct ccurl_client *client, struct ccurl_socket *out, int capacity);

/* Returns the milliseconds until the next call that the library requests, -1 for none. */
long ccurl_timeout_ms(struct ccurl_client *client);

/* Return the result of the request; valid until the next ccurl_begin(). */
enum ccurl_outcome ccurl_outcome(const struct ccurl_client *client);
const char *ccurl_words(const struct ccurl_client *client);
long ccurl_status(const struct ccurl_client *client);
/* Returns seconds; 0 if the server sent no such header. */
long ccurl_retry_after_s(const struct ccurl_client *client);
/* Returns whether the request had a connection over which it could be sent. */
bool ccurl_was_connected(const struct ccurl_client *client);
/* Returns an empty text if the server sent no such header. */
const char *ccurl_content_type(const struct ccurl_client *client);
/* Returns the address to which the server redirects; empty if it does not redirect. */
const char *ccurl_redirect(const struct ccurl_client *client);
/* Returns the entity tag of the answer, with its quotes; empty if the answer has none, or one of more than 512 bytes. */
const char *ccurl_entity_tag(struct ccurl_client *client);
/* Returns whether the answer has a header line `Accept-Encoding` with gzip. */
bool ccurl_offers_gzip(const struct ccurl_client *client);
const unsigned char *ccurl_body(const struct ccurl_client *client, size_t *bytes);

/* Abandons the request, and all connections. */
void ccurl_close(struct ccurl_client *client);

#endif
