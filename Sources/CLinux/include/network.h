// The network of this computer, as the kernel reports it: its addresses, its default routes, and when they change.

#ifndef CLINUX_NETWORK_H
#define CLINUX_NETWORK_H

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/// An address of an interface that is up and has a carrier, or a default route through an interface.
struct clinux_link {
    char interface[IF_NAMESIZE];
    /// The address, or the gateway of the route in the kernel's notation.
    char text[INET6_ADDRSTRLEN];
    /// 4 or 6.
    int family;
    /// The metric of a route; the route with the lowest one is in use.
    uint32_t metric;
};

/// Opens a descriptor that is readable when an interface, an address or a route has changed; -1 on failure, see errno.
int clinux_network_open(void);

/// Reads all pending changes; returns whether there were any.
bool clinux_network_drain(int fd);

/// Fills in the addresses of interfaces that are up and have a carrier, without loopback and without link-local addresses of
/// IPv6, which exist without any network; returns their number, up to `capacity`, or -1 on failure.
int clinux_network_addresses(struct clinux_link *out, int capacity);

/// Fills in the default routes of both families; returns their number, up to `capacity`.
int clinux_network_default_routes(struct clinux_link *out, int capacity);

/// Returns whether the kernel's driver reports the interface as a mobile network.
bool clinux_network_is_mobile(const char *interface);

#endif
