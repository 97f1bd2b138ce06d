#include "key_folder.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A test is a process of its own. */
static char folder[64];
static char path[96];

void key_folder_enter(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/banzuke-secrets-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/test.key", folder);
}

void key_folder_leave(void)
{
    (void)unlink(path);
    cr_expect_eq(rmdir(folder), 0, "something was left behind in %s", folder);
}

const char *key_folder(void)
{
    return folder;
}

const char *key_path(void)
{
    return path;
}

void key_write(const char *text, size_t length, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, text, length), (ssize_t)length);
    cr_assert_eq(fchmod(fd, mode), 0);
    (void)close(fd);
}

struct secrets *key_load(const char *text)
{
    struct secrets *secrets = NULL;
    key_write(text, strlen(text), 0600);
    cr_assert_eq(secrets_load(path, false, NULL, &secrets), SECRETS_OK, "%s", text);
    return secrets;
}

struct secrets *key_create(uint64_t seed)
{
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = NULL;
    cr_assert_eq(secrets_load(path, true, &env, &secrets), SECRETS_OK);
    return secrets;
}

void counting_random(void *context, void *bytes, size_t count)
{
    unsigned char *next = context;
    unsigned char *out = bytes;
    for (size_t i = 0; i < count; i++) {
        out[i] = (*next)++;
    }
}

void mixed_random(void *context, void *bytes, size_t count)
{
    uint64_t *state = context;
    unsigned char *out = bytes;
    for (size_t i = 0; i < count; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        out[i] = (unsigned char)(*state >> 56);
    }
}

void expect_hex(const uint8_t *bytes, size_t count, const char *expected)
{
    char hex[2 * SECRETS_HASH_BYTES + 1] = "";
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    }
    cr_expect_str_eq(hex, expected);
}
