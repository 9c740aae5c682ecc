/* A web server for bench-drain. It answers each request with 200 and `[]`, and must be fast enough not to limit the result.
 *
 * Usage: http_sink PORT. Listens on 127.0.0.1, one connection after the other, keep-alive, until it is killed.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static const char ANSWER[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]";
static const char GO_ON[] = "HTTP/1.1 100 Continue\r\n\r\n";
static char buffer[4 << 20];

/* Returns the value of a header line, or NULL. */
static const char *header(const char *head, const char *name) {
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, strlen(name)) == 0) return line + 2 + strlen(name);
    return NULL;
}

static void serve(int client) {
    size_t length = 0;
    for (;;) {
        char *end = NULL;
        size_t whole = 0;
        int asked = 0;
        while (!end || length < whole) {
            ssize_t count = read(client, buffer + length, sizeof buffer - 1 - length);
            if (count <= 0) return;
            length += (size_t)count;
            buffer[length] = 0;
            if (end || !(end = strstr(buffer, "\r\n\r\n"))) continue;
            end[2] = 0;
            const char *size = header(buffer, "Content-Length:");
            whole = (size_t)(end - buffer) + 4 + (size_t)(size ? atol(size) : 0);
            if (whole >= sizeof buffer) return;
            asked = header(buffer, "Expect:") != NULL;
            if (asked && length < whole && write(client, GO_ON, sizeof GO_ON - 1) < 0) return;
        }
        if (write(client, ANSWER, sizeof ANSWER - 1) < 0) return;
        length -= whole;
        memmove(buffer, buffer + whole, length);
    }
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(count > 1 ? atoi(words[1]) : 0)};
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8)) {
        perror("http_sink");
        return 1;
    }
    for (;;) {
        int client = accept(listener, NULL, NULL);
        if (client < 0) continue;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        serve(client);
        close(client);
    }
}
