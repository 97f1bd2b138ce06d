#ifndef TESTS_MATCH_KEY_FOLDER_H
#define TESTS_MATCH_KEY_FOLDER_H

/* Key files of known content in a folder that each test has for itself, and chance that is the same
 * on every run. One thread. */

#include "match/secrets.h"

#include <sys/types.h>

#define SERVER_LINE "server 1111111111111111111111111111111111111111111111111111111111111111\n"
#define KEY_A       "2222222222222222222222222222222222222222222222222222222222222222\n"
#define KEY_B       "3333333333333333333333333333333333333333333333333333333333333333\n"
#define FIRST_LINE  "banzuke key 1\n"
#define ONE_SLOT    FIRST_LINE SERVER_LINE "current 0 " KEY_A
#define TWO_SLOTS   FIRST_LINE SERVER_LINE "current 1 " KEY_B "previous 0 " KEY_A

/* Init and fini of a suite; the second fails the test when anything else was left behind. */
void key_folder_enter(void);
void key_folder_leave(void);
const char *key_folder(void);
const char *key_path(void);

void key_write(const char *text, size_t length, mode_t mode);
/* Secrets of a key file with this text, or of one made with the chance of `seed`. */
struct secrets *key_load(const char *text);
struct secrets *key_create(uint64_t seed);

/* Gives 0, 1, 2, ... from the unsigned char at `context`, so that what is made of it can be
 * reckoned by other means. */
void counting_random(void *context, void *bytes, size_t count);
/* From the uint64_t at `context`. */
void mixed_random(void *context, void *bytes, size_t count);

void expect_hex(const uint8_t *bytes, size_t count, const char *expected);

#endif
