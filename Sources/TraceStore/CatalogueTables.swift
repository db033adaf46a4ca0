internal import Advertising
internal import CHDF5
internal import Sightings

/// The tables that sightings point into, beside the payloads.
struct CatalogueTables {
  private let beacons: NodeTable
  private let receivers: NodeTable
  private let traceID: TextColumn
  private let address: TextColumn
  private let addressType: Column<UInt8>
  private let distances: DistanceTable
  private let positions: PositionTable
  private let reason: TextColumn
  private let rejections: Column<UInt64>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(TraceError) {
    beacons = try NodeTable("beacons", in: file, mode: mode, path: path)
    receivers = try NodeTable("receivers", in: file, mode: mode, path: path)

    let traces = try Table("traces", in: file, mode: mode, path: path)
    traceID = try traces.text("id", width: 128, "Name of a continuous recording")
    try traces.alignToFirstColumn()

    let advertisers = try Table("advertisers", in: file, mode: mode, path: path)
    address = try advertisers.text("address", width: 17, "Device address")
    addressType = try advertisers.column(
      "address_type", UInt8.self, units: "1",
      "0 public, 1 random, 2 public identity, 3 random identity, 255 anonymous")
    try advertisers.alignToFirstColumn()

    distances = try DistanceTable(in: file, mode: mode, timeUnits: timeUnits, path: path)
    positions = try PositionTable(in: file, mode: mode, timeUnits: timeUnits, path: path)

    let rejected = try Table("rejected", in: file, mode: mode, path: path)
    reason = try rejected.text("reason", width: 64, "Why input was refused")
    rejections = try rejected.column("count", UInt64.self, units: "1", "How often")
    try rejected.alignToFirstColumn()
  }

  func append(_ catalogue: Catalogue, clock: Clock) throws(TraceError) {
    try beacons.append(catalogue.beacons)
    try receivers.append(catalogue.receivers)
    try traceID.append(catalogue.traces)
    try address.append(catalogue.advertisers.map(\.description))
    try addressType.append(catalogue.advertisers.map(\.type))
    try distances.append(catalogue.dwells, clock: clock)
    try positions.append(catalogue.truth, clock: clock)
    try reason.append(catalogue.rejected.map(\.reason))
    try rejections.append(catalogue.rejected.map(\.count))
  }

  func read(clock: Clock, path: String) throws(TraceError) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.beacons = try beacons.read()
    catalogue.receivers = try receivers.read()
    catalogue.traces = try traceID.readAll()
    let types = try addressType.readAll()
    for (text, type) in zip(try address.readAll(), types) {
      let bits = UInt64(text.filter { $0 != ":" }, radix: 16)
      guard let bits else {
        throw TraceError(.badInput, "\"\(text)\" in /advertisers of \(path) is not an address")
      }
      catalogue.advertisers.append(DeviceAddress(bits: bits, type: type))
    }
    catalogue.dwells = try distances.read(clock: clock)
    catalogue.truth = try positions.read(clock: clock)
    for (reason, count) in zip(try reason.readAll(), try rejections.readAll()) {
      catalogue.rejected.append(Rejected(reason: reason, count: count))
    }
    try requireKnown(catalogue, path)
    return catalogue
  }

  /// Refuses truth about nodes or traces that the file does not have.
  private func requireKnown(_ catalogue: Catalogue, _ path: String) throws(TraceError) {
    func isKnown(_ beacon: UInt32, _ receiver: UInt16, _ trace: UInt16) -> Bool {
      beacon < catalogue.beacons.count && receiver < catalogue.receivers.count
        && trace < catalogue.traces.count
    }
    let dwells = catalogue.dwells.allSatisfy { isKnown($0.beacon, $0.receiver, $0.trace) }
    let positions = catalogue.truth.allSatisfy { point in
      let nodes = point.role == .beacon ? catalogue.beacons.count : catalogue.receivers.count
      return point.node < nodes && point.trace < catalogue.traces.count
    }
    guard dwells, positions else {
      throw TraceError(
        .badInput,
        "/truth of \(path) is about a node or a trace that the file does not have: it is damaged")
    }
  }
}
