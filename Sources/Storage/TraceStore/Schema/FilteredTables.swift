internal import Sightings
import Support

/// The tables `/filtered/NAME`: levels and variances of one filter, one row per sighting.
struct FilteredTable {
  let group: Table
  let rssi: Column<Float>
  let variance: Column<Float>

  init(_ name: String, in file: TraceFile) throws(RSSIError) {
    group = try Table("filtered/\(name)", in: file, isLong: true, limit: 1 << 48)
    rssi = try group.column(
      "rssi_dbm", Float.self, units: "dBm", missing: .nan,
      "Filtered level; NaN where there was none to filter")
    variance = try group.column(
      "variance_db2", Float.self, units: "dB2", missing: .nan,
      "Variance of the level; NaN where the filter has none")
  }

  /// Creates the table in a file with sightings.
  ///
  /// - Parameter chain: The filters with their parameters, as text.
  static func create(
    _ name: String, chain: String, in file: TraceFile
  ) throws(RSSIError) -> FilteredTable {
    let new = try FilteredTable(name, in: file)
    try new.group.align(to: "time_s", of: "sightings", in: file)
    try new.group.group.setAttribute("chain", chain, in: file.path)
    return new
  }

  /// The filters with their parameters, as text.
  var chain: String { group.group.textAttribute("chain") ?? "" }

  func append(_ levels: FilteredLevels) throws(RSSIError) {
    try TraceStore.append([variance.appending(levels.variance), rssi.appending(levels.rssi)])
  }
}

extension Schema<FilteredLink> {
  /// The schema of `/filtered/NAME/links`: the results of a filter per link.
  static func links(ofFilter name: String) -> Schema {
    Schema(
      "filtered/\(name)/links", empty: FilteredLink(beacon: 0, receiver: 0, samples: 0),
      [
        .number(\.beacon, "beacon", "Row of /beacons"),
        .number(\.receiver, "receiver", "Row of /receivers"),
        .number(\.samples, "samples", "Levels filtered"),
        .code(
          \.origin, "noise_origin", other: .none, isLater: true,
          "0 = no noise, 1 = given, 2 = estimated from the link, 3 = from all links, 4 = assumed"),
        .number(\.whitenessLags, "whiteness_lags", isLater: true, "0 = no test"),
        .estimate(\.q, "q_db2_per_s", "dB2/s", "Process noise (dB2/s3 of a velocity)"),
        .estimate(\.r, "r_db2", "dB2", "Measurement noise"),
        .estimate(\.logLikelihood, "log_likelihood", "1", "Of the levels"),
        .estimate(\.qStandardError, "q_standard_error", "dB2/s", "Of q"),
        .estimate(\.rStandardError, "r_standard_error", "dB2", "Of r"),
        .estimate(\.qLow, "q_low", "dB2/s", "Lower end of the 95 % interval of q"),
        .estimate(\.qHigh, "q_high", "dB2/s", "Upper end of the 95 % interval of q"),
        .estimate(\.rLow, "r_low", "dB2", "Lower end of the 95 % interval of r"),
        .estimate(\.rHigh, "r_high", "dB2", "Upper end of the 95 % interval of r"),
        .estimate(\.whiteness, "whiteness", "1", "Ljung-Box Q of the prediction errors"),
        .estimate(\.whitenessP, "whiteness_p", "1", "How often white noise has so large a Q"),
        .estimate(\.meanNIS, "mean_nis", "1", "Mean squared prediction error over its variance"),
        .code(
          \.floorOrigin, "floor_origin", other: .none, isLater: true,
          "0 = no floor, 1 = given, 2 = estimated from the receiver's links, 3 = assumed"),
        .code(\.lossOrigin, "loss_origin", other: .none, isLater: true, "As floor_origin"),
        .estimate(\.floor, "floor_dbm", "dBm", "Level of half reception"),
        .estimate(\.edge, "edge_db", "dB", "Standard deviation of the edge of reception"),
        .estimate(\.loss, "loss", "1", "Share of strong packets that are lost"),
      ])
  }
}

extension SchemaColumn<FilteredLink> {
  fileprivate static func estimate(
    _ place: WritableKeyPath<FilteredLink, Double>, _ name: String, _ units: String,
    _ description: String
  ) -> Self {
    .number(
      place, name, units: units, missing: .nan, isLater: true, description + "; NaN = none")
  }
}

/// A filter with levels in a trace.
package struct StoredFilter: Sendable {
  package var name: String
  /// The filters with their parameters, as they were written.
  package var chain: String
  package var links: [FilteredLink]
}

/// The levels of a filter for some rows.
package struct FilteredLevels: Sendable {
  package var rssi: [Float] = []
  package var variance: [Float] = []

  mutating func takeFirst(_ count: Int) -> Self {
    defer {
      rssi.removeFirst(count)
      variance.removeFirst(count)
    }
    return Self(rssi: Array(rssi[..<count]), variance: Array(variance[..<count]))
  }
}

/// The noise of a filter for one link, with its test.
package struct FilteredLink: Equatable, Sendable {
  package var beacon: UInt32
  package var receiver: UInt16
  /// The number of filtered levels.
  package var samples: UInt64
  /// The process noise in dB² per second (per second³ with a slope); NaN for a filter without
  /// noise.
  package var q = Double.nan
  /// The measurement noise in dB²; NaN for a filter without noise.
  package var r = Double.nan
  /// The log-likelihood of the levels; NaN for a filter without noise.
  package var logLikelihood = Double.nan
  /// The source of q and r.
  package var origin = NoiseOrigin.none
  /// The standard errors of q and r if they are the link's own estimates; otherwise NaN.
  package var qStandardError = Double.nan
  package var rStandardError = Double.nan
  /// The 95 % intervals of q and r if they are the link's own estimates; otherwise NaN.
  package var qLow = Double.nan
  package var qHigh = Double.nan
  package var rLow = Double.nan
  package var rHigh = Double.nan
  /// The Ljung–Box test of the prediction errors: Q, its lags and its p-value; NaN and 0 without a
  /// test.
  package var whiteness = Double.nan
  package var whitenessLags: UInt16 = 0
  package var whitenessP = Double.nan
  /// The mean of the squared prediction errors over their variances; near 1 for suitable q and r.
  package var meanNIS = Double.nan
  /// The reception of a filter that uses missed packets: the level of half reception in dBm, the
  /// standard deviation of its edge in dB, and the share of strong packets that are lost; NaN for
  /// other filters.
  package var floor = Double.nan
  package var edge = Double.nan
  package var loss = Double.nan
  /// The sources of `floor` and of `loss`.
  package var floorOrigin = ReceptionOrigin.none
  package var lossOrigin = ReceptionOrigin.none

  package init(beacon: UInt32, receiver: UInt16, samples: UInt64) {
    self.beacon = beacon
    self.receiver = receiver
    self.samples = samples
  }
}

/// The source of the noise that a filter used for a link.
package enum NoiseOrigin: UInt8, Sendable {
  /// The filter has no noise.
  case none = 0
  /// Given by the user.
  case given = 1
  /// Estimated from the levels of the link.
  case link = 2
  /// Estimated from the levels of all links, because the link has too few.
  case pooled = 3
  /// That of a person walking, because the recording has too few levels.
  case assumed = 4

  /// The name in reports.
  package var name: String {
    switch self {
    case .none: "none"
    case .given: "given"
    case .link: "link"
    case .pooled: "pooled"
    case .assumed: "assumed"
    }
  }
}

/// The source of a parameter of reception that a filter used for a link.
package enum ReceptionOrigin: UInt8, Sendable {
  /// The filter does not use missed packets.
  case none = 0
  /// Given by the user.
  case given = 1
  /// Estimated from the received and missed packets of all links of the receiver.
  case estimated = 2
  /// Assumed, because the packets do not determine it.
  case assumed = 3

  /// The name in reports.
  package var name: String {
    switch self {
    case .none: "none"
    case .given: "given"
    case .estimated: "estimated"
    case .assumed: "assumed"
    }
  }
}
