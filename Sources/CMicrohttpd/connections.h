/* The open connections of a server, how long each may keep us waiting, and which of them makes room for another. */
#ifndef TRACKERD_CONNECTIONS_H
#define TRACKERD_CONNECTIONS_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A connection, which carries one exchange after the other. */
typedef struct connection {
    struct connection *next;
    struct MHD_Connection *handle;
    /* When the client must have finished its request, or have read its answer; 0 for a stream or while we prepare the answer. */
    time_t deadline_s;
    /* The number of the present wait among all waits of the server; an older wait has a lower number. */
    uint64_t wait;
    /* The addresses that probably belong to one client: an IPv4 address, or a /64 of IPv6; zero for a Unix socket. */
    struct in6_addr network;
    bool is_stream, is_dropped;
} connection;

typedef struct {
    connection *first;
    /* The highest number of connections from one network; 0 for no such limit. */
    unsigned most_of_network;
    uint64_t waits;
} connections;

/* The time since boot. */
time_t now_s(void);
/* The client's address; NULL if it is unknown. */
const struct sockaddr *address_of(struct MHD_Connection *handle);
/* NULL if there was no memory for the structure. */
connection *connection_of(struct MHD_Connection *handle);

connection *connections_add(connections *all, struct MHD_Connection *handle);
void connections_remove(connections *all, connection *old);
/* Begins a wait for the client until the deadline. */
void connections_wait(connections *all, connection *connection, time_t deadline_s);
/* Makes room for a connection from this address: beyond a limit, the new connection replaces the one whose client has kept us
 * waiting longest; false if we wait for no client. A stream counts for no limit, because the receiver of the requests limits the
 * streams. */
bool connections_admit(connections *all, const struct sockaddr *address);
/* Ends the connections whose deadline has passed; the library notices this in its next run. */
void connections_drop_late(connections *all);
/* The time until the next deadline, at most `longest`. */
int connections_timeout_ms(const connections *all, int longest);

#endif
