#include "new_file.h"

#include "db/fault.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Another is done in milliseconds; who takes longer than all of this is no start of ours. */
enum { CLAIM_TRIES = 40, CLAIM_PAUSE_NS = 50 * 1000 * 1000 };

static int open_folder_of(const char *path)
{
    char folder[DB_PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1; /* the slash too: "/" stays */
    assert(length < sizeof folder);
    memcpy(folder, path, length);
    folder[length] = '\0';
    return open(length == 0 ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The claim ends with the process, however that ends. Where a file system knows no such locks there
 * is none: then two that make the same file at the same time are not kept apart. */
static bool claim(int folder)
{
    for (int i = 0; i < CLAIM_TRIES; i++) {
        if (flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
            return true;
        }
        struct timespec pause = {.tv_nsec = CLAIM_PAUSE_NS};
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

bool new_file_begin(const char *path, struct new_file *file)
{
    assert(path != NULL && file != NULL);
    int length = snprintf(file->draft, sizeof file->draft, "%s.new", path);
    if (length < 0 || (size_t)length >= sizeof file->draft) {
        return false;
    }
    file->path = path;
    file->folder = open_folder_of(path);
    if (file->folder < 0) {
        return false;
    }
    if (!claim(file->folder)) {
        (void)close(file->folder);
        return false;
    }
    (void)unlink(file->draft);
    return true;
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t count = write(fd, text, length);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        text += count;
        length -= (size_t)count;
    }
    return true;
}

/* A draft that holds the text for good once this is true. */
static bool write_draft(const char *draft, const char *text, size_t length)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(draft, flags, S_IRUSR | S_IWUSR);
    if (fd < 0) {
        return false;
    }
    bool written = write_all(fd, text, length) && fsync(fd) == 0;
    written = close(fd) == 0 && written;
    if (!written) {
        (void)unlink(draft);
    }
    return written;
}

bool new_file_write(const struct new_file *file, const char *text, size_t length)
{
    assert(file != NULL && file->folder >= 0 && text != NULL);
    if (!write_draft(file->draft, text, length)) {
        return false;
    }
    FAULT_POINT("key_unnamed");
    bool named = link(file->draft, file->path) == 0; /* replaces nothing */
    FAULT_POINT("key_named_twice");
    bool cleared = unlink(file->draft) == 0;
    return named && cleared && fsync(file->folder) == 0;
}

void new_file_end(struct new_file *file)
{
    assert(file != NULL && file->folder >= 0);
    (void)close(file->folder);
    file->folder = -1;
}
