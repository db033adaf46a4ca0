import Filtering
import Sightings
import TraceStore

/// A beacon heard by a receiver, in whatever trace.
struct LinkKey: Hashable {
  let beacon: UInt32
  let receiver: UInt16
}

/// The noise that a chain's filters use for each link: estimated from the trace where it is not
/// written.
struct LinkNoise {
  /// What a person should know about the estimates.
  private(set) var notes: [String] = []
  private let chain: [FilterSpecification]
  private var estimates: [LinkKey: NoiseEstimate] = [:]
  private var pooled = Noise.walking
  private var hasPooled = false

  /// Levels a link's estimate is made from, and all links together; more would cost memory and
  /// hardly narrow the estimate.
  private static let linkLimit = 20_000
  private static let totalLimit = 2_000_000
  /// Below this a link borrows the estimate of all links.
  private static let fewest = 50

  /// Reads the trace once where a filter has no parameters.
  ///
  /// - Parameter resetAfter: nanoseconds; no step over a longer gap is looked at.
  init(_ reader: TraceReader, _ chain: [FilterSpecification], resetAfter: Int64?) throws {
    self.chain = chain
    guard chain.contains(where: { $0.missingNoise != nil }) else { return }
    if let first = chain.first, first.missingNoise == nil {
      notes.append("q and r are estimated from the unfiltered levels")
    }
    var histories = LevelHistories(
      reader.catalogue, linkLimit: Self.linkLimit, totalLimit: Self.totalLimit,
      resetAfter: resetAfter)
    try reader.forEachBlock([.time, .link, .rssi]) { histories.append($0) }
    let links = histories.byLink()
    if let all = NoiseEstimate(links.flatMap(\.levels)) {
      pooled = Noise(q: all.q, r: all.r)
      hasPooled = true
    } else {
      notes.append(
        "too few levels to estimate q and r: using 6 dB²/s and 12 dB², those of a person walking")
    }
    var borrowers = 0
    for link in links {
      let levels = link.levels.reduce(0) { $0 + $1.times.count }
      if levels >= Self.fewest, let estimate = NoiseEstimate(link.levels) {
        estimates[link.key] = estimate
      } else {
        borrowers += 1
      }
    }
    if borrowers > 0, hasPooled {
      notes.append(
        "\(borrowers) of \(links.count) links have fewer than \(Self.fewest) levels and use the estimate of all links"
      )
    }
  }

  /// For each filter of the chain, the noise of a link.
  func of(_ link: LinkKey) -> [Noise] {
    let noise = estimates[link].map { Noise(q: $0.q, r: $0.r) } ?? pooled
    return chain.map { _ in noise }
  }
}
