// Packets to and from the adapter, and the kernel's notices about it.

#include "adapter.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

// The kernel's numbers (net/bluetooth/hci.h); the library's headers omit them.
enum { ADAPTER_UNREGISTERED = 2, ADAPTER_DOWN = 4 };

// Notices about all adapters arrive here; those that matter report that this adapter is down or gone.
static enum cbluez_outcome notice(struct cbluez *bluez, const uint8_t *packet, size_t length) {
    const size_t head = 1 + HCI_EVENT_HDR_SIZE;
    evt_stack_internal internal;
    evt_si_device device;
    if (length < head + sizeof internal + sizeof device || packet[1] != EVT_STACK_INTERNAL) return CBLUEZ_NOTHING_YET;
    memcpy(&internal, packet + head, sizeof internal);
    memcpy(&device, packet + head + sizeof internal, sizeof device);
    if (internal.type != EVT_SI_DEVICE || device.dev_id != bluez->adapter) return CBLUEZ_NOTHING_YET;
    if (device.event == ADAPTER_UNREGISTERED) return CBLUEZ_GONE;
    return device.event == ADAPTER_DOWN ? CBLUEZ_DOWN : CBLUEZ_NOTHING_YET;
}

static enum cbluez_outcome receive(struct cbluez *bluez, int fd, uint8_t *packet, size_t *length) {
    ssize_t count;
    do count = recv(fd, packet, CBLUEZ_LONGEST_EVENT, MSG_DONTWAIT); while (count < 0 && errno == EINTR);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return CBLUEZ_NOTHING_YET;
    if (count < 0) return cbluez_failure(bluez, errno);
    // The kernel closes its end of a socket when the adapter is gone.
    if (count == 0) return CBLUEZ_GONE;
    *length = (size_t)count;
    return CBLUEZ_DONE;
}

enum cbluez_outcome cbluez_read(struct cbluez *bluez, uint8_t *packet, size_t *length) {
    enum cbluez_outcome outcome;
    while ((outcome = receive(bluez, bluez->notices_fd, packet, length)) == CBLUEZ_DONE) {
        outcome = notice(bluez, packet, *length);
        if (outcome != CBLUEZ_NOTHING_YET) return outcome;
    }
    return outcome == CBLUEZ_NOTHING_YET ? receive(bluez, bluez->hci_fd, packet, length) : outcome;
}

enum cbluez_outcome cbluez_send(struct cbluez *bluez, const uint8_t *packet, size_t length) {
    ssize_t count;
    // We do not use hci_send_cmd, because it loops while a non-blocking socket is full.
    do count = send(bluez->hci_fd, packet, length, MSG_DONTWAIT | MSG_NOSIGNAL); while (count < 0 && errno == EINTR);
    return count < 0 ? cbluez_failure(bluez, errno) : CBLUEZ_DONE;
}
