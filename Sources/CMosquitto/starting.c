/* Starting the library. */

#define _GNU_SOURCE
#include "session.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns a TCP socket of this computer that accepts connections, and its port; -1 after a failure. */
static int own_listener(int *port) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    if (bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0
        && getsockname(listener, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return listener;
    }
    close(listener);
    return -1;
}

/* The library prepares OpenSSL when it first connects with TLS, and takes no lock. If two threads do that at the same time, one
 * of them loses the index under which OpenSSL stores its session, and rejects the certificate of its broker. There is no call for
 * the preparation alone, so this function begins one connection to a socket of its own before any thread connects. */
static void prepare_tls(void) {
    int port = 0;
    const int listener = own_listener(&port);
    struct mosquitto *mosq = mosquitto_new(NULL, true, NULL);
    if (listener >= 0 && mosq != NULL
        && mosquitto_int_option(mosq, MOSQ_OPT_TLS_USE_OS_CERTS, 1) == MOSQ_ERR_SUCCESS)
        mosquitto_connect_async(mosq, "127.0.0.1", port, 60);
    mosquitto_destroy(mosq);
    if (listener >= 0) close(listener);
}

/* At the end of a program, OpenSSL would free its data, although threads may still use them to connect to brokers, which crashes
 * the program. OpenSSL accepts this option only in its first call, which libcurl could make, so the loader calls this function. */
__attribute__((constructor)) static void keep_tls_to_the_end(void) { OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

static void start(void) {
    mosquitto_lib_init();
    prepare_tls();
}

void cmosquitto_start_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
}
