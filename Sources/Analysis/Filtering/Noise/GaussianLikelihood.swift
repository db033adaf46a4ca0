import RealModule

/// The logarithm of the likelihood of Gaussian errors, summed up as they come.
///
/// Logarithms are slow: variances are multiplied, and one logarithm is taken now and then.
struct GaussianLikelihood: Sendable {
  private var count = 0.0
  private var squares = 0.0
  private var logVariances = 0.0
  private var product = 1.0

  init() {}

  @inline(__always)
  mutating func add(error: Double, variance: Double) {
    count += 1
    squares += error * error / variance
    product *= variance
    if !(product < 1e100 && product > 1e-100) { takeLogarithm() }
  }

  @inline(never)
  private mutating func takeLogarithm() {
    logVariances += .log(product)
    product = 1
  }

  var logarithm: Double {
    -0.5 * (count * .log(2 * .pi) + squares + logVariances + .log(product))
  }
}
