#include "connections.h"

#include "CMicrohttpd.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

time_t now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec;
}

const struct sockaddr *address_of(struct MHD_Connection *handle) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

connection *connection_of(struct MHD_Connection *handle) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

static struct in6_addr network_of(const struct sockaddr *address) {
    struct in6_addr network = {0};
    if (address != NULL && address->sa_family == AF_INET6) {
        network = ((const struct sockaddr_in6 *)address)->sin6_addr;
        if (!IN6_IS_ADDR_V4MAPPED(&network)) memset(&network.s6_addr[8], 0, 8);
    } else if (address != NULL && address->sa_family == AF_INET) {
        memcpy(&network.s6_addr[12], &((const struct sockaddr_in *)address)->sin_addr, 4);
    }
    return network;
}

connection *connections_add(connections *all, struct MHD_Connection *handle) {
    connection *new = calloc(1, sizeof *new);
    if (new == NULL) return NULL;
    new->handle = handle;
    new->network = network_of(address_of(handle));
    connections_wait(all, new, now_s() + CHTTPD_HEAD_S);
    new->next = all->first;
    all->first = new;
    return new;
}

void connections_remove(connections *all, connection *old) {
    for (connection **place = &all->first; *place != NULL; place = &(*place)->next) {
        if (*place != old) continue;
        *place = old->next;
        free(old);
        return;
    }
}

void connections_wait(connections *all, connection *connection, time_t deadline_s) {
    connection->deadline_s = deadline_s;
    connection->wait = all->waits++;
}

static void drop(connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection->handle, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info != NULL) shutdown(info->connect_fd, SHUT_RDWR);
    connection->is_dropped = true;
}

bool connections_admit(connections *all, const struct sockaddr *address) {
    struct in6_addr network = network_of(address);
    unsigned count = 0, own_count = 0;
    connection *oldest = NULL, *own_oldest = NULL;
    for (connection *each = all->first; each != NULL; each = each->next) {
        if (each->is_stream || each->is_dropped) continue;
        bool is_own = memcmp(&each->network, &network, sizeof network) == 0;
        count += 1;
        own_count += is_own;
        if (each->deadline_s == 0) continue;
        if (oldest == NULL || each->wait < oldest->wait) oldest = each;
        if (is_own && (own_oldest == NULL || each->wait < own_oldest->wait)) own_oldest = each;
    }
    bool is_own_full = all->most_of_network > 0 && own_count >= all->most_of_network;
    if (!is_own_full && count < CHTTPD_CONNECTIONS) return true;
    connection *replaced = is_own_full ? own_oldest : oldest;
    if (replaced != NULL) drop(replaced);
    return replaced != NULL;
}

void connections_drop_late(connections *all) {
    time_t now = now_s();
    for (connection *each = all->first; each != NULL; each = each->next) {
        if (each->deadline_s == 0 || each->deadline_s > now) continue;
        drop(each);
        each->deadline_s = now + CHTTPD_ANSWER_S;
    }
}

int connections_timeout_ms(const connections *all, int longest) {
    time_t now = now_s();
    for (const connection *each = all->first; each != NULL; each = each->next) {
        if (each->deadline_s == 0) continue;
        long long left = each->deadline_s > now ? (long long)(each->deadline_s - now) * 1000 : 0;
        if (left < longest) longest = (int)left;
    }
    return longest;
}
