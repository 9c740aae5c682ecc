// CBlueZ: a Bluetooth adapter as raw HCI packets, by libbluetooth and the kernel. README.md names releases and traps.
//
// A handle lives through: create (brings the adapter up on a thread of its own), wait until cbluez_fd is readable,
// cbluez_take_over, then cbluez_send and cbluez_read; cbluez_destroy at any time. Nothing here blocks. One thread calls
// all of it.

#ifndef CBLUEZ_H
#define CBLUEZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An opened adapter, or an attempt at one.
struct cbluez;

/// What came of a call.
enum cbluez_outcome {
    CBLUEZ_DONE,                ///< it worked; for cbluez_read: a packet was read
    CBLUEZ_NOTHING_YET,         ///< nothing has come: wait for the descriptor
    CBLUEZ_ABSENT,              ///< there is no such adapter
    CBLUEZ_BLOCKED,             ///< rfkill has switched it off
    CBLUEZ_NOT_PERMITTED,       ///< CAP_NET_RAW or CAP_NET_ADMIN is missing
    CBLUEZ_TAKEN,               ///< another program has it for itself
    CBLUEZ_NO_LOW_ENERGY,       ///< an adapter without Bluetooth Low Energy
    CBLUEZ_SILENT,              ///< it did not answer the kernel
    CBLUEZ_DOWN,                ///< it was switched off
    CBLUEZ_GONE,                ///< it was unplugged
    CBLUEZ_FAILED,              ///< anything else; cbluez_reason tells
};

/// What the kernel knows about an adapter.
struct cbluez_device {
    bool is_up;
    bool has_low_energy;        ///< means nothing while it is down
    uint8_t features[8];        ///< the LMP features, page 0; zero until it was up once
};

enum {
    /// The longest packet that cbluez_read gives back: type, event, length, and up to 255 bytes (HCI event packet).
    CBLUEZ_LONGEST_EVENT = 258,
};

/// Looks an adapter up, by its number; leaves `device` alone unless that works.
enum cbluez_outcome cbluez_look_up(int adapter, struct cbluez_device *device);

/// Whether an adapter could be listened to, without switching anything: CBLUEZ_DONE, or why not.
enum cbluez_outcome cbluez_examine(int adapter);

/// Begins to bring the adapter of that number up and to open it; NULL when there is no memory, descriptor or thread.
struct cbluez *cbluez_create(int adapter);

/// Closes and frees; a thread that is still at work finds out by itself and frees what it has.
void cbluez_destroy(struct cbluez *bluez);

/// What to wait for until readable: the end of the bringing up, later whatever concerns the adapter.
int cbluez_fd(const struct cbluez *bluez);

/// Takes the adapter over from the thread: CBLUEZ_NOTHING_YET while that is at work, CBLUEZ_DONE, or why it did not
/// work.
enum cbluez_outcome cbluez_take_over(struct cbluez *bluez);

/// Sends a packet: its type, and what belongs to that.
enum cbluez_outcome cbluez_send(struct cbluez *bluez, const uint8_t *packet, size_t length);

/// Reads one event packet into `packet`, which has room for CBLUEZ_LONGEST_EVENT bytes; only command complete, command
/// status and Low Energy events come.
enum cbluez_outcome cbluez_read(struct cbluez *bluez, uint8_t *packet, size_t *length);

/// What the system said about the last call that ended in CBLUEZ_FAILED.
const char *cbluez_reason(const struct cbluez *bluez);

#endif
