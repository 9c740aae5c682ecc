// Makes operations on a folder fail, in a program that loads this library (LD_PRELOAD).
//
// DISK_FAULT_FOLDER  the folder; operations that change files in it are counted from 1
// DISK_FAULT_AT      the number of the operation that fails; 0 or unset for none
// DISK_FAULT_COUNT   how many operations fail from that number on; 1 if unset
// DISK_FAULT_ERROR   the errno of a failing operation (5 EIO, 28 ENOSPC, 30 EROFS), or `kill` to end the program in its place
// DISK_FAULT_SWITCH  a file: while it exists all operations fail with the errno that it contains, or wait if it contains `hang`
// DISK_FAULT_UNREADABLE  a file: while it exists, each read of one byte fails; it contains the file's inode number and the offset
// DISK_FAULT_TOTAL   a file that receives the number of operations when the program ends
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long count;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static bool is_inside(const char *path) {
    const char *folder = getenv("DISK_FAULT_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    return length > 0 && path && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static bool is_inside_fd(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = 0;
    return is_inside(path);
}

// Returns whether this operation fails, with the reason in errno.
static bool fails(void) {
    const char *file = getenv("DISK_FAULT_SWITCH");
    while (file && access(file, F_OK) == 0) {
        char text[16] = "";
        FILE *stream = fopen(file, "r");
        if (!stream) break;
        if (!fgets(text, sizeof text, stream)) text[0] = 0;
        fclose(stream);
        if (strncmp(text, "hang", 4) == 0) {
            usleep(20000);
            continue;
        }
        errno = atoi(text) > 0 ? atoi(text) : EIO;
        return true;
    }
    long mine = atomic_fetch_add(&count, 1) + 1, first = number("DISK_FAULT_AT", 0);
    if (first <= 0 || mine < first || mine >= first + number("DISK_FAULT_COUNT", 1)) return false;
    const char *error = getenv("DISK_FAULT_ERROR");
    if (error && strcmp(error, "kill") == 0) raise(SIGKILL);
    errno = error ? atoi(error) : EIO;
    return true;
}

__attribute__((destructor)) static void report(void) {
    const char *file = getenv("DISK_FAULT_TOTAL");
    FILE *stream = file ? fopen(file, "w") : NULL;
    if (!stream) return;
    fprintf(stream, "%ld\n", atomic_load(&count));
    fclose(stream);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (flags & (O_CREAT | O_RDWR | O_WRONLY) && is_inside(path) && fails()) return -1; \
        return REAL(name)(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define WRITE_AT(name, type) \
    ssize_t name(int fd, const void *bytes, size_t length, type offset) { \
        if (is_inside_fd(fd) && fails()) { \
            /* A full disk accepts only a part of the bytes. */ \
            if (errno == ENOSPC && length > 1) { \
                REAL(name)(fd, bytes, length / 2, offset); \
                errno = ENOSPC; \
            } \
            return -1; \
        } \
        return REAL(name)(fd, bytes, length, offset); \
    }
WRITE_AT(pwrite, off_t)
WRITE_AT(pwrite64, off64_t)

// Returns whether a read touches the byte that cannot be read.
static bool is_unreadable(int fd, size_t length, long long offset) {
    const char *file = getenv("DISK_FAULT_UNREADABLE");
    FILE *stream = file ? fopen(file, "r") : NULL;
    if (!stream) return false;
    long long inode = 0, place = 0;
    bool is_set = fscanf(stream, "%lld %lld", &inode, &place) == 2;
    fclose(stream);
    struct stat entry;
    return is_set && fstat(fd, &entry) == 0 && (long long)entry.st_ino == inode && offset <= place &&
        place < offset + (long long)length;
}

#define READ_AT(name, type) \
    ssize_t name(int fd, void *bytes, size_t length, type offset) { \
        if (is_unreadable(fd, length, offset)) { \
            errno = EIO; \
            return -1; \
        } \
        return REAL(name)(fd, bytes, length, offset); \
    }
READ_AT(pread, off_t)
READ_AT(pread64, off64_t)

#define ON_FILE(name, parameters, arguments) \
    int name parameters { return is_inside_fd(fd) && fails() ? -1 : REAL(name) arguments; }
ON_FILE(fsync, (int fd), (fd))
ON_FILE(fdatasync, (int fd), (fd))
ON_FILE(ftruncate, (int fd, off_t length), (fd, length))
ON_FILE(ftruncate64, (int fd, off64_t length), (fd, length))

#define ON_PATH(name, parameters, arguments) \
    int name parameters { return is_inside(path) && fails() ? -1 : REAL(name) arguments; }
ON_PATH(unlink, (const char *path), (path))
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode))
ON_PATH(rename, (const char *path, const char *other), (path, other))
