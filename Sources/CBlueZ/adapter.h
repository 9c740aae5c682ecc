// The contents of a handle, for the files of this shim only.

#ifndef CBLUEZ_ADAPTER_H
#define CBLUEZ_ADAPTER_H

#include "CBlueZ.h"

#include <stdatomic.h>

enum cbluez_owner {
    CBLUEZ_OWNED_BY_THREAD,
    CBLUEZ_OWNED_BY_LOOP,
    CBLUEZ_ABANDONED,
};

struct cbluez {
    atomic_int owner;
    int adapter;
    int tell_fd;                // the thread's end of the pipe
    int done_fd;                // the loop's end
    int hci_fd;                 // packets of this adapter
    int notices_fd;             // the kernel's notices about adapters
    int any_fd;                 // an epoll of both descriptors
    enum cbluez_outcome result; // of bringing the adapter up
    int reason;                 // errno of the last CBLUEZ_FAILED
    bool is_taken_over;
};

/// Brings the adapter up and opens the handle's sockets; blocks while the kernel waits for a chip.
enum cbluez_outcome cbluez_open(struct cbluez *bluez);

/// Stores errno and returns the matching outcome.
enum cbluez_outcome cbluez_failure(struct cbluez *bluez, int reason);

#endif
