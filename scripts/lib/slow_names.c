// Resolves one name to 127.0.0.1, and hangs at a later resolution, in a program that loads this library (LD_PRELOAD).
//
// SLOW_NAMES_HOST    the name
// SLOW_NAMES_FROM    the number of the first resolution that hangs, counted from 1
// SLOW_NAMES_SWITCH  a file: such a resolution waits while this file exists, and continues after that
// SLOW_NAMES_NOTES   a file that receives a line at the beginning of each resolution that hangs
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int count;

typedef int resolver(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    resolver *real = (resolver *)dlsym(RTLD_NEXT, "getaddrinfo");
    const char *host = getenv("SLOW_NAMES_HOST"), *from = getenv("SLOW_NAMES_FROM");
    const char *wait = getenv("SLOW_NAMES_SWITCH"), *notes = getenv("SLOW_NAMES_NOTES");
    if (!node || !host || strcmp(node, host) != 0) return real(node, service, hints, found);
    if (from && wait && notes && atomic_fetch_add(&count, 1) + 1 >= atoi(from) && access(wait, F_OK) == 0) {
        FILE *stream = fopen(notes, "a");
        if (stream) {
            fputs("hangs\n", stream);
            fclose(stream);
        }
        while (access(wait, F_OK) == 0) usleep(20000);
    }
    return real("127.0.0.1", service, hints, found);
}
