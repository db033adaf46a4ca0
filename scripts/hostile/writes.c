// Preloaded into a program, makes one operation on the files of a folder fail, or it and all after it.
//
// FAIL_FOLDER  the folder as the kernel names it
// FAIL_NAME    the folder as the program's paths begin
// FAIL_AT      the number of the operation, from 1; 0 = none
// FAIL_ERROR   the error number
// FAIL_EVER    1 = every operation from then on fails, too
// FAIL_LOG     a file that gets a letter for each operation: open (to write), write, sync, truncate, name
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;

static int number(const char *name) {
  const char *text = getenv(name);
  return text ? atoi(text) : 0;
}

static int begins(const char *path, const char *name) {
  const char *folder = getenv(name);
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_in_folder(const char *path) {
  return begins(path, "FAIL_NAME") || begins(path, "FAIL_FOLDER");
}

static int is_watched(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_in_folder(path);
}

// Counts an operation; returns whether it fails.
static int fails(char kind) {
  pthread_mutex_lock(&lock);
  long present = ++count;
  const char *log = getenv("FAIL_LOG");
  if (log) {
    int file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    syscall(SYS_write, file, &kind, 1);
    syscall(SYS_close, file);
  }
  pthread_mutex_unlock(&lock);
  int at = number("FAIL_AT");
  if (!at || present < at || (present > at && !number("FAIL_EVER"))) return 0;
  errno = number("FAIL_ERROR");
  return 1;
}

#define OPEN(folder)                                                                 \
  va_list rest;                                                                                     \
  va_start(rest, flags);                                                                            \
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                           \
  va_end(rest);                                                                                     \
  if ((flags & O_ACCMODE) != O_RDONLY && is_in_folder(path) && fails('o')) return -1;               \
  return syscall(SYS_openat, folder, path, flags, mode);

int open(const char *path, int flags, ...) { OPEN(AT_FDCWD) }
int open64(const char *path, int flags, ...) { OPEN(AT_FDCWD) }
int openat(int folder, const char *path, int flags, ...) { OPEN(folder) }
int openat64(int folder, const char *path, int flags, ...) { OPEN(folder) }

ssize_t write(int file, const void *bytes, size_t length) {
  if (is_watched(file) && fails('w')) return -1;
  return syscall(SYS_write, file, bytes, length);
}

ssize_t writev(int file, const struct iovec *parts, int length) {
  if (is_watched(file) && fails('w')) return -1;
  return syscall(SYS_writev, file, parts, length);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  if (is_watched(file) && fails('w')) return -1;
  return syscall(SYS_pwrite64, file, bytes, length, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  return pwrite64(file, bytes, length, offset);
}

int ftruncate64(int file, off64_t length) {
  if (is_watched(file) && fails('t')) return -1;
  return syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int fsync(int file) {
  if (is_watched(file) && fails('s')) return -1;
  return syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  if (is_watched(file) && fails('s')) return -1;
  return syscall(SYS_fdatasync, file);
}

int rename(const char *old, const char *new) {
  if ((is_in_folder(old) || is_in_folder(new)) && fails('n')) return -1;
  return syscall(SYS_rename, old, new);
}
