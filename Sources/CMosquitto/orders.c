/* The messages on the topic of orders. */

#include "session.h"

#include <stdlib.h>
#include <string.h>

/* A session that listens for orders must also bear messages that are too long for an order, because orders that follow on the
 * same connection would be lost if we closed it. It therefore has a larger allowance, and each whole message on the topic of
 * orders gives its bytes back. The credit for orders limits these bytes, and each ping increases the credit. */
#define LISTENING_LIMIT (2 * 1024 * 1024)
#define ORDER_CREDIT_LIMIT (16 * 1024 * 1024)
#define ORDER_CREDIT_PER_PING (4 * 1024 * 1024)

/* Gives the bytes of a message on the topic of orders back to the allowance. The bytes on the wire are somewhat more than the
 * payload, because of the headers and of TLS. */
static void grant_order(struct cmosquitto_session *session, const struct mosquitto_message *message) {
    const int64_t length = message->payloadlen;
    int64_t bytes = length + length / 32 + (int64_t)strlen(message->topic) + 256;
    if (bytes > session->order_credit) bytes = session->order_credit;
    session->order_credit -= bytes;
    session->allowance += bytes;
    if (session->allowance > session->allowance_limit) session->allowance = session->allowance_limit;
}

void cmosquitto_keep_order(struct cmosquitto_session *session, const struct mosquitto_message *message) {
    const int length = message->payloadlen;
    uint8_t *bytes = NULL;
    grant_order(session, message);
    if (!message->retain && length > 0 && length <= CMOSQUITTO_LONGEST_ORDER && session->order_count < ORDER_CAPACITY)
        bytes = malloc((size_t)length);
    if (bytes == NULL) {
        /* An empty retained message only removes an earlier one. */
        if (length > CMOSQUITTO_LONGEST_ORDER) session->oversized_count += 1;
        else if (length > 0) session->dropped_count += 1;
        return;
    }
    memcpy(bytes, message->payload, (size_t)length);
    session->orders[session->order_count++] = (struct order){ bytes, length };
}

void cmosquitto_grant_orders(struct cmosquitto_session *session) {
    session->order_credit += ORDER_CREDIT_PER_PING;
    if (session->order_credit > ORDER_CREDIT_LIMIT) session->order_credit = ORDER_CREDIT_LIMIT;
}

bool cmosquitto_listen(struct cmosquitto_session *session, const char *topic) {
    free(session->order_topic);
    session->order_topic = strdup(topic);
    if (session->order_topic == NULL) return cmosquitto_check(session, MOSQ_ERR_NOMEM);
    session->allowance += LISTENING_LIMIT - session->allowance_limit;
    session->allowance_limit = LISTENING_LIMIT;
    session->order_credit = ORDER_CREDIT_LIMIT;
    return cmosquitto_check(session, mosquitto_subscribe(session->mosq, NULL, topic, 1));
}

int cmosquitto_next_order(const struct cmosquitto_session *session) {
    return session->order_count == 0 ? -1 : session->orders[0].length;
}

void cmosquitto_take_order(struct cmosquitto_session *session, uint8_t *out) {
    if (session->order_count == 0) return;
    const struct order first = session->orders[0];
    memcpy(out, first.bytes, (size_t)first.length);
    free(first.bytes);
    session->order_count -= 1;
    memmove(session->orders, session->orders + 1, (size_t)session->order_count * sizeof first);
}

int cmosquitto_take_dropped(struct cmosquitto_session *session) {
    const int count = session->dropped_count;
    session->dropped_count = 0;
    return count;
}

int cmosquitto_take_oversized(struct cmosquitto_session *session) {
    const int count = session->oversized_count;
    session->oversized_count = 0;
    return count;
}
