import Filtering
import Sightings
import TraceStore

/// The parameters of a chain for each link: as written, or estimated from the trace.
struct NoiseByLink {
  /// What a person should know about the estimates.
  private(set) var notes: [String] = []
  private let chain: [FilterSpecification]
  private var estimates: [UInt64: NoiseEstimate] = [:]
  private var pooled = NoiseByLink.walking

  /// What a person walking indoors gives, about (docs/filters.md): for streams, and for
  /// traces too short for an estimate of their own.
  static let walking: (q: Double, r: Double) = (6, 12)

  /// Levels a link's estimate is made from, and all links together; more would cost memory and
  /// hardly narrow the estimate.
  private static let linkLimit = 20_000
  private static let totalLimit = 2_000_000
  /// Below this a link borrows the estimate of all links.
  private static let fewest = 50

  /// Reads the trace once where a filter has no parameters.
  init(
    _ reader: TraceReader, _ links: LinkIndex, _ chain: [FilterSpecification]
  ) throws {
    self.chain = chain
    guard chain.contains(.kalman(q: nil, r: nil)) else { return }
    if chain.first != .kalman(q: nil, r: nil) {
      notes.append("q and r are estimated from the unfiltered levels")
    }
    var histories: [NoiseEstimate.Link] = []
    var keys: [UInt64] = []
    var kept = 0
    var index = links
    try reader.forEachBlock([.time, .link, .rssi]) { rows in
      for row in 0..<rows.count {
        let (link, isNew) = index.number(rows, row)
        if isNew {
          histories.append(NoiseEstimate.Link())
          keys.append(Self.key(rows.beacon[row], rows.receiver[row]))
        }
        guard !rows.rssi[row].isNaN, kept < Self.totalLimit,
          histories[link].times.count < Self.linkLimit
        else { continue }
        histories[link].times.append(rows.time[row])
        histories[link].levels.append(rows.rssi[row])
        kept += 1
      }
    }
    if let all = NoiseEstimate(histories) {
      pooled = (all.q, all.r)
    } else {
      notes.append("too few levels to estimate q and r: using 6 dB²/s and 12 dB², those of a person walking")
    }
    var byLink: [UInt64: [NoiseEstimate.Link]] = [:]
    for (key, history) in zip(keys, histories) { byLink[key, default: []].append(history) }
    var borrowers = 0
    for (key, traces) in byLink {
      let levels = traces.reduce(0) { $0 + $1.times.count }
      if levels >= Self.fewest, let estimate = NoiseEstimate(traces) {
        estimates[key] = estimate
      } else {
        borrowers += 1
      }
    }
    if borrowers > 0 {
      notes.append("\(borrowers) of \(byLink.count) links have fewer than \(Self.fewest) levels and use the estimate of all links")
    }
  }

  /// The chain for one link.
  func stages(of link: (beacon: UInt32, receiver: UInt16)) -> [LinkFilter.Stage] {
    let own = estimates[Self.key(link.beacon, link.receiver)]
    let noise = own.map { ($0.q, $0.r) } ?? pooled
    return chain.map { LinkFilter.stage($0, noise: noise) }
  }

  private static func key(_ beacon: UInt32, _ receiver: UInt16) -> UInt64 {
    UInt64(receiver) << 32 | UInt64(beacon)
  }
}
