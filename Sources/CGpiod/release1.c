// libgpiod 1.6: lines are objects of their chip, which stays open while they are in use.

#include "line.h"

#if CGPIOD_RELEASE == 1

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct cgpiod_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
    bool is_watched;
};

void cgpiod_copy_label(struct gpiod_chip *chip, char *label, size_t size) {
    snprintf(label, size, "%s", gpiod_chip_label(chip));
}

int cgpiod_find_offset(struct gpiod_chip *chip, const char *name) {
    struct gpiod_line *line = gpiod_chip_find_line(chip, name);
    return line == NULL ? -1 : (int)gpiod_line_offset(line);
}

static void copy(char *target, size_t size, const char *text) { snprintf(target, size, "%s", text == NULL ? "" : text); }

bool cgpiod_read_state(struct gpiod_chip *chip, unsigned offset, struct cgpiod_state *state) {
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (line == NULL) return false;
    state->is_used = gpiod_line_is_used(line);
    copy(state->name, sizeof state->name, gpiod_line_name(line));
    copy(state->consumer, sizeof state->consumer, state->is_used ? gpiod_line_consumer(line) : NULL);
    return true;
}

static int flags(const struct cgpiod_request *request) {
    const int level = request->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    switch (request->bias) {
    case CGPIOD_BIAS_PULL_UP: return level | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return level | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    case CGPIOD_BIAS_AS_IS: break;
    }
    return level;
}

static int request_type(enum cgpiod_role role) {
    switch (role) {
    case CGPIOD_WATCHED: return GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES;
    case CGPIOD_RELEASED: return GPIOD_LINE_REQUEST_DIRECTION_INPUT;
    case CGPIOD_DRIVEN_INACTIVE:
    case CGPIOD_DRIVEN_ACTIVE: break;
    }
    return GPIOD_LINE_REQUEST_DIRECTION_OUTPUT;
}

struct cgpiod_line *cgpiod_take_line(
    struct gpiod_chip *chip, unsigned offset, const struct cgpiod_request *request, enum cgpiod_role role) {
    const struct gpiod_line_request_config config = {
        .consumer = CGPIOD_CONSUMER,
        .request_type = request_type(role),
        .flags = flags(request),
    };
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (line == NULL || gpiod_line_request(line, &config, role == CGPIOD_DRIVEN_ACTIVE) != 0) return NULL;
    struct cgpiod_line *held = calloc(1, sizeof *held);
    if (held == NULL) {
        gpiod_line_release(line);
        errno = ENOMEM;
        return NULL;
    }
    *held = (struct cgpiod_line){ .chip = chip, .line = line, .is_watched = role == CGPIOD_WATCHED };
    return held;
}

void cgpiod_release(struct cgpiod_line *held) {
    gpiod_line_release(held->line);
    gpiod_chip_close(held->chip);
    free(held);
}

bool cgpiod_set(struct cgpiod_line *held, enum cgpiod_drive drive) {
    const bool is_active = drive == CGPIOD_ACTIVE;
    return (drive == CGPIOD_FLOATING ? gpiod_line_set_direction_input(held->line)
                                     : gpiod_line_set_direction_output(held->line, is_active)) == 0;
}

int cgpiod_level(struct cgpiod_line *held) { return gpiod_line_get_value(held->line); }

int cgpiod_fd(struct cgpiod_line *held) { return held->is_watched ? gpiod_line_event_get_fd(held->line) : -1; }

int cgpiod_read_edge(struct cgpiod_line *held, struct cgpiod_edge *edge) {
    struct gpiod_line_event event;
    if (!held->is_watched || !cgpiod_is_readable(cgpiod_fd(held))) return 0;
    if (gpiod_line_event_read(held->line, &event) != 0) return -1;
    edge->is_active = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    edge->since_boot_ns = cgpiod_since_boot_ns(event.ts.tv_sec * INT64_C(1000000000) + event.ts.tv_nsec);
    return 1;
}

#endif
