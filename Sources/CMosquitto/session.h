/* The contents of a session, outside include/ so that Swift does not see libmosquitto. */

#ifndef CMOSQUITTO_SESSION_H
#define CMOSQUITTO_SESSION_H

#include "CMosquitto.h"

#include <mosquitto.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* More than the messages in flight: at most 20 payloads of at most three messages, and the messages after a connection. */
#define ACKNOWLEDGED_CAPACITY 128
#define ORDER_CAPACITY 32
#define RELAY_CAPACITY (20 * 1024)

enum {
    CMOSQUITTO_OWNED_BY_LOOP,   /* no thread uses the session */
    CMOSQUITTO_OWNED_BY_THREAD, /* the thread is connecting */
    CMOSQUITTO_ABANDONED,       /* closed while the thread was connecting: the thread frees the session */
};

struct cmosquitto_session {
    struct mosquitto *mosq;
    /* The attempt to connect, which a thread makes; see connecting.c. */
    char *host;
    int port;
    int keepalive_s;
    bool skips_v6;
    int result;                 /* of mosquitto_connect_bind_async */
    int result_errno;
    bool is_resolved;
    int done_fd;                /* readable when the thread has ended; -1 after that */
    int tell_fd;                /* the thread's end of the pipe */
    atomic_int owner;
    /* The relay; see relay.c. */
    int fd;                     /* the broker's socket; -1 until the relay is in place */
    int relay_fd;               /* the other end of the library's descriptor */
    uint8_t in[RELAY_CAPACITY], out[RELAY_CAPACITY];
    size_t in_length, out_start, out_end;
    bool is_established;        /* whether the handshake is complete */
    struct packet { uint8_t *bytes; size_t length, capacity; } packet;
    /* The connection. */
    bool is_v5;
    int answer;
    int farewell;
    struct cmosquitto_limits limits;
    char called_by[32];
    bool is_called;
    char *order_topic;
    struct order { uint8_t *bytes; int length; } orders[ORDER_CAPACITY];
    int order_count;
    int dropped_count;
    int oversized_count;
    enum cmosquitto_stranger stranger;
    bool is_encrypted;
    bool is_hung_up;
    bool is_greeted;            /* whether CONNACK has arrived */
    bool is_former;
    bool is_nonsense;
    bool awaits_answer;
    int64_t received;
    int64_t allowance;
    int64_t allowance_limit;
    int64_t order_credit;
    struct cmosquitto_ack acknowledged[ACKNOWLEDGED_CAPACITY];
    int acknowledged_count;
    char words[160];
    char objection[160];
    bool is_distrusted;
    enum cmosquitto_trust trust;
    bool is_other_name;
};

/* Returns whether a call of the library has succeeded; otherwise keeps the reason. Call this immediately after the call. */
bool cmosquitto_check(struct cmosquitto_session *session, int code);

/* Keeps a message on the topic of orders, or counts it as dropped or oversized. Retained ones are dropped: see on_message. */
void cmosquitto_keep_order(struct cmosquitto_session *session, const struct mosquitto_message *message);

/* Increases the credit for orders, at each ping. */
void cmosquitto_grant_orders(struct cmosquitto_session *session);

/* Gives the library a context of TLS, with which the relay is in place before the handshake begins. */
bool cmosquitto_watch_handshake(struct cmosquitto_session *session);

/* Puts the relay between the library and its socket. */
bool cmosquitto_begin_relay(struct cmosquitto_session *session);

/* Lets the library write, and continue its handshake. */
bool cmosquitto_drive(struct cmosquitto_session *session);

/* Move what is there now from the broker to the library, and from the library to the broker. */
bool cmosquitto_receive(struct cmosquitto_session *session);
bool cmosquitto_send(struct cmosquitto_session *session);

/* Notes that the broker sends more than the session allows; returns false. */
bool cmosquitto_is_too_much(struct cmosquitto_session *session);

/* Checks the next bytes of the broker; returns false, with the reason, if they make no sense. */
bool cmosquitto_check_packets(struct cmosquitto_session *session, const uint8_t *bytes, size_t count);

/* Frees the part of a packet that has arrived. */
void cmosquitto_forget_packet(struct packet *packet);

/* Notes an error of OpenSSL. */
void cmosquitto_note_fault(struct cmosquitto_session *session, const char *words);

/* Frees a session that no thread uses. */
void cmosquitto_free(struct cmosquitto_session *session);

/* Starts the library, once. */
void cmosquitto_start_library(void);

#endif
