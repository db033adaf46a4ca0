#pragma once

#include <stdbool.h>
#include <stddef.h>

// The levels of one anchor at the places of particles, which come in blocks of eight.
//
// Registers of eight numbers are used if the processor has them (AVX2). These functions give the same
// bits with and without them: each particle passes through the same operations in the same order,
// none of them fused. What they are given may still differ between machines, because the logarithms
// and exponentials of the C library do.
//
// Arrays are those of Swift: `blocks` of ParticleBlock, `beliefs` of LinkBeliefs, `decays` of
// ShadowingDecay and `shadowings` of LinkShadowing.

// A level, with the field that it is compared with.
typedef struct {
  // The place of the anchor, in metres from the corner of the area.
  float x, y, height;
  // The level at 1 m in dBm, and the slope in dB per unit of the logarithm of the squared distance,
  // for the anchor's exponent and for an exponent of 1.
  float measured_power, slope, slope_of_exponent;
  // The standard deviations in dB of the two parts of the shadowing; that of the first comes from
  // `shadowings` if there are any.
  float far, near;
  bool has_shadowings;
  // The variance of the packets' own error, in dB².
  float packet;
  // The log-likelihood of an outlier.
  float least_log_likelihood;
  // The level, in dBm.
  float rssi;
  // The exponent of the likelihood in the weight of a particle.
  float temper;
} cparticles_level;

// Weights the particles by a level, and updates their beliefs; adds to `fitting` the weights, from
// before the level, of those to which it is not an outlier.
void cparticles_hear(
  const cparticles_level *level, size_t count, void *blocks, void *beliefs, const void *decays,
  const void *shadowings, const void *weights, float *fitting);

// Computes the expected levels in dBm and their variances in dB², eight of each per block in turn.
void cparticles_expect(
  const cparticles_level *level, size_t count, const void *blocks, const void *beliefs,
  const void *decays, const void *shadowings, void *expected);

// Does as cparticles_hear does with the registers that every machine has, for tests.
void cparticles_hear_narrow(
  const cparticles_level *level, size_t count, void *blocks, void *beliefs, const void *decays,
  const void *shadowings, const void *weights, float *fitting);
