#include "CSodium.h"

#include <sodium.h>
#include <string.h>

_Static_assert(CSODIUM_KEY_BYTES == crypto_secretbox_KEYBYTES, "the key of a secretbox");
_Static_assert(CSODIUM_NONCE_BYTES == crypto_secretbox_NONCEBYTES, "the nonce of a secretbox");
_Static_assert(CSODIUM_HASH_BYTES == crypto_pwhash_STRBYTES, "a password's hash");
_Static_assert(CSODIUM_EXTRA_BYTES == crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES, "nonce and code");

bool csodium_seal(unsigned char *out, const unsigned char *message, size_t bytes, const unsigned char *nonce,
                  const unsigned char *key) {
    if (sodium_init() < 0) return false;
    memcpy(out, nonce, CSODIUM_NONCE_BYTES);
    return crypto_secretbox_easy(out + CSODIUM_NONCE_BYTES, message, bytes, nonce, key) == 0;
}

bool csodium_nonce(unsigned char *nonce, const unsigned char *message, size_t bytes, const unsigned char *key) {
    /* The label separates this use of the key from its use as the key of the secretbox. */
    static const unsigned char label[] = "trackerd owntracks nonce";
    crypto_generichash_state state;
    if (sodium_init() < 0) return false;
    return crypto_generichash_init(&state, key, CSODIUM_KEY_BYTES, CSODIUM_NONCE_BYTES) == 0
        && crypto_generichash_update(&state, label, sizeof label) == 0
        && crypto_generichash_update(&state, message, bytes) == 0
        && crypto_generichash_final(&state, nonce, CSODIUM_NONCE_BYTES) == 0;
}

bool csodium_open(unsigned char *out, const unsigned char *sealed, size_t bytes, const unsigned char *key) {
    if (sodium_init() < 0 || bytes < CSODIUM_EXTRA_BYTES) return false;
    return crypto_secretbox_open_easy(out, sealed + CSODIUM_NONCE_BYTES, bytes - CSODIUM_NONCE_BYTES, sealed, key) == 0;
}

bool csodium_hash_password(char *hash, const char *password, size_t bytes) {
    return sodium_init() >= 0 && crypto_pwhash_str_alg(hash, password, bytes, 2, 19 * 1024 * 1024, crypto_pwhash_ALG_ARGON2ID13) == 0;
}

bool csodium_is_password(const char *hash, const char *password, size_t bytes) {
    return sodium_init() >= 0 && crypto_pwhash_str_verify(hash, password, bytes) == 0;
}

void csodium_random(unsigned char *out, size_t bytes) {
    /* Without libsodium's start, randombytes_buf still uses the kernel's random numbers. */
    (void)sodium_init();
    randombytes_buf(out, bytes);
}
