// The kernels for one instruction set: particles.c includes this file for each, with KERNEL naming
// the functions.

#define INLINE static inline __attribute__((always_inline))

// Returns the numbers of `a` where a comparison holds, and those of `b` elsewhere.
INLINE Eight KERNEL(choose)(EightBits holds, Eight a, Eight b) {
  return (Eight)(((EightBits)a & holds) | ((EightBits)b & ~holds));
}

// Returns the natural logarithms of positive numbers, as SIMD8.logarithm does.
INLINE Eight KERNEL(logarithm)(Eight x) {
  EightBits above = (EightBits)x - 0x3F3504F3;
  Eight rest = (Eight)((above & 0x007FFFFF) + 0x3F3504F3) - 1;
  Eight whole = (Eight)((above >> 23) + 0x4B400000) - 12582912;
  static const float factors[] = {
    -1.151461e-1f, 1.16769987e-1f, -1.2420141e-1f, 1.4249323e-1f, -1.6668058e-1f, 2.0000715e-1f,
    -2.4999994e-1f, 3.3333331e-1f, -0.5f, 1,
  };
  Eight sum = rest * 7.0376836e-2f + factors[0];
  for (int i = 1; i < 10; i++) sum = sum * rest + factors[i];
  return sum * rest + whole * 0.69314718f;
}

// Lets a belief decorrelate along the path since its last level, and returns what it expects.
INLINE Expectation KERNEL(expect)(
  const cparticles_level *level, const Block *block, Belief *belief, const Decay *decay,
  const Shadowing *shadowing) {
  Belief b = *belief;
  Eight far_kept = decay->far, near_kept = decay->near;
  b.far_mean *= far_kept;
  b.far_slope *= far_kept;
  b.near_mean *= near_kept;
  b.near_slope *= near_kept;
  b.far_variance = 1 - far_kept * far_kept * (1 - b.far_variance);
  b.covariance *= far_kept * near_kept;
  b.near_variance = 1 - near_kept * near_kept * (1 - b.near_variance);
  *belief = b;

  Expectation e;
  Eight dx = block->x - level->x, dy = block->y - level->y, dz = block->height - level->height;
  Eight squared = dx * dx + dy * dy + dz * dz, least = (Eight){} + 1e-4f;
  // Below 1 cm the curve is meaningless, and its logarithm has a pole.
  squared = KERNEL(choose)(squared < least, least, squared);
  e.level = level->measured_power
    + (level->slope + level->slope_of_exponent * block->exponent_error) * KERNEL(logarithm)(squared);
  Eight far = (Eight){} + level->far;
  float near = level->near;
  if (shadowing) {
    e.level += shadowing->offset;
    far = shadowing->deviation;
  }
  e.cross_far = far * b.far_variance + near * b.covariance;
  e.cross_near = far * b.covariance + near * b.near_variance;
  e.mean = far * b.far_mean + near * b.near_mean;
  e.slope = 1 + far * b.far_slope + near * b.near_slope;
  e.variance = far * e.cross_far + near * e.cross_near + level->packet;
  e.total_mean = e.mean + e.slope * block->offset_mean;
  e.total_variance = e.variance + e.slope * e.slope * block->offset_variance;
  return e;
}

static void KERNEL(hear)(
  const cparticles_level *given, size_t count, Block *restrict blocks, Belief *restrict beliefs,
  const Decay *decays, const Shadowing *shadowings, const Eight *weights, Eight *fitting) {
  const cparticles_level level = *given;
  Eight sum = {};
  for (size_t i = 0; i < count; i++) {
    Block *block = blocks + i;
    Belief b = beliefs[i];
    Expectation e = KERNEL(expect)(
      &level, block, &b, decays + i, level.has_shadowings ? shadowings + i : NULL);
    Eight error = level.rssi - e.level, residual = error - e.total_mean;

    // The normal density, but nowhere less than that of an outlier (RobustLevel).
    Eight fit = -0.5f
      * (residual * residual / e.total_variance + KERNEL(logarithm)(e.total_variance));
    Eight least = (Eight){} + level.least_log_likelihood;
    EightBits is_outlier = fit < least;
    Eight share = KERNEL(choose)(is_outlier, (Eight){}, (Eight){} + 1);
    block->log_weight += level.temper * KERNEL(choose)(is_outlier, least, fit);
    sum += weights[i] * share;

    // The filter of the link given the offset, then that of the offset.
    Eight own_error = error - e.mean, gain = share / e.variance;
    Eight far = e.cross_far * gain, near = e.cross_near * gain;
    b.far_mean += far * own_error;
    b.far_slope -= far * e.slope;
    b.near_mean += near * own_error;
    b.near_slope -= near * e.slope;
    b.far_variance -= far * e.cross_far;
    b.covariance -= far * e.cross_near;
    b.near_variance -= near * e.cross_near;
    beliefs[i] = b;
    Eight cross = block->offset_variance * e.slope;
    Eight offset_gain = share * cross / (e.variance + cross * e.slope);
    block->offset_mean += offset_gain * residual;
    block->offset_variance -= offset_gain * cross;
  }
  *fitting += sum;
}

#undef INLINE
