/* CSodium: seals and opens messages with libsodium's secretbox (XSalsa20-Poly1305), as OwnTracks does; and hashes passwords. */
#ifndef TRACKERD_CSODIUM_H
#define TRACKERD_CSODIUM_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CSODIUM_KEY_BYTES = 32,
    CSODIUM_NONCE_BYTES = 24,
    /* The number of bytes that a sealed message has in addition to the message: nonce in front, and authentication code. */
    CSODIUM_EXTRA_BYTES = 40,
    /* The size of a hash of a password as text, with the zero at its end. */
    CSODIUM_HASH_BYTES = 128
};

/* Seals a message with this nonce; `out` needs room for bytes + CSODIUM_EXTRA_BYTES bytes. Returns false if libsodium cannot be
 * used. */
bool csodium_seal(unsigned char *out, const unsigned char *message, size_t bytes, const unsigned char *nonce,
                  const unsigned char *key);

/* Makes a nonce from key and message by BLAKE2b: the same message has the same nonce, different messages have different ones. */
bool csodium_nonce(unsigned char *nonce, const unsigned char *message, size_t bytes, const unsigned char *key);

/* Opens a sealed message; `out` needs room for bytes - CSODIUM_EXTRA_BYTES bytes. Returns false if the key is wrong or a byte was
 * changed. */
bool csodium_open(unsigned char *out, const unsigned char *sealed, size_t bytes, const unsigned char *key);

/* Hashes a password with Argon2id and a random salt, as a text that also contains the cost: 19 MiB and two passes, the least that
 * OWASP's Password Storage Cheat Sheet recommends. Returns false if memory is missing. */
bool csodium_hash_password(char *hash, const char *password, size_t bytes);

/* Returns whether a hash is that of the password. */
bool csodium_is_password(const char *hash, const char *password, size_t bytes);

/* Fills an array with random bytes. */
void csodium_random(unsigned char *out, size_t bytes);

#endif
