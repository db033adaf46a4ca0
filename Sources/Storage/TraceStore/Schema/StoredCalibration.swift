internal import CHDF5
internal import Sightings
import Support

/// The stored calibration of a trace: the constants of each group as columns, and the complete
/// document of a calibration file.
package struct StoredCalibration: Sendable {
  package var model: String
  package var estimator: String
  /// The kind of the groups, such as `pooled` or `beacon`.
  package var by: String
  /// The convention that separates offsets of beacons and receivers; nil for models without them.
  package var gauge: String?
  package var groups: [StoredConstants]
  /// The calibration file, byte by byte.
  package var document: [UInt8]

  package init(
    model: String, estimator: String, by: String, gauge: String? = nil,
    groups: [StoredConstants], document: [UInt8]
  ) {
    self.model = model
    self.estimator = estimator
    self.by = by
    self.gauge = gauge
    self.groups = groups
    self.document = document
  }
}

/// The constants of one group of a calibration; NaN for missing ones.
package struct StoredConstants: Sendable {
  package var key: String
  /// The beacon, receiver and series of the group; empty for several.
  package var beacon = ""
  package var receiver = ""
  package var series = ""
  package var samples: UInt64 = 0
  package var positions: UInt64 = 0
  /// The number of different distances.
  package var distances: UInt64 = 0
  package var hasConverged = true
  /// The unit that standard errors treat as independent: `positions` or `samples`; empty if there
  /// are none.
  package var errorBasis = ""
  /// The RSSI at 1 m in dBm, with its standard error in dB.
  package var measuredPower = Double.nan
  package var powerError = Double.nan
  package var powerLow = Double.nan
  package var powerHigh = Double.nan
  package var powerFreedom = Double.nan
  package var exponent = Double.nan
  package var exponentError = Double.nan
  package var exponentLow = Double.nan
  package var exponentHigh = Double.nan
  package var exponentFreedom = Double.nan
  /// The covariance of measured power and exponent, in dB.
  package var covariance = Double.nan
  /// The standard deviation of the readings about the curve, in dB.
  package var sigma = Double.nan
  package var sigmaLow = Double.nan
  package var sigmaHigh = Double.nan
  /// The standard deviations of positions about the curve, and of readings about their position, in
  /// dB.
  package var positionDeviation = Double.nan
  package var successiveDeviation = Double.nan
  package var packetDeviation = Double.nan
  /// The nearest distance, in metres.
  package var nearest = Double.nan
  package var farthest = Double.nan
  /// The distance at which two slopes meet, in metres, and the exponent beyond; NaN for other
  /// models.
  package var breakpoint = Double.nan
  package var farExponent = Double.nan

  package init(key: String) { self.key = key }
}

/// The tables `/calibration`: the constants, one row per group, and the complete document.
struct CalibrationTables {
  private let table: Table
  private let document: Column<UInt8>
  private let groups: RowTable<StoredConstants>

  /// Returns a Boolean value that is true if a file has them; another program's group of that name
  /// does not count.
  static func isThere(in file: TraceFile) -> Bool {
    groupNames("calibration", in: file.handle).contains("groups")
      && H5Lexists(file.handle.id, "calibration/document", hid_t(H5P_DEFAULT)) > 0
  }

  init(in file: TraceFile) throws(RSSIError) {
    table = try Table("calibration", in: file, isLong: true, limit: Self.longest)
    document = try table.column(
      "document", UInt8.self, units: "1", "The calibration file: JSON in UTF-8")
    try table.alignToFirstColumn()
    groups = try RowTable(.constants, in: file)
  }

  func write(_ calibration: StoredCalibration, path: String) throws(RSSIError) {
    guard calibration.document.count <= Self.longest else {
      throw RSSIError(
        .badInput, "cannot write \(path): the calibration is longer than 1 GiB; fit parts of it")
    }
    let group = table.group
    try group.setAttribute("model", calibration.model, in: path)
    try group.setAttribute("estimator", calibration.estimator, in: path)
    try group.setAttribute("by", calibration.by, in: path)
    if let gauge = calibration.gauge { try group.setAttribute("gauge", gauge, in: path) }
    try document.append(calibration.document)
    try groups.append(calibration.groups)
  }

  func read() throws(RSSIError) -> StoredCalibration {
    let group = table.group
    return StoredCalibration(
      model: group.textAttribute("model") ?? "", estimator: group.textAttribute("estimator") ?? "",
      by: group.textAttribute("by") ?? "", gauge: group.textAttribute("gauge"),
      groups: try groups.read(), document: try document.readAll())
  }

  /// The largest size of a document, in bytes.
  private static let longest = 1 << 30
}

extension Schema<StoredConstants> {
  fileprivate static var constants: Schema {
    let (low, high) = ("Lower end of the 95 % interval", "Upper end of the 95 % interval")
    let freedom = "Of Student's t in the interval"
    return Schema(
      "calibration/groups", empty: StoredConstants(key: ""),
      [
        .text(\.key, "key", .identity(512), "Name of the group"),
        .text(\.beacon, "beacon", .nodeIdentity, "Identity of its beacon; empty = several"),
        .text(\.receiver, "receiver", .nodeIdentity, "Its receiver; empty = several"),
        .text(\.series, "series", .trace, "Its trace; empty = several"),
        .text(
          \.errorBasis, "standard_error_basis", .words(16),
          "What standard errors take as independent: positions or samples"),
        .number(\.samples, "samples", "Readings fitted"),
        .number(\.positions, "positions", "Positions that they are from"),
        .number(\.distances, "distances", "Different distances"),
        .flag(\.hasConverged, "converged", "1 = the estimate settled; 0 = do not use it"),
        .estimate(\.measuredPower, "measured_power_dbm", "dBm", "RSSI at 1 m"),
        .estimate(\.powerError, "measured_power_standard_error_db", "dB", "Standard error"),
        .estimate(\.powerLow, "measured_power_low_dbm", "dBm", low),
        .estimate(\.powerHigh, "measured_power_high_dbm", "dBm", high),
        .estimate(\.powerFreedom, "measured_power_degrees_of_freedom", "1", freedom),
        .estimate(\.exponent, "exponent", "1", "Path-loss exponent"),
        .estimate(\.exponentError, "exponent_standard_error", "1", "Standard error"),
        .estimate(\.exponentLow, "exponent_low", "1", low),
        .estimate(\.exponentHigh, "exponent_high", "1", high),
        .estimate(\.exponentFreedom, "exponent_degrees_of_freedom", "1", freedom),
        .estimate(
          \.covariance, "covariance_measured_power_exponent_db", "dB", "Of the two estimates"),
        .estimate(\.sigma, "sigma_db", "dB", "Standard deviation of readings about the curve"),
        .estimate(\.sigmaLow, "sigma_low_db", "dB", low),
        .estimate(\.sigmaHigh, "sigma_high_db", "dB", high),
        .estimate(\.positionDeviation, "position_sd_db", "dB", "Of positions about the curve"),
        .estimate(\.packetDeviation, "packet_sd_db", "dB", "Of readings about their position"),
        .estimate(
          \.successiveDeviation, "successive_sd_db", "dB",
          "Of what successive readings do not share"),
        .estimate(\.nearest, "distance_min_m", "m", "Nearest distance"),
        .estimate(\.farthest, "distance_max_m", "m", "Farthest distance"),
        .estimate(\.breakpoint, "breakpoint_m", "m", "Where two slopes meet"),
        .estimate(\.farExponent, "far_exponent", "1", "Exponent beyond the breakpoint"),
      ])
  }
}

extension SchemaColumn<StoredConstants> {
  fileprivate static func estimate(
    _ place: WritableKeyPath<StoredConstants, Double>, _ name: String, _ units: String,
    _ description: String
  ) -> Self {
    .number(
      place, name, units: units, missing: .nan, isLater: true, description + "; NaN = none")
  }
}
