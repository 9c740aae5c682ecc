// Finds the chip by its label and the line on it, and reports precisely why a line cannot be used.

#define _GNU_SOURCE  // versionsort

#include "line.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_chip(const struct dirent *entry) { return strncmp(entry->d_name, "gpiochip", 8) == 0; }

static void copy(char *target, size_t size, const char *text) { snprintf(target, size, "%s", text); }

static void add_line(char *lines, size_t size, const char *text) {
    const size_t length = strlen(lines);
    snprintf(lines + length, size - length, "%s%s", length == 0 ? "" : "\n", text);
}

static struct cgpiod_line *fail(struct cgpiod_failure *failure, enum cgpiod_problem problem, int code) {
    failure->problem = problem;
    failure->code = code;
    return NULL;
}

// Opens the chip if it has the label. libgpiod 1.6 stops its own search at the first chip that may not be opened.
static struct gpiod_chip *try_chip(const char *path, const char *wanted, struct cgpiod_failure *failure) {
    char label[64] = "";
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (chip == NULL) {
        if (errno == EACCES || errno == EPERM) {
            copy(failure->path, sizeof failure->path, path);
            fail(failure, CGPIOD_FORBIDDEN, errno);
        }
        return NULL;
    }
    cgpiod_copy_label(chip, label, sizeof label);
    if (strcmp(label, wanted) == 0) {
        copy(failure->path, sizeof failure->path, path);
        return chip;
    }
    add_line(failure->chips, sizeof failure->chips, label);
    gpiod_chip_close(chip);
    return NULL;
}

static struct gpiod_chip *open_chip(const char *label, struct cgpiod_failure *failure) {
    struct dirent **entries = NULL;
    struct gpiod_chip *chip = NULL;
    const int count = scandir("/dev", &entries, is_chip, versionsort);
    for (int index = 0; index < count; index++) {
        char path[sizeof "/dev/" + sizeof entries[index]->d_name];
        snprintf(path, sizeof path, "/dev/%s", entries[index]->d_name);
        if (chip == NULL) chip = try_chip(path, label, failure);
        free(entries[index]);
    }
    free(entries);
    return chip;
}

static enum cgpiod_problem problem_of(int code, enum cgpiod_role role) {
    switch (code) {
    case EBUSY: return CGPIOD_BUSY;
    case EACCES:
    case EPERM: return CGPIOD_FORBIDDEN;
    // Neither direction nor level can cause these errors: the line has no interrupt.
    case ENODEV:
    case ENXIO: return role == CGPIOD_WATCHED ? CGPIOD_NO_EDGES : CGPIOD_REFUSED;
    default: return CGPIOD_REFUSED;
    }
}

// Finds the line on its chip and stores what is known about the line; returns false if the chip has no such line.
static bool find(
    struct gpiod_chip *chip, const struct cgpiod_request *request, struct cgpiod_state *state, struct cgpiod_failure *failure) {
    const int offset = request->name != NULL ? cgpiod_find_offset(chip, request->name) : (int)request->offset;
    if (offset < 0 || !cgpiod_read_state(chip, (unsigned)offset, state)) {
        fail(failure, CGPIOD_NO_LINE, ENOENT);
        return false;
    }
    failure->offset = (unsigned)offset;
    copy(failure->consumer, sizeof failure->consumer, state->consumer);
    return true;
}

static struct cgpiod_line *take_on(
    struct gpiod_chip *chip, const struct cgpiod_request *request, enum cgpiod_role role, struct cgpiod_failure *failure) {
    struct cgpiod_state state;
    if (!find(chip, request, &state, failure)) return NULL;
    struct cgpiod_line *line = cgpiod_take_line(chip, failure->offset, request, role);
    return line != NULL ? line : fail(failure, problem_of(errno, role), errno);
}

static struct cgpiod_line *take(
    const struct cgpiod_request *request, enum cgpiod_role role, struct cgpiod_failure *failure) {
    *failure = (struct cgpiod_failure){ .problem = CGPIOD_NO_CHIP, .code = ENOENT };
    struct gpiod_chip *chip = open_chip(request->label, failure);
    if (chip == NULL) return NULL;
    struct cgpiod_line *line = take_on(chip, request, role, failure);
    if (line == NULL) gpiod_chip_close(chip);
    return line;
}

struct cgpiod_line *cgpiod_take_output(
    const struct cgpiod_request *request, enum cgpiod_drive drive, struct cgpiod_failure *failure) {
    return take(request, (enum cgpiod_role)drive, failure);
}

struct cgpiod_line *cgpiod_take_input(const struct cgpiod_request *request, struct cgpiod_failure *failure) {
    return take(request, CGPIOD_WATCHED, failure);
}

static void list_names(struct gpiod_chip *chip, char *names, size_t size) {
    struct cgpiod_state state;
    for (unsigned offset = 0; cgpiod_read_state(chip, offset, &state); offset++) {
        if (state.name[0] != '\0') add_line(names, size, state.name);
    }
}

bool cgpiod_examine(const struct cgpiod_request *request, struct cgpiod_failure *failure, char *names, size_t size) {
    *failure = (struct cgpiod_failure){ .problem = CGPIOD_NO_CHIP, .code = ENOENT };
    names[0] = '\0';
    struct gpiod_chip *chip = open_chip(request->label, failure);
    if (chip == NULL) return false;
    struct cgpiod_state state = { .is_used = false };
    const bool is_there = find(chip, request, &state, failure);
    if (!is_there) list_names(chip, names, size);
    gpiod_chip_close(chip);
    if (state.is_used) fail(failure, CGPIOD_BUSY, EBUSY);
    return is_there && !state.is_used;
}
