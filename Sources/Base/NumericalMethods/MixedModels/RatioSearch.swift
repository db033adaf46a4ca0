import RealModule

/// A search for the ratios of standard deviations that maximise the restricted likelihood.
///
/// The criterion is an even function of each ratio, so the simplex may cross 0: a boundary is a
/// minimum like any other.
package struct RatioSearch {
  package private(set) var ratios: [Double]
  package private(set) var hasConverged: Bool

  /// The increase of −2 log likelihood below which a ratio is set to 0.
  private static let negligible = 1e-6

  /// - Parameter scale: The order of magnitude of the largest ratio.
  package init(_ model: inout MixedModel, scale: Double) {
    let effects = model.effects
    ratios = Array(repeating: 0, count: effects)
    hasConverged = true
    guard effects > 0 else { return }
    // Each combination of large and small effects is tried as a start: an evaluation is cheaper
    // than a search.
    var best = Double.infinity
    for choice in 0..<(1 << effects) {
      let start = (0..<effects).map { choice >> $0 & 1 == 1 ? scale : 0.1 * scale }
      let value = model.criterion(start)
      if value < best { (best, ratios) = (value, start) }
    }
    var free = Array(0..<effects)
    best = refine(&model, free, steps: ratios.map { 0.5 * $0 }, tolerance: 1e-2 * scale)
    best = refine(&model, free, steps: sides(scale), tolerance: 1e-5 * scale)
    for effect in (0..<effects).sorted(by: { ratios[$0] < ratios[$1] }) {
      var without = ratios
      without[effect] = 0
      guard model.criterion(without) <= best + Self.negligible else { continue }
      ratios = without
      free.removeAll { $0 == effect }
      best = model.criterion(ratios)
      guard !free.isEmpty else { break }
      best = refine(&model, free, steps: sides(scale), tolerance: 1e-5 * scale)
    }
    if free.isEmpty { hasConverged = true }
  }

  /// Moves ratios of 0 to the maximum of the likelihood times these ratios.
  ///
  /// A ratio of 0 would claim to know that all offsets are 0. The factor is the weakest prior that
  /// excludes it: about one standard error, where the likelihood hardly changes (Chung,
  /// Rabe-Hesketh, Dorie, Gelman and Liu, "A nondegenerate penalized likelihood estimator for
  /// variance parameters in multilevel models", Psychometrika 78, 2013).
  package mutating func leaveBoundary(_ model: inout MixedModel, _ effects: [Int], scale: Double) {
    guard !effects.isEmpty else { return }
    for effect in effects { ratios[effect] = 0.1 * scale }
    let free = ratios.indices.filter { ratios[$0] > 0 }
    for tolerance in [1e-2, 1e-5] {
      _ = refine(&model, free, steps: sides(scale), tolerance: tolerance * scale, prior: effects)
    }
  }

  /// Returns the upper 95 % limit of a ratio of 0: where −2 log restricted likelihood is 3.84 larger,
  /// with the other ratios as they are; `nil` if it is beyond a hundred.
  package func upperLimit(of effect: Int, _ model: inout MixedModel) -> Double? {
    var moved = ratios
    let limit = model.criterion(ratios) + 3.841
    func isBelow(_ ratio: Double) -> Bool {
      moved[effect] = ratio
      return model.criterion(moved) < limit
    }
    var (low, high) = (0.0, 0.01)
    while isBelow(high) {
      guard high < 100 else { return nil }
      (low, high) = (high, 2 * high)
    }
    for _ in 0..<30 {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Returns the initial sides of a simplex that starts near the minimum.
  private func sides(_ scale: Double) -> [Double] { ratios.map { max(0.05 * $0, 0.01 * scale) } }

  private mutating func refine(
    _ model: inout MixedModel, _ free: [Int], steps: [Double], tolerance: Double,
    prior: [Int] = []
  ) -> Double {
    let fixed = ratios
    func full(_ part: [Double]) -> [Double] {
      var ratios = fixed
      for (effect, value) in zip(free, part) { ratios[effect] = abs(value) }
      return ratios
    }
    let found = SimplexMinimum(
      from: free.map { ratios[$0] }, steps: free.map { steps[$0] }, tolerance: tolerance
    ) { part in
      let ratios = full(part)
      return model.criterion(ratios) - 2 * prior.reduce(0) { $0 + .log(ratios[$1]) }
    }
    ratios = full(found.x)
    hasConverged = found.hasConverged
    return found.value
  }
}
