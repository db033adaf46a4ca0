public import Filtering

/// The score of a filter on the links of a table.
public struct FilterScore: Equatable, Sendable {
  /// The number of compared levels.
  public var samples = 0
  /// The root mean square error, in dB. Against held-out readings, it includes their noise.
  public var rootMeanSquare = Double.nan
  /// The mean error, in dB.
  public var bias = Double.nan
  /// The coverage of ± 1.96 standard deviations; NaN if the filter returns no variance.
  public var coverage = Double.nan
  /// The delay behind a level that rises by 1 dB per second, at these sightings' times, in seconds.
  public var lag = Double.nan
  /// The variance of independent noise before the filter over that after it, at these sightings'
  /// times.
  public var noiseReduction = Double.nan

  init() {}
}

/// The output of a chain of filters for a table, row by row.
struct FilterRun {
  private(set) var rssi: [Double]
  private(set) var variance: [Double]

  init(_ candidate: FilterCandidate, over table: TrialLevels) {
    rssi = Array(repeating: .nan, count: table.count)
    variance = rssi
    var chain = FilterChain(
      candidate.chain, reorder: candidate.reorder, resetAfter: candidate.resetAfter)
    for (link, place) in table.places.enumerated() {
      _ = chain.addLink(place, noise: candidate.noise(link))
    }
    var rows = LevelRows()
    for first in stride(from: 0, to: table.count, by: 8192) {
      rows.removeAll()
      for row in first..<min(first + 8192, table.count) {
        rows.append(
          row: row, link: Int(table.link[row]), time: table.time[row], rssi: table.rssi[row],
          channel: table.channel[row])
      }
      chain.process(&rows)
      keep(rows)
    }
    chain.finish(&rows)
    keep(rows)
  }

  private mutating func keep(_ rows: LevelRows) {
    for index in 0..<rows.count {
      rssi[rows.row[index]] = rows.rssi[index]
      variance[rows.row[index]] = rows.variance[index]
    }
  }
}

/// A chain of filters to compare with others.
public struct FilterCandidate: Sendable {
  /// The chain as the user wrote it.
  public let name: String
  /// The filters; empty for the raw levels.
  public let chain: [FilterSpecification]
  /// The longest delay of a sighting out of order, as in `FilterChain`.
  public let reorder: Duration
  /// The gap that restarts the filters of a link; nil = none does.
  public let resetAfter: Duration?
  /// The noise of each filter of the chain for a link, used for filters without noise of their own.
  public let noise: @Sendable (_ link: Int) -> [Noise]

  /// Creates a chain to compare.
  public init(
    name: String, chain: [FilterSpecification], reorder: Duration = .zero,
    resetAfter: Duration? = nil,
    noise: @escaping @Sendable (_ link: Int) -> [Noise]
  ) {
    self.name = name
    self.chain = chain
    self.reorder = reorder
    self.resetAfter = resetAfter
    self.noise = noise
  }

  /// A Boolean value that is true if the output depends on no later sighting.
  public var isCausal: Bool { chain.allSatisfy(\.kind.isCausal) }
}
