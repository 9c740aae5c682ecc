// The life cycle of a handle: opened on a thread, handed over, closed.

#define _GNU_SOURCE  // pipe2, strerrordesc_np

#include "adapter.h"

#include <CLinux.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The thread needs a socket, an ioctl and some structs on the stack; the default stack of 8 MiB is too large for a Pi Zero.
static const size_t stack_size = 128 * 1024;

static void close_if_open(int fd) {
    if (fd >= 0) close(fd);
}

static void release(struct cbluez *bluez) {
    close_if_open(bluez->any_fd);
    close_if_open(bluez->notices_fd);
    close_if_open(bluez->hci_fd);
    close_if_open(bluez->done_fd);
    free(bluez);
}

// To bring an adapter up, the kernel loads its firmware and waits up to ten seconds for a silent chip. A thread therefore does
// this, and the loop waits for a pipe. The thread owns the writing end of the pipe, and uses only this end after it has
// handed over the handle.
static void *open_in_background(void *argument) {
    struct cbluez *bluez = argument;
    const int tell_fd = bluez->tell_fd;
    bluez->result = cbluez_open(bluez);
    if (atomic_exchange(&bluez->owner, CBLUEZ_OWNED_BY_LOOP) == CBLUEZ_ABANDONED) release(bluez);
    while (write(tell_fd, "", 1) < 0 && errno == EINTR) {}
    close(tell_fd);
    return NULL;
}

struct cbluez *cbluez_create(int adapter) {
    struct cbluez *bluez = calloc(1, sizeof *bluez);
    int ends[2] = {-1, -1};
    if (bluez == NULL) return NULL;
    bluez->adapter = adapter;
    bluez->done_fd = bluez->hci_fd = bluez->notices_fd = bluez->any_fd = -1;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
        bluez->done_fd = ends[0];
        bluez->tell_fd = ends[1];
        if (clinux_thread_start(open_in_background, bluez, stack_size)) return bluez;
        close(ends[1]);
    }
    release(bluez);
    return NULL;
}

void cbluez_destroy(struct cbluez *bluez) {
    if (atomic_exchange(&bluez->owner, CBLUEZ_ABANDONED) == CBLUEZ_OWNED_BY_LOOP) release(bluez);
}

int cbluez_fd(const struct cbluez *bluez) { return bluez->is_taken_over ? bluez->any_fd : bluez->done_fd; }

enum cbluez_outcome cbluez_take_over(struct cbluez *bluez) {
    if (atomic_load(&bluez->owner) != CBLUEZ_OWNED_BY_LOOP) return CBLUEZ_NOTHING_YET;
    bluez->is_taken_over = bluez->result == CBLUEZ_DONE;
    return bluez->result;
}

const char *cbluez_reason(const struct cbluez *bluez) {
    const char *text = strerrordesc_np(bluez->reason);
    return text == NULL ? "unknown error" : text;
}
