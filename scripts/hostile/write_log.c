// Preloaded into a program, logs every change that it makes to the files of one folder, so that the
// files can be made as a kill or a loss of power may leave them.
//
// WRITE_LOG_FOLDER  the folder
// WRITE_LOG         where the log goes: records of kind, file, offset, length (8 bytes each), then
//                   the bytes. Kinds: w write, t truncation to the offset, r renaming, u removal
//                   (bytes: the name), s and e start and end of a synchronisation. The file is its
//                   inode.
// WRITE_LOG_SYNC_MS milliseconds that a synchronisation takes longer, as on a slow card
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

static uint64_t watched(int file) {
  const char *folder = getenv("WRITE_LOG_FOLDER");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (!folder || length < 0) return 0;
  path[length] = 0;
  struct stat status;
  return strncmp(path, folder, strlen(folder)) == 0 && fstat(file, &status) == 0 ? status.st_ino : 0;
}

static void record(uint64_t kind, uint64_t file, uint64_t offset, const void *bytes, uint64_t length) {
  uint64_t head[4] = {kind, file, offset, length};
  if (logfile < 0)
    logfile = open(getenv("WRITE_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  syscall(SYS_write, logfile, head, sizeof head);
  if (length) syscall(SYS_write, logfile, bytes, length);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  pthread_mutex_lock(&lock);
  ssize_t done = syscall(SYS_pwrite64, file, bytes, count, offset);
  uint64_t number = watched(file);
  if (done > 0 && number) record('w', number, offset, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite64(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  pthread_mutex_lock(&lock);
  uint64_t number = watched(file);
  off_t offset = number ? lseek(file, 0, SEEK_CUR) : 0;
  ssize_t done = syscall(SYS_write, file, bytes, count);
  if (done > 0 && number) record('w', number, offset, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

int ftruncate64(int file, off64_t length) {
  pthread_mutex_lock(&lock);
  int done = syscall(SYS_ftruncate, file, length);
  uint64_t number = watched(file);
  if (done == 0 && number) record('t', number, length, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

static int synchronise(long call, int file) {
  pthread_mutex_lock(&lock);
  uint64_t number = watched(file);
  if (number) record('s', number, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  const char *delay = getenv("WRITE_LOG_SYNC_MS");
  if (number && delay) usleep(atoi(delay) * 1000);
  int done = syscall(call, file);
  pthread_mutex_lock(&lock);
  if (number) record('e', number, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}

int fsync(int file) { return synchronise(SYS_fsync, file); }

int fdatasync(int file) { return synchronise(SYS_fdatasync, file); }

static void record_name(uint64_t kind, const char *path, uint64_t file) {
  const char *folder = getenv("WRITE_LOG_FOLDER");
  if (folder && strncmp(path, folder, strlen(folder)) == 0) record(kind, file, 0, path, strlen(path));
}

int rename(const char *old, const char *new) {
  pthread_mutex_lock(&lock);
  int done = syscall(SYS_rename, old, new);
  struct stat status;
  if (done == 0 && stat(new, &status) == 0) record_name('r', new, status.st_ino);
  pthread_mutex_unlock(&lock);
  return done;
}

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  int done = syscall(SYS_unlink, path);
  if (done == 0) record_name('u', path, 0);
  pthread_mutex_unlock(&lock);
  return done;
}
