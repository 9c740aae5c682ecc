#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl before 7.87 is not supported: it waits for a name resolution that was cancelled"
#endif

struct ccurl_client {
    CURLM *multi;
    CURL *easy;
    struct curl_slist *headers;
    bool is_added;
    CURLcode code;
    char words[CURL_ERROR_SIZE];
    unsigned char *body;
    size_t body_bytes;
    size_t body_limit;
    bool is_too_long;
    size_t head_bytes;
    bool is_head_too_long;
    bool offers_gzip;
};

/* A normal server does not send more; libcurl itself limits the head only from release 8.3 on. */
static const size_t HEAD_LIMIT = 65536;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_library(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

static size_t keep_body(char *data, size_t size, size_t count, void *context) {
    struct ccurl_client *client = context;
    size_t bytes = size * count;
    if (bytes > client->body_limit - client->body_bytes) {
        client->is_too_long = true;
        return 0;
    }
    unsigned char *grown = realloc(client->body, client->body_bytes + bytes + 1);
    if (grown == NULL) return 0;
    memcpy(grown + client->body_bytes, data, bytes);
    client->body = grown;
    client->body_bytes += bytes;
    return bytes;
}

/* Returns whether a comma-separated list of codings contains gzip with a weight above 0. */
static bool contains_gzip(const char *list, size_t bytes) {
    for (size_t start = 0; start < bytes;) {
        size_t end = start;
        while (end < bytes && list[end] != ',') end++;
        while (start < end && (list[start] == ' ' || list[start] == '\t')) start++;
        size_t length = end - start;
        while (length > 0 && strchr(" \t\r\n", list[start + length - 1]) != NULL) length--;
        if (length == 4 && strncasecmp(list + start, "gzip", 4) == 0) return true;
        if (length > 4 && strncasecmp(list + start, "gzip", 4) == 0 && strchr(" \t;", list[start + 4]) != NULL) {
            const char *weight = memmem(list + start, length, "q=", 2);
            if (weight == NULL) return true;
            /* A weight is 0 if it has no other digit. */
            for (; weight < list + start + length; weight++)
                if (*weight >= '1' && *weight <= '9') return true;
        }
        start = end + 1;
    }
    return false;
}

static size_t read_head(char *line, size_t size, size_t count, void *context) {
    static const char name[] = "accept-encoding:";
    struct ccurl_client *client = context;
    size_t bytes = size * count;
    client->head_bytes += bytes;
    if (client->head_bytes > HEAD_LIMIT) {
        client->is_head_too_long = true;
        return 0;
    }
    if (bytes > sizeof name && strncasecmp(line, name, sizeof name - 1) == 0)
        client->offers_gzip = contains_gzip(line + sizeof name - 1, bytes - (sizeof name - 1));
    return bytes;
}

static void forget_request(struct ccurl_client *client) {
    if (client->is_added) curl_multi_remove_handle(client->multi, client->easy);
    client->is_added = false;
    curl_slist_free_all(client->headers);
    client->headers = NULL;
    free(client->body);
    client->body = NULL;
    client->body_bytes = 0;
    client->is_too_long = false;
    client->head_bytes = 0;
    client->is_head_too_long = false;
    client->offers_gzip = false;
    client->words[0] = 0;
    client->code = CURLE_OK;
}

struct ccurl_client *ccurl_open(size_t body_limit) {
    pthread_once(&once, start_library);
    struct ccurl_client *client = calloc(1, sizeof *client);
    if (client == NULL) return NULL;
    client->body_limit = body_limit;
    client->multi = curl_multi_init();
    client->easy = curl_easy_init();
    if (client->multi != NULL && client->easy != NULL) return client;
    ccurl_close(client);
    return NULL;
}

bool ccurl_begin(struct ccurl_client *client, const char *url) {
    forget_request(client);
    CURL *easy = client->easy;
    curl_easy_reset(easy);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, client->words);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "trackerd");
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    /* Without these two options, environment variables would choose the proxy. */
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, client);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, read_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, client);
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK;
}

bool ccurl_header(struct ccurl_client *client, const char *line) {
    struct curl_slist *longer = curl_slist_append(client->headers, line);
    if (longer == NULL) return false;
    client->headers = longer;
    return true;
}

bool ccurl_login(struct ccurl_client *client, const char *user, const char *password) {
    return curl_easy_setopt(client->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC) == CURLE_OK
        && curl_easy_setopt(client->easy, CURLOPT_USERNAME, user) == CURLE_OK
        && curl_easy_setopt(client->easy, CURLOPT_PASSWORD, password) == CURLE_OK;
}

bool ccurl_trust(struct ccurl_client *client, const char *ca_file) {
    /* libcurl also trusts the folder of the system's certificates, unless the program clears this option. */
    return curl_easy_setopt(client->easy, CURLOPT_CAINFO, ca_file) == CURLE_OK
        && curl_easy_setopt(client->easy, CURLOPT_CAPATH, NULL) == CURLE_OK
        && curl_easy_setopt(client->easy, CURLOPT_PROXY_CAINFO, ca_file) == CURLE_OK
        && curl_easy_setopt(client->easy, CURLOPT_PROXY_CAPATH, NULL) == CURLE_OK;
}

bool ccurl_proxy(struct ccurl_client *client, const char *url) {
    return curl_easy_setopt(client->easy, CURLOPT_PROXY, url) == CURLE_OK;
}

bool ccurl_certificate(struct ccurl_client *client, const char *file, const char *key) {
    CURL *easy = client->easy;
    /* Without a password, OpenSSL asks the terminal for the password of an encrypted key. */
    return curl_easy_setopt(easy, CURLOPT_SSLCERT, file) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_SSLKEY, key) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_KEYPASSWD, "") == CURLE_OK;
}

static bool start_transfer(struct ccurl_client *client, long connect_ms, long total_ms) {
    CURL *easy = client->easy;
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, client->headers);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, total_ms);
    client->is_added = curl_multi_add_handle(client->multi, easy) == CURLM_OK;
    return client->is_added;
}

bool ccurl_get(struct ccurl_client *client, long connect_ms, long total_ms) {
    curl_easy_setopt(client->easy, CURLOPT_HTTPGET, 1L);
    return start_transfer(client, connect_ms, total_ms);
}

bool ccurl_post(struct ccurl_client *client, const void *body, size_t bytes, long connect_ms, long total_ms) {
    CURL *easy = client->easy;
    /* We do not send "Expect: 100-continue", because libcurl waits a second for the reply of a small server that does not know
     * this header. */
    if (!ccurl_header(client, "Expect:")) return false;
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    /* The size comes first, because COPYPOSTFIELDS copies this number of bytes. */
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)bytes);
    if (curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, body) != CURLE_OK) return false;
    return start_transfer(client, connect_ms, total_ms);
}

bool ccurl_advance(struct ccurl_client *client) {
    int running = 0;
    int left = 0;
    CURLMsg *message;
    bool is_over = false;
    if (curl_multi_perform(client->multi, &running) != CURLM_OK) {
        client->code = CURLE_FAILED_INIT;
        is_over = true;
    }
    while ((message = curl_multi_info_read(client->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        client->code = message->data.result;
        is_over = true;
    }
    if (is_over && client->is_added) {
        curl_multi_remove_handle(client->multi, client->easy);
        client->is_added = false;
    }
    return is_over;
}

int ccurl_watched(struct ccurl_client *client, struct ccurl_socket *out, int capacity) {
    fd_set reads, writes, errors;
    int highest = -1;
    int count = 0;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_ZERO(&errors);
    if (curl_multi_fdset(client->multi, &reads, &writes, &errors, &highest) != CURLM_OK) return 0;
    for (int fd = 0; fd <= highest && count < capacity; fd++) {
        struct ccurl_socket it = { .fd = fd, .reads = FD_ISSET(fd, &reads), .writes = FD_ISSET(fd, &writes) };
        if (it.reads || it.writes) out[count++] = it;
    }
    return count;
}

long ccurl_timeout_ms(struct ccurl_client *client) {
    long timeout_ms = -1;
    return curl_multi_timeout(client->multi, &timeout_ms) == CURLM_OK ? timeout_ms : -1;
}

enum ccurl_outcome ccurl_outcome(const struct ccurl_client *client) {
    if (client->is_too_long) return CCURL_TOO_LONG;
    if (client->is_head_too_long) return CCURL_HEAD_TOO_LONG;
    switch (client->code) {
    case CURLE_OK: return CCURL_ANSWERED;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return CCURL_NO_NAME;
    case CURLE_COULDNT_CONNECT: return CCURL_NO_CONNECTION;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMED_OUT;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return CCURL_DISTRUSTED;
    case CURLE_SSL_CERTPROBLEM: return CCURL_CERTIFICATE_UNUSABLE;
    default: return CCURL_BROKEN;
    }
}

const char *ccurl_words(const struct ccurl_client *client) {
    return client->words[0] != 0 ? client->words : curl_easy_strerror(client->code);
}

long ccurl_status(const struct ccurl_client *client) {
    long status = 0;
    curl_easy_getinfo(client->easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

bool ccurl_was_connected(const struct ccurl_client *client) {
    curl_off_t connected_us = 0;
    curl_easy_getinfo(client->easy, CURLINFO_PRETRANSFER_TIME_T, &connected_us);
    return connected_us > 0;
}

long ccurl_retry_after_s(const struct ccurl_client *client) {
    struct curl_header *header = NULL;
    time_t until = -1, now = -1;
    if (curl_easy_header(client->easy, "Retry-After", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
        until = curl_getdate(header->value, NULL);
    if (curl_easy_header(client->easy, "Date", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
        now = curl_getdate(header->value, NULL);
    /* The clock of the board may be wrong, that of the server is not (RFC 9110, 10.2.3 and 6.6.1). */
    if (until >= 0 && now >= 0) return until > now ? (long)(until - now) : 0;
    curl_off_t seconds = 0;
    curl_easy_getinfo(client->easy, CURLINFO_RETRY_AFTER, &seconds);
    return (long)seconds;
}

const char *ccurl_content_type(const struct ccurl_client *client) {
    char *type = NULL;
    curl_easy_getinfo(client->easy, CURLINFO_CONTENT_TYPE, &type);
    return type != NULL ? type : "";
}

const char *ccurl_redirect(const struct ccurl_client *client) {
    char *url = NULL;
    curl_easy_getinfo(client->easy, CURLINFO_REDIRECT_URL, &url);
    return url != NULL ? url : "";
}

const char *ccurl_entity_tag(struct ccurl_client *client) {
    struct curl_header *header = NULL;
    if (curl_easy_header(client->easy, "ETag", 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return "";
    return strlen(header->value) <= 512 ? header->value : "";
}

bool ccurl_offers_gzip(const struct ccurl_client *client) { return client->offers_gzip; }

const unsigned char *ccurl_body(const struct ccurl_client *client, size_t *bytes) {
    *bytes = client->body_bytes;
    return client->body;
}

void ccurl_close(struct ccurl_client *client) {
    if (client == NULL) return;
    forget_request(client);
    if (client->easy != NULL) curl_easy_cleanup(client->easy);
    if (client->multi != NULL) curl_multi_cleanup(client->multi);
    free(client);
}
