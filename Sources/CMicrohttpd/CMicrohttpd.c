#include "CMicrohttpd.h"
#include "connections.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct chttpd {
    struct MHD_Daemon *daemon;
    chttpd_receiver receiver;
    connections connections;
    int listener;
    /* Whether a connection has been resumed, or has ended. The library's timeout ignores this, although only its next run
     * continues the connection, or listens again if there were too many connections. */
    bool must_run;
    /* Our connection to ourselves (-1: none), its port (0: Unix socket), and how many connections were accepted in all and before
     * it. */
    int probe;
    in_port_t probe_port;
    uint64_t accepted, accepted_before;
};

struct chttpd_exchange {
    chttpd *server;
    struct MHD_Connection *handle;
    connection *connection;
    char *method, *path;
    unsigned char *body;
    size_t body_bytes;
    bool is_too_long, is_asked, is_suspended, is_queued, has_ended;
    unsigned status;
    struct MHD_Response *response;
    /* A stream: the bytes that wait for the client. */
    bool is_stream;
    unsigned char *waiting;
    size_t waiting_bytes;
};

static void notify_connection(void *context, struct MHD_Connection *handle, void **socket_context,
                              enum MHD_ConnectionNotificationCode code) {
    chttpd *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *socket_context = connections_add(&server->connections, handle);
    } else {
        server->must_run = true;
        connections_remove(&server->connections, *socket_context);
        *socket_context = NULL;
    }
}

/* The port in network order; 0 for a Unix socket. */
static in_port_t port_of(const struct sockaddr *address) {
    if (address != NULL && address->sa_family == AF_INET) return ((const struct sockaddr_in *)address)->sin_port;
    return address != NULL && address->sa_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port : 0;
}

static enum MHD_Result admit(void *context, const struct sockaddr *address, socklen_t size) {
    (void)size;
    chttpd *server = context;
    server->accepted += 1;
    /* The server's own connection has reached its aim, and needs no place. */
    if (server->probe >= 0 && server->probe_port != 0 && port_of(address) == server->probe_port) return MHD_NO;
    return connections_admit(&server->connections, address) ? MHD_YES : MHD_NO;
}

static void set_deadline(chttpd *server, connection *connection, time_t deadline_s) {
    if (connection != NULL) connections_wait(&server->connections, connection, deadline_s);
}

/* ---- Requests ---- */

static void keep_body(chttpd_exchange *exchange, const char *data, size_t bytes) {
    if (exchange->body_bytes + bytes > CHTTPD_BODY_BYTES) exchange->is_too_long = true;
    if (exchange->is_too_long) return;
    unsigned char *longer = realloc(exchange->body, exchange->body_bytes + bytes);
    if (longer == NULL) {
        exchange->is_too_long = true;
        return;
    }
    memcpy(longer + exchange->body_bytes, data, bytes);
    exchange->body = longer;
    exchange->body_bytes += bytes;
}

static enum MHD_Result queue_answer(chttpd_exchange *exchange) {
    exchange->is_queued = true;
    set_deadline(exchange->server, exchange->connection, exchange->is_stream ? 0 : now_s() + CHTTPD_ANSWER_S);
    if (exchange->connection != NULL) exchange->connection->is_stream = exchange->is_stream;
    return MHD_queue_response(exchange->handle, exchange->status, exchange->response);
}

static enum MHD_Result handle_request(void *context, struct MHD_Connection *handle, const char *url, const char *method,
                                      const char *version, const char *data, size_t *bytes, void **request_context) {
    (void)version;
    chttpd *server = context;
    chttpd_exchange *exchange = *request_context;
    if (exchange == NULL) {
        exchange = calloc(1, sizeof *exchange);
        if (exchange == NULL) return MHD_NO;
        *exchange = (chttpd_exchange){
            .server = server, .handle = handle, .connection = connection_of(handle), .method = strdup(method), .path = strdup(url)
        };
        *request_context = exchange;
        return exchange->method != NULL && exchange->path != NULL ? MHD_YES : MHD_NO;
    }
    if (*bytes > 0) {
        keep_body(exchange, data, *bytes);
        *bytes = 0;
        return MHD_YES;
    }
    if (!exchange->is_asked) {
        exchange->is_asked = true;
        set_deadline(server, exchange->connection, 0);
        server->receiver.request(server->receiver.context, exchange);
    }
    if (exchange->response != NULL) return exchange->is_queued ? MHD_YES : queue_answer(exchange);
    exchange->is_suspended = true;
    MHD_suspend_connection(handle);
    return MHD_YES;
}

static void request_completed(void *context, struct MHD_Connection *handle, void **request_context,
                              enum MHD_RequestTerminationCode code) {
    (void)code;
    chttpd *server = context;
    chttpd_exchange *exchange = *request_context;
    /* The next request on the connection has its own deadline. */
    connection *connection = connection_of(handle);
    set_deadline(server, connection, now_s() + CHTTPD_IDLE_S);
    if (connection != NULL) connection->is_stream = false;
    if (exchange == NULL) return;
    *request_context = NULL;
    if (exchange->is_asked) server->receiver.closed(server->receiver.context, exchange);
    if (exchange->response != NULL) MHD_destroy_response(exchange->response);
    free(exchange->method);
    free(exchange->path);
    free(exchange->body);
    free(exchange->waiting);
    free(exchange);
}

const char *chttpd_method(chttpd_exchange *exchange) { return exchange->method; }

const char *chttpd_path(chttpd_exchange *exchange) { return exchange->path; }

const char *chttpd_request_header(chttpd_exchange *exchange, const char *name) {
    return MHD_lookup_connection_value(exchange->handle, MHD_HEADER_KIND, name);
}

const char *chttpd_argument(chttpd_exchange *exchange, const char *name) {
    return MHD_lookup_connection_value(exchange->handle, MHD_GET_ARGUMENT_KIND, name);
}

const unsigned char *chttpd_body(chttpd_exchange *exchange, size_t *bytes) {
    *bytes = exchange->is_too_long ? SIZE_MAX : exchange->body_bytes;
    return exchange->body;
}

void chttpd_peer(chttpd_exchange *exchange, char *text, size_t size) {
    text[0] = '\0';
    const struct sockaddr *address = address_of(exchange->handle);
    if (address == NULL) return;
    if (address->sa_family == AF_INET) inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, (socklen_t)size);
    if (address->sa_family == AF_INET6) inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr, text, (socklen_t)size);
}

/* ---- Answers ---- */

static void resume(chttpd_exchange *exchange) {
    if (!exchange->is_suspended) return;
    exchange->is_suspended = false;
    exchange->server->must_run = true;
    MHD_resume_connection(exchange->handle);
}

static void accept_answer(chttpd_exchange *exchange, struct MHD_Response *response, unsigned status, const chttpd_header *headers,
                          size_t count) {
    if (response == NULL) return;
    for (size_t index = 0; index < count; index++) MHD_add_response_header(response, headers[index].name, headers[index].value);
    exchange->response = response;
    exchange->status = status;
    resume(exchange);
}

void chttpd_answer(chttpd_exchange *exchange, unsigned status, const chttpd_header *headers, size_t count, const unsigned char *body,
                   size_t bytes) {
    if (exchange->response != NULL) return;
    /* The cast is safe, because the library only copies the body. */
    accept_answer(exchange, MHD_create_response_from_buffer(bytes, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY), status, headers,
                  count);
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t most) {
    (void)position;
    chttpd_exchange *exchange = context;
    if (exchange->has_ended) return MHD_CONTENT_READER_END_OF_STREAM;
    if (exchange->waiting_bytes == 0) {
        exchange->is_suspended = true;
        MHD_suspend_connection(exchange->handle);
        return 0;
    }
    size_t count = exchange->waiting_bytes < most ? exchange->waiting_bytes : most;
    memcpy(buffer, exchange->waiting, count);
    memmove(exchange->waiting, exchange->waiting + count, exchange->waiting_bytes - count);
    exchange->waiting_bytes -= count;
    return (ssize_t)count;
}

void chttpd_stream(chttpd_exchange *exchange, const chttpd_header *headers, size_t count) {
    if (exchange->response != NULL) return;
    exchange->is_stream = true;
    accept_answer(exchange, MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, exchange, NULL), MHD_HTTP_OK,
                  headers, count);
}

bool chttpd_push(chttpd_exchange *exchange, const unsigned char *part, size_t bytes) {
    if (!exchange->is_stream || exchange->has_ended) return false;
    unsigned char *longer = NULL;
    if (exchange->waiting_bytes + bytes <= CHTTPD_STREAM_BYTES) longer = realloc(exchange->waiting, exchange->waiting_bytes + bytes);
    if (longer == NULL) {
        exchange->has_ended = true;
        /* A client that reads nothing does not even notice the end of the stream. */
        set_deadline(exchange->server, exchange->connection, now_s());
        resume(exchange);
        return false;
    }
    memcpy(longer + exchange->waiting_bytes, part, bytes);
    exchange->waiting = longer;
    exchange->waiting_bytes += bytes;
    resume(exchange);
    return true;
}

/* ---- The server ---- */

static int open_local(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat status;
    if (strlen(path) >= sizeof address.sun_path) return errno = ENAMETOOLONG, -1;
    strcpy(address.sun_path, path);
    if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode)) unlink(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    mode_t mask = umask(0117);
    int result = bind(listener, (struct sockaddr *)&address, sizeof address);
    umask(mask);
    if (result == 0) result = listen(listener, CHTTPD_CONNECTIONS);
    if (result == 0) return listener;
    int error = errno;
    close(listener);
    return errno = error, -1;
}

static int open_internet(const char *text, uint16_t port) {
    struct sockaddr_storage address = {0};
    struct sockaddr_in *four = (struct sockaddr_in *)&address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address;
    socklen_t size = sizeof *four;
    int one = 1;
    if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
    } else if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
        size = sizeof *six;
    } else {
        return errno = EINVAL, -1;
    }
    int listener = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, CHTTPD_CONNECTIONS) == 0) return listener;
    int error = errno;
    close(listener);
    return errno = error, -1;
}

chttpd *chttpd_start(const char *address, uint16_t port, unsigned most_of_network, const char *key, const char *certificate,
                     chttpd_receiver receiver, int *error) {
    chttpd *server = calloc(1, sizeof *server);
    if (server == NULL) return *error = ENOMEM, NULL;
    server->receiver = receiver;
    server->probe = -1;
    server->connections.most_of_network = most_of_network;
    server->listener = address[0] == '/' ? open_local(address) : open_internet(address, port);
    if (server->listener < 0) {
        *error = errno;
        free(server);
        return NULL;
    }
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (key == NULL ? 0 : MHD_USE_TLS);
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    server->daemon = MHD_start_daemon(
        flags, 0, admit, server, handle_request, server,
        MHD_OPTION_LISTEN_SOCKET, server->listener,
        /* Twice the limit of `admit`, which counts neither streams nor dropped connections that the library has yet to close. */
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CHTTPD_CONNECTIONS * 2,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CHTTPD_HEAD_BYTES + 8 * 1024,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)CHTTPD_IDLE_S,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_CONNECTION, notify_connection, server,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, server,
        MHD_OPTION_ARRAY, key == NULL ? none : tls,
        MHD_OPTION_END);
    if (server->daemon == NULL) {
        *error = key == NULL ? EIO : EPROTO;
        close(server->listener);
        free(server);
        return NULL;
    }
    return server;
}

void chttpd_stop(chttpd *server) {
    /* The library demands that no connection is suspended. */
    MHD_stop_daemon(server->daemon);
    if (server->probe >= 0) close(server->probe);
    free(server);
}

uint16_t chttpd_port(chttpd *server) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(server->listener, (struct sockaddr *)&address, &size) != 0) return 0;
    return ntohs(port_of((struct sockaddr *)&address));
}

bool chttpd_probe(chttpd *server) {
    bool has_answered = server->probe < 0 || server->accepted > server->accepted_before;
    if (server->probe >= 0) close(server->probe);
    server->accepted_before = server->accepted;
    struct sockaddr_storage address;
    struct sockaddr *place = (struct sockaddr *)&address;
    socklen_t size = sizeof address;
    if (getsockname(server->listener, place, &size) != 0) return has_answered;
    server->probe = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->probe < 0) return has_answered;
    /* A connection to 0.0.0.0, at which the server may listen, reaches this computer. */
    if (connect(server->probe, place, size) != 0 && errno != EINPROGRESS) {
        close(server->probe);
        server->probe = -1;
        return has_answered;
    }
    size = sizeof address;
    server->probe_port = getsockname(server->probe, place, &size) == 0 ? port_of(place) : 0;
    return has_answered;
}

int chttpd_descriptor(chttpd *server) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

int chttpd_timeout_ms(chttpd *server) {
    if (server->must_run) return 0;
    MHD_UNSIGNED_LONG_LONG limit = 0;
    int longest = MHD_get_timeout(server->daemon, &limit) == MHD_YES && limit < CHTTPD_WAIT_MS ? (int)limit : CHTTPD_WAIT_MS;
    return connections_timeout_ms(&server->connections, longest);
}

void chttpd_run(chttpd *server) {
    server->must_run = false;
    connections_drop_late(&server->connections);
    MHD_run(server->daemon);
}
