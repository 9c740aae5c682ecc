// libgpiod 2.x: a request is independent of its chip and is configured by settings.

#include "line.h"

#if CGPIOD_RELEASE == 2

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

// The kernel's buffer for one line (linux/gpio.h: 16 edges), read at once.
enum { EDGES = 16 };

struct cgpiod_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *edges;      // of an input
    size_t next_edge;
    size_t edge_count;
    unsigned offset;
    bool is_active_low;
    enum cgpiod_bias bias;
};

void cgpiod_copy_label(struct gpiod_chip *chip, char *label, size_t size) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    snprintf(label, size, "%s", info == NULL ? "" : gpiod_chip_info_get_label(info));
    if (info != NULL) gpiod_chip_info_free(info);
}

int cgpiod_find_offset(struct gpiod_chip *chip, const char *name) {
    return gpiod_chip_get_line_offset_from_name(chip, name);
}

static void copy(char *target, size_t size, const char *text) { snprintf(target, size, "%s", text == NULL ? "" : text); }

bool cgpiod_read_state(struct gpiod_chip *chip, unsigned offset, struct cgpiod_state *state) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (info == NULL) return false;
    state->is_used = gpiod_line_info_is_used(info);
    copy(state->name, sizeof state->name, gpiod_line_info_get_name(info));
    copy(state->consumer, sizeof state->consumer, state->is_used ? gpiod_line_info_get_consumer(info) : NULL);
    gpiod_line_info_free(info);
    return true;
}

static enum gpiod_line_bias bias_of(enum cgpiod_bias bias) {
    switch (bias) {
    case CGPIOD_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    case CGPIOD_BIAS_AS_IS: break;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

static struct gpiod_line_config *configure(const struct cgpiod_line *held, enum cgpiod_role role) {
    const bool is_output = role == CGPIOD_DRIVEN_ACTIVE || role == CGPIOD_DRIVEN_INACTIVE;
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *config = gpiod_line_config_new();
    int failures = settings == NULL || config == NULL;
    if (failures == 0) {
        const enum gpiod_line_value value = role == CGPIOD_DRIVEN_ACTIVE ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
        gpiod_line_settings_set_active_low(settings, held->is_active_low);
        failures += gpiod_line_settings_set_bias(settings, bias_of(held->bias)) != 0;
        failures += gpiod_line_settings_set_direction(
            settings, is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT) != 0;
        if (is_output) failures += gpiod_line_settings_set_output_value(settings, value) != 0;
        if (role == CGPIOD_WATCHED) {
            failures += gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) != 0;
        }
        failures += gpiod_line_config_add_line_settings(config, &held->offset, 1, settings) != 0;
    }
    if (settings != NULL) gpiod_line_settings_free(settings);
    if (failures == 0) return config;
    if (config != NULL) gpiod_line_config_free(config);
    errno = ENOMEM;
    return NULL;
}

static struct gpiod_line_request *request_line(
    struct gpiod_chip *chip, const struct cgpiod_line *held, enum cgpiod_role role) {
    struct gpiod_request_config *who = gpiod_request_config_new();
    struct gpiod_line_config *config = configure(held, role);
    struct gpiod_line_request *request = NULL;
    if (who != NULL && config != NULL) {
        gpiod_request_config_set_consumer(who, CGPIOD_CONSUMER);
        request = gpiod_chip_request_lines(chip, who, config);
    }
    const int reason = errno;
    if (who != NULL) gpiod_request_config_free(who);
    if (config != NULL) gpiod_line_config_free(config);
    errno = reason;
    return request;
}

struct cgpiod_line *cgpiod_take_line(
    struct gpiod_chip *chip, unsigned offset, const struct cgpiod_request *request, enum cgpiod_role role) {
    struct cgpiod_line *held = calloc(1, sizeof *held);
    if (held == NULL) return NULL;
    *held = (struct cgpiod_line){ .offset = offset, .is_active_low = request->is_active_low, .bias = request->bias };
    if (role == CGPIOD_WATCHED) held->edges = gpiod_edge_event_buffer_new(EDGES);
    if (role != CGPIOD_WATCHED || held->edges != NULL) held->request = request_line(chip, held, role);
    if (held->request != NULL) {
        gpiod_chip_close(chip);
        return held;
    }
    const int reason = errno;
    if (held->edges != NULL) gpiod_edge_event_buffer_free(held->edges);
    free(held);
    errno = reason;
    return NULL;
}

void cgpiod_release(struct cgpiod_line *held) {
    gpiod_line_request_release(held->request);
    if (held->edges != NULL) gpiod_edge_event_buffer_free(held->edges);
    free(held);
}

bool cgpiod_set(struct cgpiod_line *held, enum cgpiod_drive drive) {
    struct gpiod_line_config *config = configure(held, (enum cgpiod_role)drive);
    if (config == NULL) return false;
    const bool is_done = gpiod_line_request_reconfigure_lines(held->request, config) == 0;
    const int reason = errno;
    gpiod_line_config_free(config);
    errno = reason;
    return is_done;
}

int cgpiod_level(struct cgpiod_line *held) { return gpiod_line_request_get_value(held->request, held->offset); }

int cgpiod_fd(struct cgpiod_line *held) {
    return held->edges == NULL ? -1 : gpiod_line_request_get_fd(held->request);
}

static int fill(struct cgpiod_line *held) {
    const int count = gpiod_line_request_read_edge_events(held->request, held->edges, EDGES);
    held->next_edge = 0;
    held->edge_count = count < 0 ? 0 : (size_t)count;
    return count;
}

int cgpiod_read_edge(struct cgpiod_line *held, struct cgpiod_edge *edge) {
    if (held->edges == NULL) return 0;
    if (held->next_edge >= held->edge_count) {
        if (!cgpiod_is_readable(cgpiod_fd(held))) return 0;
        const int count = fill(held);
        if (count <= 0) return count;
    }
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(held->edges, held->next_edge++);
    edge->is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    edge->since_boot_ns = cgpiod_since_boot_ns((int64_t)gpiod_edge_event_get_timestamp_ns(event));
    return 1;
}

#endif
