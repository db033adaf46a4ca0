#include "CCholesky.h"

// The C library knows what the processor and the system support, at no cost (glibc 2.33); it has
// this header where the processor has such instructions.
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS_WIDE 1
#else
#define HAS_WIDE 0
#endif

#pragma STDC FP_CONTRACT OFF

// Eight numbers; aligned as numbers are, because arrays are allocated by Swift.
typedef double Eight __attribute__((vector_size(64), aligned(8)));

#define KERNEL(name) narrow_##name
#include "kernel.h"
#undef KERNEL

#if HAS_WIDE
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define KERNEL(name) wide_##name
#include "kernel.h"
#undef KERNEL
#pragma clang attribute pop
#define CALL(name, ...) \
  (CPU_FEATURE_ACTIVE(AVX2) ? wide_##name(__VA_ARGS__) : narrow_##name(__VA_ARGS__))
#else
#define CALL(name, ...) narrow_##name(__VA_ARGS__)
#endif

void ccholesky_factor(size_t panels, void *matrix) { CALL(factor, panels, matrix); }

void ccholesky_solve(size_t panels, const void *factor, void *vectors) {
  CALL(solve, panels, factor, vectors);
}

void ccholesky_invert(size_t panels, const void *factor, void *root, void *inverse) {
  CALL(invert, panels, factor, root, inverse);
}

void ccholesky_factor_narrow(size_t panels, void *matrix) { narrow_factor(panels, matrix); }

void ccholesky_invert_narrow(size_t panels, const void *factor, void *root, void *inverse) {
  narrow_invert(panels, factor, root, inverse);
}
