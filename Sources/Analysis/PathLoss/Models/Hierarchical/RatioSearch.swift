internal import NumericalMethods
import RealModule

/// The ratios of standard deviations at which the restricted likelihood is largest.
///
/// The criterion is an even function of each ratio, so the simplex may walk across 0: a boundary is
/// a minimum like another.
struct RatioSearch {
  var ratios: [Double]
  var hasConverged: Bool

  /// A ratio is 0 where that costs less than this of −2 log likelihood.
  private static let negligible = 1e-6

  /// - Parameter scale: about the size of the largest ratio.
  init(_ model: inout MixedModel, scale: Double) {
    let effects = model.effects
    ratios = Array(repeating: 0, count: effects)
    hasConverged = true
    guard effects > 0 else { return }
    // Every choice of large and small effects as a start: a look at each is cheaper than a search.
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

  /// The first sides of a simplex that starts near the minimum.
  private func sides(_ scale: Double) -> [Double] { ratios.map { max(0.05 * $0, 0.01 * scale) } }

  private mutating func refine(
    _ model: inout MixedModel, _ free: [Int], steps: [Double], tolerance: Double
  ) -> Double {
    let fixed = ratios
    func full(_ part: [Double]) -> [Double] {
      var ratios = fixed
      for (effect, value) in zip(free, part) { ratios[effect] = abs(value) }
      return ratios
    }
    let found = SimplexMinimum(
      from: free.map { ratios[$0] }, steps: free.map { steps[$0] }, tolerance: tolerance
    ) { model.criterion(full($0)) }
    ratios = full(found.x)
    hasConverged = found.hasConverged
    return found.value
  }
}
