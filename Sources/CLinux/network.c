#define _GNU_SOURCE
#include "network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Flags of a route (linux/route.h, linux/ipv6_route.h). */
#define ROUTE_IS_UP 0x0001
#define ROUTE_REJECTS 0x0200

int clinux_network_open(void) {
    const struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
    };
    const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (fd < 0) return -1;
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) == 0) return fd;
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

bool clinux_network_drain(int fd) {
    char rest[8192];
    bool is_changed = false;
    for (;;) {
        /* The content does not matter, because the caller reads the whole state; a message may therefore be incomplete. */
        if (recv(fd, rest, sizeof rest, 0) >= 0) {
            is_changed = true;
        } else if (errno == ENOBUFS) {
            /* The kernel had no room for some messages (netlink(7)). */
            is_changed = true;
        } else if (errno != EINTR) {
            return is_changed;
        }
    }
}

int clinux_network_addresses(struct clinux_link *out, int capacity) {
    const unsigned int needed = IFF_UP | IFF_RUNNING;
    struct ifaddrs *list;
    int count = 0;
    if (getifaddrs(&list) != 0) return -1;
    for (const struct ifaddrs *it = list; it != NULL && count < capacity; it = it->ifa_next) {
        if (it->ifa_addr == NULL || (it->ifa_flags & needed) != needed || (it->ifa_flags & IFF_LOOPBACK)) continue;
        const void *bytes;
        struct clinux_link link = { .family = 4 };
        if (it->ifa_addr->sa_family == AF_INET) {
            bytes = &((const struct sockaddr_in *)(const void *)it->ifa_addr)->sin_addr;
        } else if (it->ifa_addr->sa_family == AF_INET6) {
            const struct in6_addr *address = &((const struct sockaddr_in6 *)(const void *)it->ifa_addr)->sin6_addr;
            if (IN6_IS_ADDR_LINKLOCAL(address)) continue;
            bytes = address;
            link.family = 6;
        } else {
            continue;
        }
        if (inet_ntop(it->ifa_addr->sa_family, bytes, link.text, sizeof link.text) == NULL) continue;
        snprintf(link.interface, sizeof link.interface, "%s", it->ifa_name);
        out[count++] = link;
    }
    freeifaddrs(list);
    return count;
}

/* Reads /proc/net/route (net/ipv4/fib_trie.c, fib_route_seq_show). */
static int default_routes_4(struct clinux_link *out, int capacity) {
    char line[256];
    int count = 0;
    FILE *file = fopen("/proc/net/route", "re");
    if (file == NULL) return 0;
    while (count < capacity && fgets(line, sizeof line, file) != NULL) {
        struct clinux_link link = { .family = 4 };
        unsigned int destination, gateway, flags, mask;
        if (sscanf(line, "%15s %x %x %x %*d %*d %u %x", link.interface, &destination, &gateway, &flags, &link.metric, &mask)
            != 6) continue;
        if (destination != 0 || mask != 0 || !(flags & ROUTE_IS_UP) || (flags & ROUTE_REJECTS)) continue;
        snprintf(link.text, sizeof link.text, "%08x", gateway);
        out[count++] = link;
    }
    fclose(file);
    return count;
}

/* Reads /proc/net/ipv6_route (net/ipv6/route.c, ipv6_route_native_seq_show). */
static int default_routes_6(struct clinux_link *out, int capacity) {
    char line[256];
    int count = 0;
    FILE *file = fopen("/proc/net/ipv6_route", "re");
    if (file == NULL) return 0;
    while (count < capacity && fgets(line, sizeof line, file) != NULL) {
        struct clinux_link link = { .family = 6 };
        char destination[33];
        unsigned int length, flags;
        if (sscanf(line, "%32s %x %*s %*x %32s %x %*x %*x %x %15s", destination, &length, link.text, &link.metric, &flags,
                link.interface) != 6) continue;
        if (length != 0 || strspn(destination, "0") != 32 || strcmp(link.interface, "lo") == 0) continue;
        if (!(flags & ROUTE_IS_UP) || (flags & ROUTE_REJECTS)) continue;
        out[count++] = link;
    }
    fclose(file);
    return count;
}

int clinux_network_default_routes(struct clinux_link *out, int capacity) {
    const int count = default_routes_4(out, capacity);
    return count + default_routes_6(out + count, capacity - count);
}

bool clinux_network_is_mobile(const char *interface) {
    char path[64], line[64];
    bool is_mobile = false;
    snprintf(path, sizeof path, "/sys/class/net/%.15s/uevent", interface);
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    while (fgets(line, sizeof line, file) != NULL) is_mobile = is_mobile || strcmp(line, "DEVTYPE=wwan\n") == 0;
    fclose(file);
    return is_mobile;
}
