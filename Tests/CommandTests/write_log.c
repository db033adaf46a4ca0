// Preloaded into a program, logs every change that it makes to the files of one folder, so that a test
// can make the file as it was after each of them.
//
// WRITE_LOG_FOLDER  the folder
// WRITE_LOG         where the log goes: records of kind (8 bytes), offset (8), length (8), then the
//                   bytes of a write. Kinds: 1 write, 2 truncation to the offset, 3 renaming.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int logfile = -1;

static int is_watched(int file) {
  const char *folder = getenv("WRITE_LOG_FOLDER");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (!folder || length < 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

static void record(uint64_t kind, uint64_t offset, const void *bytes, uint64_t length) {
  uint64_t head[3] = {kind, offset, length};
  if (logfile < 0)
    logfile = open(getenv("WRITE_LOG"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  syscall(SYS_write, logfile, head, sizeof head);
  if (bytes) syscall(SYS_write, logfile, bytes, length);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  pthread_mutex_lock(&lock);
  ssize_t done = syscall(SYS_pwrite64, file, bytes, count, offset);
  if (done > 0 && is_watched(file)) record(1, offset, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite64(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  pthread_mutex_lock(&lock);
  int watched = is_watched(file);
  off_t offset = watched ? lseek(file, 0, SEEK_CUR) : 0;
  ssize_t done = syscall(SYS_write, file, bytes, count);
  if (done > 0 && watched) record(1, offset, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

int ftruncate64(int file, off64_t length) {
  pthread_mutex_lock(&lock);
  int done = syscall(SYS_ftruncate, file, length);
  if (done == 0 && is_watched(file)) record(2, length, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int rename(const char *old, const char *new) {
  pthread_mutex_lock(&lock);
  int done = syscall(SYS_rename, old, new);
  if (done == 0 && strstr(new, "trace.h5")) record(3, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}
