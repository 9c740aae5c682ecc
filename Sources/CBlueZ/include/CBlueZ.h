// CBlueZ: a Bluetooth adapter as raw HCI packets, through libbluetooth and the kernel. README.md lists releases and pitfalls.
//
// Order of calls: create (brings the adapter up on a thread of its own), wait until cbluez_fd is readable,
// cbluez_take_over, then cbluez_send and cbluez_read; cbluez_destroy at any time. Nothing here blocks. Call everything
// from one thread.

#ifndef CBLUEZ_H
#define CBLUEZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An open adapter, or an attempt to open one.
struct cbluez;

enum cbluez_outcome {
    CBLUEZ_DONE,                ///< success; for cbluez_read: a packet was read
    CBLUEZ_NOTHING_YET,         ///< nothing has arrived: wait for the descriptor
    CBLUEZ_ABSENT,              ///< there is no such adapter
    CBLUEZ_BLOCKED,             ///< rfkill has switched the adapter off
    CBLUEZ_NOT_PERMITTED,       ///< CAP_NET_RAW is missing
    CBLUEZ_OFF,                 ///< the adapter is off, and without CAP_NET_ADMIN the program cannot switch it on
    CBLUEZ_TAKEN,               ///< another program uses the adapter exclusively
    CBLUEZ_NO_LOW_ENERGY,       ///< the adapter has no Bluetooth Low Energy
    CBLUEZ_SILENT,              ///< the adapter did not answer the kernel
    CBLUEZ_DOWN,                ///< the adapter was switched off
    CBLUEZ_GONE,                ///< the adapter was unplugged
    CBLUEZ_FAILED,              ///< another reason, see cbluez_reason
};

/// What the kernel reports about an adapter.
struct cbluez_device {
    bool is_up;
    bool has_low_energy;        ///< not valid while the adapter is down
    uint8_t features[8];        ///< the LMP features, page 0; zero until the adapter was up for the first time
};

enum {
    /// The longest packet that cbluez_read returns: type, event, length, and up to 255 bytes (HCI event packet).
    CBLUEZ_LONGEST_EVENT = 258,
};

/// Looks up an adapter by its number; sets `device` only on success.
enum cbluez_outcome cbluez_look_up(int adapter, struct cbluez_device *device);

/// Examines whether an adapter could scan, without switching anything; returns CBLUEZ_DONE, or the reason.
enum cbluez_outcome cbluez_examine(int adapter);

/// Starts to bring up and open the adapter with this number; NULL if the program is out of memory, descriptors or threads.
struct cbluez *cbluez_create(int adapter);

/// Closes the adapter and frees the handle; if the thread is still running, it does so at its end.
void cbluez_destroy(struct cbluez *bluez);

/// Returns a descriptor that is readable when the thread has ended; after a successful cbluez_take_over returns another
/// one, which is readable when there is a packet or a notice.
int cbluez_fd(const struct cbluez *bluez);

/// Takes the adapter over from the thread: CBLUEZ_NOTHING_YET while the thread works, CBLUEZ_DONE, or the reason.
enum cbluez_outcome cbluez_take_over(struct cbluez *bluez);

/// Sends a packet, which starts with its type.
enum cbluez_outcome cbluez_send(struct cbluez *bluez, const uint8_t *packet, size_t length);

/// Reads one event packet into `packet`, which has room for CBLUEZ_LONGEST_EVENT bytes; only command complete, command
/// status and Low Energy events arrive.
enum cbluez_outcome cbluez_read(struct cbluez *bluez, uint8_t *packet, size_t *length);

/// Returns the system's reason for the last CBLUEZ_FAILED.
const char *cbluez_reason(const struct cbluez *bluez);

#endif
