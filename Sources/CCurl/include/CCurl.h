/* What the uploader asks of libcurl: one request at a time over a kept connection, without ever blocking.
 *
 * Swift sees no variadic call, no option number and no struct of the library. Wants libcurl 7.87 or newer
 * (CURLOPT_QUICK_EXIT: a cancelled look-up of a name is not waited for); Debian 12 has 7.88.1, Debian 13 has 8.14. */
#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

/* A connection pool of one target, and the request that is under way in it. */
struct ccurl_client;

/* A socket to wait for. */
struct ccurl_socket {
    int fd;
    bool reads;
    bool writes;
};

/* What came of a request, in classes that the caller treats differently. */
enum ccurl_outcome {
    CCURL_ANSWERED,      /* a whole answer is there */
    CCURL_NO_NAME,       /* the name has no address */
    CCURL_NO_CONNECTION, /* nothing listens, or no way to it */
    CCURL_TIMED_OUT,
    CCURL_DISTRUSTED,    /* the certificate is not believed */
    CCURL_TOO_LONG,      /* the answer is longer than the limit */
    CCURL_HEAD_TOO_LONG, /* the header lines of the answer are longer than 64 KiB */
    CCURL_CERTIFICATE_UNUSABLE, /* our own certificate or key cannot be used */
    CCURL_BROKEN         /* anything else; ccurl_words() is the reason */
};

/* Opens a client; NULL when there is no memory. The answer's body is cut off at `body_limit` bytes. */
struct ccurl_client *ccurl_open(size_t body_limit);

/* Starts to describe a request. Each call gives false when the library refuses. `ca_file` and `user` may be NULL. */
bool ccurl_begin(struct ccurl_client *client, const char *url);
bool ccurl_header(struct ccurl_client *client, const char *line);
bool ccurl_login(struct ccurl_client *client, const char *user, const char *password);
/* Believes the certificates of the file alone, also a proxy's; without this call those of the system. */
bool ccurl_trust(struct ccurl_client *client, const char *ca_file);
/* Goes through a proxy, which may be named with user and password; without this call through none. */
bool ccurl_proxy(struct ccurl_client *client, const char *url);

/* Identifies us with the certificate, in PEM; `key` may be the same file. */
bool ccurl_certificate(struct ccurl_client *client, const char *file, const char *key);

/* Gets the URL. */
bool ccurl_get(struct ccurl_client *client, long connect_ms, long total_ms);

/* Posts the body, which is copied. */
bool ccurl_post(struct ccurl_client *client, const void *body, size_t bytes, long connect_ms, long total_ms);

/* Connects, TLS included, and sends nothing; an outcome of CCURL_ANSWERED means that the connection stood. */
bool ccurl_connect(struct ccurl_client *client, long connect_ms);

/* Does what can be done without waiting; true when the request is over. */
bool ccurl_advance(struct ccurl_client *client);

/* The sockets to wait for: fills up to `capacity`, gives their number. */
int ccurl_watched(struct ccurl_client *client, struct ccurl_socket *out, int capacity);

/* Milliseconds until the library wants to be called again, -1 for never. */
long ccurl_timeout_ms(struct ccurl_client *client);

/* What came of the request; valid until the next ccurl_begin(). */
enum ccurl_outcome ccurl_outcome(const struct ccurl_client *client);
const char *ccurl_words(const struct ccurl_client *client);
long ccurl_status(const struct ccurl_client *client);
/* Seconds, 0 if the server sent none. */
long ccurl_retry_after_s(const struct ccurl_client *client);
/* Empty if the server sent none. */
const char *ccurl_content_type(const struct ccurl_client *client);
/* Where the server redirects to; empty if it does not. */
const char *ccurl_redirect(const struct ccurl_client *client);
/* Whether the answer has a header line `Accept-Encoding` with gzip. */
bool ccurl_offers_gzip(const struct ccurl_client *client);
const unsigned char *ccurl_body(const struct ccurl_client *client, size_t *bytes);

/* Abandons the request, and all connections. */
void ccurl_close(struct ccurl_client *client);

#endif
