#pragma once

#include <elf.h>  // the keys of getauxval
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/timex.h>
#include <time.h>

// What the C library has and Swift's Glibc module has not.

// Whether a time service keeps the system clock right.
static inline int cglibc_is_synchronised(void) {
  struct timex state = {0};
  return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}

// glibc 2.34 and later; <spawn.h> shows it only to GNU sources.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

// The program that starts gets the standard streams alone. The child closes the rest itself, so a
// file that another thread opens meanwhile does not slip through.
static inline int cglibc_keep_standard_streams_only(void *actions) {
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

// <time.h> shows it only to XOPEN sources.
extern char *strptime(const char *text, const char *format, struct tm *time);

// Reads a date by a format; returns the place behind it, or null.
static inline const char *cglibc_strptime(const char *text, const char *format, struct tm *time) {
  return strptime(text, format, time);
}
