import NumericalMethods

/// The units that a bootstrap draws: traces, or traces and then blocks of each.
///
/// Blocks alone would count the blocks of a trace as independent, although all of them have its
/// scale and its bias. The variance of drawn traces contains that within them once more, so two
/// stages err on the long side for traces that do not differ (Davison & Hinkley, "Bootstrap Methods
/// and their Application", 1997, section 3.8).
struct ResampledUnits {
  /// The units of each trace; of a single trace, the units are those that are drawn.
  private let groups: [[Int]]
  /// The number of units.
  let count: Int

  /// - Parameter owners: The trace of each unit; `nil` if each unit is a trace.
  init(count: Int, owners: [Int]?) {
    self.count = count
    var groups: [Int: [Int]] = [:]
    for (unit, owner) in (owners ?? []).enumerated() { groups[owner, default: []].append(unit) }
    let listed = groups.sorted { $0.key < $1.key }.map(\.value)
    self.groups = listed.count > 1 ? listed : [Array(0..<count)]
  }

  /// The number of independent units: traces, or the blocks of a single trace.
  var independent: Int { groups.count > 1 ? groups.count : count }

  /// Returns the number of times that each unit is drawn, with replacement.
  func draw(from random: inout SplitMix64) -> [Int32] {
    var times = [Int32](repeating: 0, count: count)
    for _ in groups {
      let group = groups.count > 1 ? groups[random.next(below: groups.count)] : groups[0]
      for _ in group { times[group[random.next(below: group.count)]] += 1 }
    }
    return times
  }

  /// Returns the degrees of freedom of the variance of a draw, by Satterthwaite's approximation
  /// for the components between and within traces ("An approximate distribution of estimates of
  /// variance components", Biometrics Bulletin 2, 1946).
  ///
  /// - Parameter deviations: The influence of each unit on the estimate, in any unit; the sum is 0.
  func freedom(_ deviations: [Double]) -> Double {
    guard groups.count > 1 else { return Double(count - 1) }
    let (between, within) = components(deviations)
    let (traces, blocks) = (Double(groups.count - 1), Double(count - groups.count))
    let spread = between * between / traces + (blocks > 0 ? within * within / blocks : 0)
    let sum = between + within
    return spread > 0 ? sum * sum / spread : traces
  }

  /// Returns the variance of the sum of the influences of several traces' blocks, between and
  /// within traces together.
  func variance(_ deviations: [Double]) -> Double {
    let (between, within) = components(deviations)
    return between + within
  }

  private func components(_ deviations: [Double]) -> (between: Double, within: Double) {
    (
      Self.squares(groups.map { $0.reduce(0) { $0 + deviations[$1] } }),
      groups.reduce(0) { $0 + Self.squares($1.map { deviations[$0] }) }
    )
  }

  /// Returns the variance of a sum of independent values with a common mean, from their spread.
  private static func squares(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return squares * Double(values.count) / Double(values.count - 1)
  }
}
