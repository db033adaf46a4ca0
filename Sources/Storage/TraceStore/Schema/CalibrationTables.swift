internal import CHDF5
internal import Sightings
import Support

/// `/calibration`: its groups' constants, a row each, and the document that all of it is in.
struct CalibrationTables {
  private let table: Table
  private let document: Column<UInt8>
  private let hasConverged: Column<UInt8>
  /// Columns by where they belong in a `StoredConstants`.
  private let texts: [(place: WritableKeyPath<StoredConstants, String>, column: TextColumn)]
  private let counts: [(place: WritableKeyPath<StoredConstants, UInt64>, column: Column<UInt64>)]
  private let numbers: [(place: WritableKeyPath<StoredConstants, Double>, column: Column<Double>?)]

  /// Whether a file has them; another program's group of that name is none.
  static func isThere(in file: Handle) -> Bool {
    groupNames("calibration", in: file).contains("groups")
      && H5Lexists(file.id, "calibration/document", hid_t(H5P_DEFAULT)) > 0
  }

  init(in file: Handle, mode: Table.Mode, path: String) throws(RSSIError) {
    table = try Table(
      "calibration", in: file, mode: mode, path: path, isLong: true, limit: Self.longest)
    document = try table.column(
      "document", UInt8.self, units: "1", "The calibration file: JSON in UTF-8")
    try table.alignToFirstColumn()
    let rows = try Table("calibration/groups", in: file, mode: mode, path: path)
    func text(
      _ place: WritableKeyPath<StoredConstants, String>, _ name: String, _ limit: TextLimit,
      _ description: String
    ) throws(RSSIError) -> (WritableKeyPath<StoredConstants, String>, TextColumn) {
      (place, try rows.text(name, limit, description))
    }
    func count(
      _ place: WritableKeyPath<StoredConstants, UInt64>, _ name: String, _ description: String
    ) throws(RSSIError) -> (WritableKeyPath<StoredConstants, UInt64>, Column<UInt64>) {
      (place, try rows.column(name, UInt64.self, units: "1", description))
    }
    func number(
      _ place: WritableKeyPath<StoredConstants, Double>, _ name: String, _ units: String,
      _ description: String
    ) throws(RSSIError) -> (WritableKeyPath<StoredConstants, Double>, Column<Double>?) {
      (
        place,
        try rows.laterColumn(
          name, Double.self, units: units, missing: .nan, description + "; NaN = none")
      )
    }
    texts = [
      try text(\.key, "key", .identity(512), "Name of the group"),
      try text(\.beacon, "beacon", .nodeIdentity, "Identity of its beacon; empty = several"),
      try text(\.receiver, "receiver", .nodeIdentity, "Its receiver; empty = several"),
      try text(\.series, "series", .trace, "Its trace; empty = several"),
      try text(
        \.errorBasis, "standard_error_basis", .words(16),
        "What standard errors take as independent: positions or samples"),
    ]
    counts = [
      try count(\.samples, "samples", "Readings fitted"),
      try count(\.positions, "positions", "Positions that they are from"),
      try count(\.distances, "distances", "Different distances"),
    ]
    hasConverged = try rows.column(
      "converged", UInt8.self, units: "1", "1 = the estimate settled; 0 = do not use it")
    let (low, high) = ("Lower end of the 95 % interval", "Upper end of the 95 % interval")
    let freedom = "Of Student's t in the interval"
    numbers = [
      try number(\.measuredPower, "measured_power_dbm", "dBm", "RSSI at 1 m"),
      try number(\.powerError, "measured_power_standard_error_db", "dB", "Standard error"),
      try number(\.powerLow, "measured_power_low_dbm", "dBm", low),
      try number(\.powerHigh, "measured_power_high_dbm", "dBm", high),
      try number(\.powerFreedom, "measured_power_degrees_of_freedom", "1", freedom),
      try number(\.exponent, "exponent", "1", "Path-loss exponent"),
      try number(\.exponentError, "exponent_standard_error", "1", "Standard error"),
      try number(\.exponentLow, "exponent_low", "1", low),
      try number(\.exponentHigh, "exponent_high", "1", high),
      try number(\.exponentFreedom, "exponent_degrees_of_freedom", "1", freedom),
      try number(
        \.covariance, "covariance_measured_power_exponent_db", "dB", "Of the two estimates"),
      try number(\.sigma, "sigma_db", "dB", "Standard deviation of readings about the curve"),
      try number(\.sigmaLow, "sigma_low_db", "dB", low),
      try number(\.sigmaHigh, "sigma_high_db", "dB", high),
      try number(\.positionDeviation, "position_sd_db", "dB", "Of positions about the curve"),
      try number(\.packetDeviation, "packet_sd_db", "dB", "Of readings about their position"),
      try number(
        \.successiveDeviation, "successive_sd_db", "dB",
        "Of what successive readings do not share"),
      try number(\.nearest, "distance_min_m", "m", "Nearest distance"),
      try number(\.farthest, "distance_max_m", "m", "Farthest distance"),
      try number(\.breakpoint, "breakpoint_m", "m", "Where two slopes meet"),
      try number(\.farExponent, "far_exponent", "1", "Exponent beyond the breakpoint"),
    ]
    try rows.alignToFirstColumn()
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
    let groups = calibration.groups
    for (place, column) in texts { try column.append(groups.map { $0[keyPath: place] }) }
    for (place, column) in counts { try column.append(groups.map { $0[keyPath: place] }) }
    try hasConverged.append(groups.map { $0.hasConverged ? 1 : 0 })
    for (place, column) in numbers { try column?.append(groups.map { $0[keyPath: place] }) }
  }

  func read() throws(RSSIError) -> StoredCalibration {
    var groups = try texts[0].column.readAll().map { StoredConstants(key: $0) }
    func set<Value>(_ place: WritableKeyPath<StoredConstants, Value>, _ values: [Value]) {
      for row in groups.indices { groups[row][keyPath: place] = values[row] }
    }
    for (place, column) in texts { set(place, try column.readAll()) }
    for (place, column) in counts { set(place, try column.readAll()) }
    set(\.hasConverged, try hasConverged.readAll().map { $0 != 0 })
    for (place, column) in numbers {
      if let column { set(place, try column.readAll()) }
    }
    let group = table.group
    return StoredCalibration(
      model: group.textAttribute("model") ?? "", estimator: group.textAttribute("estimator") ?? "",
      by: group.textAttribute("by") ?? "", gauge: group.textAttribute("gauge"), groups: groups,
      document: try document.readAll())
  }

  /// Bytes of a document.
  private static let longest = 1 << 30
}
