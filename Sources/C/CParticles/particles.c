#include "CParticles.h"

// The C library knows what the processor and the system support, at no cost (glibc 2.33); it has
// this header where the processor has such instructions.
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS_WIDE 1
#else
#define HAS_WIDE 0
#endif

#pragma STDC FP_CONTRACT OFF
// Functions that take vectors are inlined, so how they would be passed does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

// Eight numbers, one per particle; aligned as numbers are, because arrays are allocated by Swift.
typedef float Eight __attribute__((vector_size(32), aligned(4)));
typedef int EightBits __attribute__((vector_size(32), aligned(4)));

// The layout of ParticleBlock.
typedef struct {
  Eight x, y, height, velocity_x, velocity_y, log_speed, walks, way;
  Eight offset_mean, offset_variance, exponent_error, log_weight;
} Block;

// The layout of LinkBeliefs.
typedef struct {
  Eight far_mean, far_slope, near_mean, near_slope, far_variance, covariance, near_variance;
} Belief;

// The layout of ShadowingDecay.
typedef struct { Eight far, near; } Decay;

// The layout of LinkShadowing.
typedef struct { Eight offset, deviation; } Shadowing;

// The expected level; its error given the offset o is normal with mean + slope × o, and with
// total_mean and total_variance if o is marginalised.
typedef struct {
  Eight level, mean, slope, variance, cross_far, cross_near, total_mean, total_variance;
} Expectation;

#define KERNEL(name) narrow_##name
#include "kernel.h"
#undef KERNEL

#if HAS_WIDE
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define KERNEL(name) wide_##name
#include "kernel.h"
#undef KERNEL
#pragma clang attribute pop
#endif

void cparticles_hear_narrow(
  const cparticles_level *level, size_t count, void *blocks, void *beliefs, const void *decays,
  const void *shadowings, const void *weights, float *fitting) {
  narrow_hear(level, count, blocks, beliefs, decays, shadowings, weights, (Eight *)fitting);
}

void cparticles_hear(
  const cparticles_level *level, size_t count, void *blocks, void *beliefs, const void *decays,
  const void *shadowings, const void *weights, float *fitting) {
#if HAS_WIDE
  if (CPU_FEATURE_ACTIVE(AVX2)) {
    wide_hear(level, count, blocks, beliefs, decays, shadowings, weights, (Eight *)fitting);
    return;
  }
#endif
  cparticles_hear_narrow(level, count, blocks, beliefs, decays, shadowings, weights, fitting);
}

void cparticles_expect(
  const cparticles_level *level, size_t count, const void *blocks, const void *beliefs,
  const void *decays, const void *shadowings, void *expected) {
  for (size_t i = 0; i < count; i++) {
    Belief belief = ((const Belief *)beliefs)[i];
    const Shadowing *shadowing = level->has_shadowings ? (const Shadowing *)shadowings + i : NULL;
    Expectation e = narrow_expect(
      level, (const Block *)blocks + i, &belief, (const Decay *)decays + i, shadowing);
    ((Eight *)expected)[2 * i] = e.level + e.total_mean;
    ((Eight *)expected)[2 * i + 1] = e.total_variance;
  }
}
