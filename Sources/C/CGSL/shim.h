#pragma once

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_version.h>

// What Swift cannot import of GSL: global variables, which Swift 6 takes for shared mutable state.

// The version of the library that is installed, which may be newer than that of its headers.
static inline const char *cgsl_version(void) { return gsl_version; }

// Brent's method: parabolas guarded by golden sections.
static inline const gsl_min_fminimizer_type *cgsl_brent(void) { return gsl_min_fminimizer_brent; }

// Nelder and Mead's simplex, in the version whose step costs O(n).
static inline const gsl_multimin_fminimizer_type *cgsl_simplex(void) {
  return gsl_multimin_fminimizer_nmsimplex2;
}

// Trust regions; the default parameters are Levenberg and Marquardt's step, Moré's scaling and QR.
static inline const gsl_multifit_nlinear_type *cgsl_trust_region(void) {
  return gsl_multifit_nlinear_trust;
}

// GSL's default is to abort the process on an error; statuses are checked instead.
static inline void cgsl_do_not_abort(void) { gsl_set_error_handler_off(); }
