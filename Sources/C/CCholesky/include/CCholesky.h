#pragma once

#include <stddef.h>

// Triangular factors of symmetric positive definite matrices, in panels of eight rows.
//
// A panel has the eight numbers of each column in turn, a SIMD8<Double> of Swift; a matrix of some
// panels has eight times as many rows and columns. Registers of four numbers are used if the
// processor has them (AVX2). These functions give the same bits with and without them: each number
// passes through the same operations in the same order, none of them fused.

// Replaces A by the lower triangular L with A = L Lᵀ. If A is not positive definite, or not finite, a
// diagonal element of L is NaN or not positive.
void ccholesky_factor(size_t panels, void *matrix);

// Replaces eight vectors b, as the rows of a panel, by L⁻¹ b.
void ccholesky_solve(size_t panels, const void *factor, void *vectors);

// Computes L⁻¹, in panels of columns, and A⁻¹ = L⁻ᵀ L⁻¹, each panel of it from its diagonal block on.
void ccholesky_invert(size_t panels, const void *factor, void *root, void *inverse);

// Do the same with the registers that every machine has, for tests.
void ccholesky_factor_narrow(size_t panels, void *matrix);
void ccholesky_invert_narrow(size_t panels, const void *factor, void *root, void *inverse);
