#pragma once

#include <stdint.h>
#include <string.h>

// Bytes compared many at once, by vectors of the compiler, which every processor has in some form.

// Returns a bit for each of 64 bytes, from the lowest, that is set if the byte is one of two.
static inline uint64_t cbytes_places(const uint8_t *bytes, uint8_t one, uint8_t other) {
  typedef uint8_t Block __attribute__((vector_size(64)));
  typedef _Bool Bits __attribute__((ext_vector_type(64)));
  Block block;
  memcpy(&block, bytes, sizeof block);
  Bits bits = __builtin_convertvector((block == one) | (block == other), Bits);
  uint64_t places;
  memcpy(&places, &bits, sizeof places);
  return places;
}
