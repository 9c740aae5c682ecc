// Brings an adapter up, and opens the two sockets that watch it.

#include "adapter.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static enum cbluez_outcome outcome_of(int reason) {
    switch (reason) {
        // A kernel without Bluetooth has no adapter, and a service that may not use Bluetooth sockets has none either.
        case ENODEV: case ENXIO: case EAFNOSUPPORT: return CBLUEZ_ABSENT;
        case ERFKILL: return CBLUEZ_BLOCKED;
        case EPERM: case EACCES: return CBLUEZ_NOT_PERMITTED;
        case EBUSY: case EUSERS: return CBLUEZ_TAKEN;
        case ETIMEDOUT: return CBLUEZ_SILENT;
        case ENETDOWN: return CBLUEZ_DOWN;
        // A raw socket returns EPIPE once when its adapter is unregistered, and EBADFD from then on.
        case EPIPE: case EBADFD: return CBLUEZ_GONE;
        default: return CBLUEZ_FAILED;
    }
}

enum cbluez_outcome cbluez_failure(struct cbluez *bluez, int reason) {
    bluez->reason = reason;
    return outcome_of(reason);
}

enum cbluez_outcome cbluez_look_up(int adapter, struct cbluez_device *device) {
    struct hci_dev_info info;
    memset(&info, 0, sizeof info);
    if (hci_devinfo(adapter, &info) < 0) return outcome_of(errno);
    device->is_up = hci_test_bit(HCI_UP, &info.flags) != 0;
    device->has_low_energy = (info.features[4] & LMP_LE) != 0;
    memcpy(device->features, info.features, sizeof device->features);
    return CBLUEZ_DONE;
}

// Opens a non-blocking raw socket, bound to an adapter or to none, with a filter for these events; -1 on failure.
static int open_socket(int adapter, const int *events, size_t count) {
    struct hci_filter filter;
    const int fd = hci_open_dev(adapter);
    if (fd < 0) return -1;
    hci_filter_clear(&filter);
    hci_filter_set_ptype(HCI_EVENT_PKT, &filter);
    for (size_t index = 0; index < count; index++) hci_filter_set_event(events[index], &filter);
    if (setsockopt(fd, SOL_HCI, HCI_FILTER, &filter, sizeof filter) == 0
        && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0)
        return fd;
    const int reason = errno;
    hci_close_dev(fd);
    errno = reason;
    return -1;
}

// The kernel switches a new adapter off after two seconds unless a program brings it up, so we do so even if it is up
// already.
static bool bring_up(int fd, int adapter) {
    return ioctl(fd, HCIDEVUP, adapter) == 0 || errno == EALREADY;
}

static bool watch(int any_fd, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};
    return epoll_ctl(any_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

// A program with the user channel uses the adapter exclusively: the kernel accepts commands of others, but they have no effect.
// Any ioctl that needs a bound socket shows this, even one about a connection that does not exist.
static bool is_taken(int fd) {
    struct hci_auth_info_req request;
    memset(&request, 0, sizeof request);
    return ioctl(fd, HCIGETAUTHINFO, &request) < 0 && errno == EBUSY;
}

enum cbluez_outcome cbluez_open(struct cbluez *bluez) {
    static const int notices[] = {EVT_STACK_INTERNAL};
    static const int answers[] = {EVT_CMD_COMPLETE, EVT_CMD_STATUS, EVT_LE_META_EVENT};
    struct cbluez_device device = {.is_up = false};
    // We open the notices first, to notice when the adapter goes down. We open the packets last, so that we do not receive
    // answers to the kernel's own commands while it brings the adapter up.
    bluez->notices_fd = open_socket(HCI_DEV_NONE, notices, sizeof notices / sizeof *notices);
    if (bluez->notices_fd < 0) return cbluez_failure(bluez, errno);
    const int trouble = bring_up(bluez->notices_fd, bluez->adapter) ? 0 : errno;
    if (cbluez_look_up(bluez->adapter, &device) != CBLUEZ_DONE) return cbluez_failure(bluez, errno);
    if (!device.is_up && trouble == EPERM) return CBLUEZ_OFF;
    if (!device.is_up) return trouble != 0 ? cbluez_failure(bluez, trouble) : CBLUEZ_DOWN;
    bluez->hci_fd = open_socket(bluez->adapter, answers, sizeof answers / sizeof *answers);
    if (bluez->hci_fd < 0) return cbluez_failure(bluez, errno);
    if (is_taken(bluez->hci_fd)) return CBLUEZ_TAKEN;
    if (!device.has_low_energy) return CBLUEZ_NO_LOW_ENERGY;
    bluez->any_fd = epoll_create1(EPOLL_CLOEXEC);
    if (bluez->any_fd < 0 || !watch(bluez->any_fd, bluez->hci_fd) || !watch(bluez->any_fd, bluez->notices_fd))
        return cbluez_failure(bluez, errno);
    return CBLUEZ_DONE;
}

enum cbluez_outcome cbluez_examine(int adapter) {
    struct cbluez_device device = {.is_up = false};
    const enum cbluez_outcome outcome = cbluez_look_up(adapter, &device);
    if (outcome != CBLUEZ_DONE) return outcome;
    const int fd = hci_open_dev(adapter);
    if (fd < 0) return outcome_of(errno);
    const bool is_others = is_taken(fd);
    hci_close_dev(fd);
    if (is_others) return CBLUEZ_TAKEN;
    if (!device.is_up) return CBLUEZ_DOWN;
    return device.has_low_energy ? CBLUEZ_DONE : CBLUEZ_NO_LOW_ENERGY;
}
