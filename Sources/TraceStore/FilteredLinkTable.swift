internal import CHDF5

/// `/filtered/NAME/links`: what a filter found for each link.
struct FilteredLinkTable {
  private let beacon: Column<UInt32>
  private let receiver: Column<UInt16>
  private let samples: Column<UInt64>
  private let q: Column<Double>
  private let r: Column<Double>
  private let logLikelihood: Column<Double>

  init(name: String, in file: Handle, mode: Table.Mode, path: String) throws(TraceError) {
    let rows = try Table("filtered/\(name)/links", in: file, mode: mode, path: path)
    beacon = try rows.column("beacon", UInt32.self, units: "1", "Row of /beacons")
    receiver = try rows.column("receiver", UInt16.self, units: "1", "Row of /receivers")
    samples = try rows.column("samples", UInt64.self, units: "1", "Levels filtered")
    q = try rows.column("q_db2_per_s", Double.self, units: "dB2/s", "Process noise; NaN = none")
    r = try rows.column("r_db2", Double.self, units: "dB2", "Measurement noise; NaN = none")
    logLikelihood = try rows.column(
      "log_likelihood", Double.self, units: "1", "Of the levels; NaN = none")
    try rows.alignToFirstColumn()
  }

  func append(_ links: [FilteredLink]) throws(TraceError) {
    try beacon.append(links.map(\.beacon))
    try receiver.append(links.map(\.receiver))
    try samples.append(links.map(\.samples))
    try q.append(links.map(\.q))
    try r.append(links.map(\.r))
    try logLikelihood.append(links.map(\.logLikelihood))
  }

  func read() throws(TraceError) -> [FilteredLink] {
    let beacons = try beacon.readAll()
    let receivers = try receiver.readAll()
    let counts = try samples.readAll()
    let qs = try q.readAll()
    let rs = try r.readAll()
    let likelihoods = try logLikelihood.readAll()
    let count = [
      beacons.count, receivers.count, counts.count, qs.count, rs.count, likelihoods.count,
    ].min() ?? 0
    return (0..<count).map { (row: Int) -> FilteredLink in
      FilteredLink(
        beacon: beacons[row], receiver: receivers[row], samples: counts[row], q: qs[row],
        r: rs[row], logLikelihood: likelihoods[row])
    }
  }
}
