// The kernels for one instruction set: cholesky.c includes this file for each, with KERNEL naming
// the functions.

#define INLINE static inline __attribute__((always_inline))

// Subtracts the products of each vector with the eight numbers of a column from eight sums.
INLINE void KERNEL(subtract)(
  size_t from, size_t to, const Eight *vectors, const Eight *columns, Eight sums[8]) {
  // Four sums at a time fit into the registers.
  for (int half = 0; half < 8; half += 4) {
    Eight a = sums[half], b = sums[half + 1], c = sums[half + 2], d = sums[half + 3];
    for (size_t k = from; k < to; k++) {
      const double *numbers = (const double *)(columns + k) + half;
      Eight vector = vectors[k];
      a -= vector * numbers[0];
      b -= vector * numbers[1];
      c -= vector * numbers[2];
      d -= vector * numbers[3];
    }
    sums[half] = a;
    sums[half + 1] = b;
    sums[half + 2] = c;
    sums[half + 3] = d;
  }
}

// Replaces eight vectors, whose elements before panel `from` are 0, by their solutions.
INLINE void KERNEL(advance)(
  size_t from, size_t to, size_t size, const Eight *factor, Eight *vectors) {
  for (size_t panel = from; panel < to; panel++) {
    const Eight *rows = factor + panel * size, *corner = rows + 8 * panel;
    Eight *sums = vectors + 8 * panel;
    KERNEL(subtract)(8 * from, 8 * panel, vectors, rows, sums);
    for (int i = 0; i < 8; i++) {
      for (int k = 0; k < i; k++) sums[i] -= sums[k] * corner[k][i];
      sums[i] /= corner[i][i];
    }
  }
}

static void KERNEL(factor)(size_t panels, Eight *matrix) {
  size_t size = 8 * panels;
  for (size_t panel = 0; panel < panels; panel++) {
    Eight *rows = matrix + panel * size, *corner = rows + 8 * panel;
    // The rows of L are solutions for the rows of A.
    KERNEL(advance)(0, panel, size, matrix, rows);
    KERNEL(subtract)(0, 8 * panel, rows, rows, corner);
    for (int i = 0; i < 8; i++) {
      for (int k = 0; k < i; k++) corner[i] -= corner[k] * corner[k][i];
      corner[i] /= __builtin_sqrt(corner[i][i]);
      for (int k = 0; k < i; k++) corner[i][k] = 0;
    }
  }
}

static void KERNEL(solve)(size_t panels, const Eight *factor, Eight *vectors) {
  KERNEL(advance)(0, panels, 8 * panels, factor, vectors);
}

static void KERNEL(invert)(size_t panels, const Eight *factor, Eight *root, Eight *inverse) {
  size_t size = 8 * panels;
  for (size_t panel = 0; panel < panels; panel++) {
    Eight *columns = root + panel * size;
    for (size_t k = 0; k < size; k++) columns[k] = (Eight){};
    for (int i = 0; i < 8; i++) columns[8 * panel + i][i] = 1;
    KERNEL(advance)(panel, panels, size, factor, columns);
    for (size_t before = 0; before <= panel; before++) {
      Eight *block = inverse + before * size + 8 * panel;
      for (int i = 0; i < 8; i++) block[i] = (Eight){};
      KERNEL(subtract)(8 * panel, size, root + before * size, columns, block);
      for (int i = 0; i < 8; i++) block[i] = -block[i];
    }
  }
}

#undef INLINE
