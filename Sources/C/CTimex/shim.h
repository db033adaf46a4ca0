#pragma once

#include <sys/timex.h>

// Whether a time service keeps the system clock right; Swift's Glibc module has no <sys/timex.h>.
static inline int ctimex_is_synchronised(void) {
  struct timex state = {0};
  return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}
