internal import CHDF5
import Support

/// `/filtered/NAME/links`: what a filter found for each link.
struct FilteredLinkTable {
  private let beacon: Column<UInt32>
  private let receiver: Column<UInt16>
  private let samples: Column<UInt64>
  private let origin: Column<UInt8>?
  private let whitenessLags: Column<UInt16>?
  /// Columns of numbers, by where they belong in a `FilteredLink`.
  private let numbers: [(place: WritableKeyPath<FilteredLink, Double>, column: Column<Double>?)]

  init(name: String, in file: Handle, mode: Table.Mode, path: String) throws(RSSIError) {
    let rows = try Table("filtered/\(name)/links", in: file, mode: mode, path: path)
    beacon = try rows.column("beacon", UInt32.self, units: "1", "Row of /beacons")
    receiver = try rows.column("receiver", UInt16.self, units: "1", "Row of /receivers")
    samples = try rows.column("samples", UInt64.self, units: "1", "Levels filtered")
    origin = try rows.laterColumn(
      "noise_origin", UInt8.self, units: "1",
      "0 = no noise, 1 = given, 2 = estimated from the link, 3 = from all links, 4 = assumed")
    whitenessLags = try rows.laterColumn("whiteness_lags", UInt16.self, units: "1", "0 = no test")
    func number(
      _ place: WritableKeyPath<FilteredLink, Double>, _ name: String, _ units: String,
      _ description: String
    ) throws(RSSIError) -> (WritableKeyPath<FilteredLink, Double>, Column<Double>?) {
      (
        place,
        try rows.laterColumn(
          name, Double.self, units: units, missing: .nan, description + "; NaN = none")
      )
    }
    numbers = [
      try number(\.q, "q_db2_per_s", "dB2/s", "Process noise (dB2/s3 of a velocity)"),
      try number(\.r, "r_db2", "dB2", "Measurement noise"),
      try number(\.logLikelihood, "log_likelihood", "1", "Of the levels"),
      try number(\.qStandardError, "q_standard_error", "dB2/s", "Of q"),
      try number(\.rStandardError, "r_standard_error", "dB2", "Of r"),
      try number(\.qLow, "q_low", "dB2/s", "Lower end of the 95 % interval of q"),
      try number(\.qHigh, "q_high", "dB2/s", "Upper end of the 95 % interval of q"),
      try number(\.rLow, "r_low", "dB2", "Lower end of the 95 % interval of r"),
      try number(\.rHigh, "r_high", "dB2", "Upper end of the 95 % interval of r"),
      try number(\.whiteness, "whiteness", "1", "Ljung-Box Q of the prediction errors"),
      try number(\.whitenessP, "whiteness_p", "1", "How often white noise has so large a Q"),
      try number(\.meanNIS, "mean_nis", "1", "Mean squared prediction error over its variance"),
    ]
    try rows.alignToFirstColumn()
  }

  func append(_ links: [FilteredLink]) throws(RSSIError) {
    try beacon.append(links.map(\.beacon))
    try receiver.append(links.map(\.receiver))
    try samples.append(links.map(\.samples))
    try origin?.append(links.map(\.origin.rawValue))
    try whitenessLags?.append(links.map(\.whitenessLags))
    for (place, column) in numbers { try column?.append(links.map { $0[keyPath: place] }) }
  }

  func read() throws(RSSIError) -> [FilteredLink] {
    let beacons = try beacon.readAll()
    let receivers = try receiver.readAll()
    let counts = try samples.readAll()
    var links = zip(zip(beacons, receivers), counts).map { key, count in
      FilteredLink(beacon: key.0, receiver: key.1, samples: count)
    }
    if let origin {
      for (row, value) in try origin.readAll().enumerated() {
        links[row].origin = NoiseOrigin(rawValue: value) ?? .none
      }
    }
    if let whitenessLags {
      for (row, value) in try whitenessLags.readAll().enumerated() {
        links[row].whitenessLags = value
      }
    }
    for (place, column) in numbers {
      guard let column else { continue }
      for (row, value) in try column.readAll().enumerated() {
        links[row][keyPath: place] = value
      }
    }
    return links
  }
}
