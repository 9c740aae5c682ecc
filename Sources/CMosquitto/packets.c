/* Checking a broker's packets before the library reads them.
 *
 * The library (2.0.11) ends the program at a property that it does not know, and it takes the lengths of properties for granted.
 * This check therefore knows the form of each packet that a broker may send to us (MQTT 5.0 and 3.1.1, chapters 2 and 3). The
 * library itself reports what else can be wrong, for example the UTF-8 of a topic. */

#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONNACK = 2, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP, SUBACK = 9, UNSUBACK = 11, PINGRESP = 13, DISCONNECT };
enum form { BYTE = 1, WORD = 2, NUMBER = 4, VARIABLE, BINARY, PAIR };

#define IN(kind) (1 << (kind))

/* MQTT 5.0, table 2-4: the properties that a broker may send, their forms, and the packets that may contain them. */
static const struct { uint8_t identifier; enum form form; int packets; } properties[] = {
    { 0x01, BYTE, IN(PUBLISH) }, { 0x02, NUMBER, IN(PUBLISH) }, { 0x03, BINARY, IN(PUBLISH) },
    { 0x08, BINARY, IN(PUBLISH) }, { 0x09, BINARY, IN(PUBLISH) }, { 0x0B, VARIABLE, IN(PUBLISH) },
    { 0x11, NUMBER, IN(CONNACK) }, { 0x12, BINARY, IN(CONNACK) }, { 0x13, WORD, IN(CONNACK) },
    { 0x15, BINARY, IN(CONNACK) }, { 0x16, BINARY, IN(CONNACK) }, { 0x1A, BINARY, IN(CONNACK) },
    { 0x1C, BINARY, IN(CONNACK) | IN(DISCONNECT) },
    { 0x1F, BINARY, IN(CONNACK) | IN(PUBACK) | IN(PUBREL) | IN(SUBACK) | IN(DISCONNECT) },
    { 0x21, WORD, IN(CONNACK) }, { 0x22, WORD, IN(CONNACK) }, { 0x23, WORD, IN(PUBLISH) },
    { 0x24, BYTE, IN(CONNACK) }, { 0x25, BYTE, IN(CONNACK) },
    { 0x26, PAIR, IN(CONNACK) | IN(PUBLISH) | IN(PUBACK) | IN(PUBREL) | IN(SUBACK) | IN(DISCONNECT) },
    { 0x27, NUMBER, IN(CONNACK) }, { 0x28, BYTE, IN(CONNACK) }, { 0x29, BYTE, IN(CONNACK) }, { 0x2A, BYTE, IN(CONNACK) },
};

static const char *const names[16] = {
    [CONNACK] = "CONNACK", [PUBLISH] = "PUBLISH", [PUBACK] = "PUBACK", [PUBREC] = "PUBREC", [PUBREL] = "PUBREL",
    [PUBCOMP] = "PUBCOMP", [SUBACK] = "SUBACK", [UNSUBACK] = "UNSUBACK", [PINGRESP] = "PINGRESP",
    [DISCONNECT] = "DISCONNECT", [15] = "AUTH",
};

/* The bytes of a packet that are not read yet. A read beyond the end sets `is_short`, and returns 0. */
struct rest {
    const uint8_t *at, *end;
    bool is_short;
};

static void skip(struct rest *rest, size_t count) {
    if (count > (size_t)(rest->end - rest->at)) rest->is_short = true;
    rest->at = rest->is_short ? rest->end : rest->at + count;
}

static unsigned read_byte(struct rest *rest) {
    const uint8_t *at = rest->at;
    skip(rest, 1);
    return rest->is_short ? 0 : at[0];
}

static unsigned read_word(struct rest *rest) {
    const unsigned high = read_byte(rest);
    return high << 8 | read_byte(rest);
}

/* Reads a number of one to four bytes (MQTT 5.0, section 1.5.5). */
static size_t read_variable(struct rest *rest) {
    size_t number = 0;
    for (int shift = 0; shift < 28; shift += 7) {
        const unsigned byte = read_byte(rest);
        number |= (size_t)(byte & 127) << shift;
        if (byte < 128) return number;
    }
    rest->is_short = true;
    return 0;
}

static void skip_value(struct rest *rest, enum form form) {
    switch (form) {
    case BYTE: case WORD: case NUMBER: skip(rest, form); break;
    case VARIABLE: read_variable(rest); break;
    case PAIR: skip(rest, read_word(rest)); /* and a second text */ /* fall through */
    case BINARY: skip(rest, read_word(rest)); break;
    }
}

static bool reject(struct cmosquitto_session *session, const char *format, int kind, unsigned identifier) {
    session->is_nonsense = true;
    snprintf(session->words, sizeof session->words, format, names[kind], identifier);
    return false;
}

/* Reads the properties of a packet; returns false at one that the packet may not contain. */
static bool skip_properties(struct cmosquitto_session *session, struct rest *rest, int kind) {
    const size_t length = read_variable(rest);
    struct rest inner = *rest;
    skip(rest, length);
    if (rest->is_short) return true;
    inner.end = rest->at;
    while (inner.at < inner.end && !inner.is_short) {
        const unsigned identifier = read_byte(&inner);
        size_t row = 0;
        while (row < sizeof properties / sizeof properties[0] && properties[row].identifier != identifier) row += 1;
        if (row == sizeof properties / sizeof properties[0] || (properties[row].packets & IN(kind)) == 0)
            return reject(session, "the broker sends a %s with property 0x%02X, which MQTT 5 does not allow", kind, identifier);
        skip_value(&inner, properties[row].form);
    }
    rest->is_short = inner.is_short;
    return true;
}

/* Returns whether the broker may send a packet with this first byte now. */
static bool is_expected(const struct cmosquitto_session *session, uint8_t head) {
    const int kind = head >> 4;
    if (!session->is_greeted) return head == CONNACK << 4;
    switch (kind) {
    case PUBLISH: return (head & 6) != 6;
    case PUBREL: return (head & 15) == 2;
    case DISCONNECT: return (head & 15) == 0 && session->is_v5;
    case PUBACK: case SUBACK: case PINGRESP: return (head & 15) == 0;
    default: return false;
    }
}

/* Returns whether a whole packet has the form that its kind must have. */
static bool is_sound(struct cmosquitto_session *session, uint8_t head, struct rest rest) {
    const int kind = head >> 4;
    const size_t length = (size_t)(rest.end - rest.at);
    const bool is_v5 = session->is_v5;
    bool is_allowed = true, ends = true;
    unsigned number = 1;
    switch (kind) {
    case CONNACK:
        /* A broker of another version answers in its own form. */
        session->is_former = is_v5 && length == 2;
        skip(&rest, 2);
        if (is_v5 && length > 2) is_allowed = skip_properties(session, &rest, kind);
        if (session->is_former) return false;
        break;
    case PUBLISH:
        skip(&rest, read_word(&rest));
        if ((head & 6) != 0) number = read_word(&rest);
        if (is_v5) is_allowed = skip_properties(session, &rest, kind);
        ends = false;
        break;
    case PUBACK:
    case PUBREL:
        number = read_word(&rest);
        if (is_v5 && length > 2) skip(&rest, 1);
        if (is_v5 && length > 3) is_allowed = skip_properties(session, &rest, kind);
        break;
    case SUBACK:
        number = read_word(&rest);
        if (is_v5) is_allowed = skip_properties(session, &rest, kind);
        skip(&rest, 1); /* one result for each topic */
        ends = false;
        break;
    case DISCONNECT:
        if (length > 0) skip(&rest, 1);
        if (length > 1) is_allowed = skip_properties(session, &rest, kind);
        break;
    default: break;
    }
    return is_allowed && !rest.is_short && number != 0 && (!ends || rest.at == rest.end);
}

/* Appends bytes to the packet; returns false if the memory is full. */
static bool append(struct packet *packet, const uint8_t *bytes, size_t count) {
    if (packet->length + count > packet->capacity) {
        const size_t capacity = 2 * (packet->length + count);
        uint8_t *larger = realloc(packet->bytes, capacity);
        if (larger == NULL) return false;
        packet->bytes = larger;
        packet->capacity = capacity;
    }
    memcpy(packet->bytes + packet->length, bytes, count);
    packet->length += count;
    return true;
}

/* Returns how many bytes are missing until the packet's length is known, or else until the packet is whole;
 * SIZE_MAX if the length is wrong. */
static size_t missing(const struct packet *packet, struct rest *body) {
    if (packet->length < 2) return 2 - packet->length;
    *body = (struct rest){ packet->bytes + 1, packet->bytes + packet->length, false };
    const size_t length = read_variable(body);
    if (body->is_short) return packet->length < 5 ? 1 : SIZE_MAX;
    return length - (size_t)(body->end - body->at);
}

void cmosquitto_forget_packet(struct packet *packet) {
    free(packet->bytes);
    *packet = (struct packet){ NULL, 0, 0 };
}

bool cmosquitto_check_packets(struct cmosquitto_session *session, const uint8_t *bytes, size_t count) {
    struct packet *packet = &session->packet;
    while (count > 0) {
        struct rest body = { NULL, NULL, true };
        size_t step = missing(packet, &body);
        if (step > count) step = count;
        if (!append(packet, bytes, step)) return cmosquitto_check(session, MOSQ_ERR_NOMEM);
        bytes += step;
        count -= step;
        const uint8_t head = packet->bytes[0];
        const size_t rest = missing(packet, &body);
        if (!body.is_short && (int64_t)rest > session->allowance_limit) return cmosquitto_is_too_much(session);
        if (!is_expected(session, head)) {
            const bool is_packet = names[head >> 4] != NULL;
            return reject(session, is_packet ? "the broker sends a packet that MQTT does not allow here (%s)"
                : "the broker sends bytes that are not MQTT", head >> 4, 0);
        }
        if (rest > 0 && rest < SIZE_MAX) continue;
        if (rest == SIZE_MAX || !is_sound(session, head, body))
            return !session->is_nonsense && reject(session, "the broker sends a malformed %s", head >> 4, 0);
        session->is_greeted = true;
        session->awaits_answer = false;
        cmosquitto_forget_packet(packet);
    }
    return true;
}
