#include "file_check.h"

#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Offsets of SQLite's file header (section 1.3 of its file format). */
enum {
    HEADER_BYTES = 100,
    HEADER_PAGE_SIZE = 16,
    HEADER_PAGES = 28,
    HEADER_USER_VERSION = 60,
    HEADER_APPLICATION_ID = 68,
};
static const char header_magic[16] = "SQLite format 3";

enum db_status db_reportf(struct db_report *report, enum db_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
    return status;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool exists(const char *path, const char *suffix)
{
    char name[DB_PATH_MAX + 8];
    struct stat facts;
    (void)snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &facts) == 0;
}

/* Whether SQLite would play this companion into whatever file it finds beside it. One that is empty
 * or starts with a zero is spent; one that cannot be read may not be. */
static bool is_pending(const char *path, const char *suffix)
{
    char name[DB_PATH_MAX + 8];
    unsigned char first = 0;
    (void)snprintf(name, sizeof name, "%s%s", path, suffix);
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return exists(path, suffix);
    }
    ssize_t got = pread(descriptor, &first, sizeof first, 0);
    (void)close(descriptor);
    return got < 0 || first != 0;
}

/* No file, but perhaps what belongs to it: a new one made there would get the old one's pages. A
 * -shm holds nothing of its own. */
static enum db_status check_missing(const char *path, struct db_report *report)
{
    static const char *const suffixes[] = {"-wal", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (is_pending(path, suffixes[i])) {
            return db_reportf(report, DB_CORRUPT,
                              "%s: missing, but its %s is there (put the file back, or remove the"
                              " %s to start afresh)",
                              path, suffixes[i], suffixes[i]);
        }
    }
    return DB_NONE;
}

/* A WAL may hold pages that the main file has not got yet, and the header then lags behind. */
static enum db_status check_header(const char *path, const unsigned char *header,
                                   struct file_facts *facts, struct db_report *report)
{
    if (memcmp(header, header_magic, sizeof header_magic) != 0) {
        return db_reportf(report, DB_FOREIGN, "%s: not an SQLite database", path);
    }
    if (big_endian(header + HEADER_APPLICATION_ID) != DB_APPLICATION_ID) {
        return db_reportf(report, DB_FOREIGN, "%s: an SQLite database, but not one of Banzuke",
                          path);
    }
    uint32_t page = (uint32_t)header[HEADER_PAGE_SIZE] << 8 | header[HEADER_PAGE_SIZE + 1];
    int64_t bytes = (int64_t)(page == 1 ? 65536 : page) * big_endian(header + HEADER_PAGES);
    if (facts->bytes < bytes && !facts->had_wal) {
        return db_reportf(report, DB_CORRUPT, "%s: truncated: %lld bytes of %lld", path,
                          (long long)facts->bytes, (long long)bytes);
    }
    facts->user_version = (int)big_endian(header + HEADER_USER_VERSION);
    return DB_OK;
}

static enum db_status read_header(const char *path, struct file_facts *facts,
                                  struct db_report *report)
{
    unsigned char header[HEADER_BYTES];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return db_reportf(report, DB_DENIED, "%s: cannot be read: %s", path, strerror(errno));
    }
    ssize_t got = pread(descriptor, header, sizeof header, 0);
    (void)close(descriptor);
    if (got < (ssize_t)sizeof header) {
        return db_reportf(report, DB_FOREIGN, "%s: not an SQLite database", path);
    }
    return check_header(path, header, facts, report);
}

enum db_status file_check(const char *path, struct file_facts *facts, struct db_report *report)
{
    struct stat found;
    *facts = (struct file_facts){0};
    if (stat(path, &found) != 0) {
        int error = errno;
        if (error == ENOENT && lstat(path, &found) != 0) {
            return check_missing(path, report);
        }
        return db_reportf(report, DB_DENIED, "%s: %s", path, strerror(error));
    }
    if (!S_ISREG(found.st_mode)) {
        return db_reportf(report, DB_DENIED, "%s: not a regular file", path);
    }
    if (found.st_nlink > 1) { /* each name would have a WAL of its own */
        return db_reportf(report, DB_DENIED, "%s: the file has a second name (a hard link)", path);
    }
    if (found.st_size == 0) {
        return db_reportf(report, DB_FOREIGN,
                          "%s: an empty file, not a Banzuke database (remove it to start afresh)",
                          path);
    }
    facts->bytes = found.st_size;
    facts->had_wal = exists(path, "-wal");
    facts->had_shm = exists(path, "-shm");
    return read_header(path, facts, report);
}

bool file_has_empty_wal(const char *path)
{
    char name[DB_PATH_MAX + 8];
    struct stat found;
    (void)snprintf(name, sizeof name, "%s-wal", path);
    return stat(name, &found) == 0 && found.st_size == 0;
}

void file_tidy(const char *path, const struct file_facts *facts)
{
    char name[DB_PATH_MAX + 8];
    struct stat found;
    (void)snprintf(name, sizeof name, "%s-wal", path);
    if (!facts->had_wal && stat(name, &found) == 0 && found.st_size == 0) {
        (void)unlink(name);
    }
    (void)snprintf(name, sizeof name, "%s-shm", path);
    if (!facts->had_shm && !facts->had_wal) {
        (void)unlink(name);
    }
}

static bool sync_path(const char *path, int flags)
{
    int descriptor = open(path, flags | O_CLOEXEC);
    bool synced = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    return synced;
}

const char *file_folder(const char *path, char folder[DB_PATH_MAX])
{
    (void)snprintf(folder, DB_PATH_MAX, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        (void)snprintf(folder, DB_PATH_MAX, ".");
        return path;
    }
    slash[slash == folder ? 1 : 0] = '\0';
    return path + (slash - folder) + 1;
}

static bool sync_folder_of(const char *path)
{
    char folder[DB_PATH_MAX];
    (void)file_folder(path, folder);
    return sync_path(folder, O_RDONLY | O_DIRECTORY);
}

bool file_move_into_place(const char *draft, const char *path)
{
    return sync_path(draft, O_RDONLY) && rename(draft, path) == 0 && sync_folder_of(path);
}

/* Where there are no links, the name is taken by an empty file of ours before the draft is moved
 * onto it. */
static bool move_to_new_name(const char *draft, const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return false;
    }
    (void)close(descriptor);
    if (rename(draft, path) != 0) {
        int error = errno;
        (void)unlink(path);
        errno = error;
        return false;
    }
    return true;
}

bool file_give_new_name(const char *draft, const char *path)
{
    if (!sync_path(draft, O_RDONLY)) {
        return false;
    }
    if (link(draft, path) == 0) {
        FAULT_POINT("copy_named_twice");
        (void)unlink(draft);
    } else if (errno != EPERM || !move_to_new_name(draft, path)) {
        return false;
    }
    if (!sync_folder_of(path)) {
        int error = errno;
        (void)unlink(path);
        errno = error;
        return false;
    }
    return true;
}
