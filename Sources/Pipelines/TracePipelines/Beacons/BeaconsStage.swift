public import Recordings
public import Registries
import Sightings
import Support
import TraceStore

/// A list of the devices in sightings: the inputs, the selection and the order.
public struct BeaconsRequest: Sendable {
  /// Traces, recordings and tables; - is NDJSON on the standard input.
  public var inputs: [String]
  /// The columns of tables of other programs.
  public var columns = ColumnMap()
  /// The sightings to take into account; all by default.
  public var selection = SightingSelection()
  /// Names and powers of beacons.
  public var registry = Registry()
  package var companies = CompanyNames()
  /// The order of the devices.
  public var order = DeviceOrder.sightings

  /// Creates a request for the devices of some inputs.
  public init(inputs: [String]) { self.inputs = inputs }
}

/// Lists the devices that were received, in constant memory in the number of sightings.
public struct BeaconsStage: Stage {
  private let request: BeaconsRequest

  public init(_ request: BeaconsRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> HeardDevices {
    let tally = try request.tally(log: context.log)
    if !request.selection.isEverything { try tally.names.require(request.selection) }
    return request.described(tally)
  }
}

extension BeaconsRequest {
  /// Reads the inputs on all cores.
  func tally(log: any ActivityLog) throws -> DeviceSummary {
    try requireDistinctInputs(inputs)
    let progress = FilesProgress("beacons", inputs, log: log)
    defer { progress.finish() }
    var whole = DeviceSummary()
    try parallelInOrder(inputs.count) { index in
      let notes = HeldNotes()
      return (try tally(inputs[index], progress.file(index), log: notes), notes)
    } take: { tally, notes in
      notes.pass(to: log)
      whole.merge(tally)
    }
    return whole
  }

  private func tally(
    _ input: String, _ progress: any ActivityProgress, log: any ActivityLog
  ) throws -> DeviceSummary {
    let tally = DeviceTally()
    let rows = RowSelection(selection)
    let catalogue = try forEachBlock(
      of: input, .all, columns: columns, progress: progress,
      note: log.note, into: SelectingSink(rows, into: tally))
    progress.finish()
    rows.endFile(catalogue)
    tally.endFile(catalogue)
    return DeviceSummary(tally.devices, names: rows.heard)
  }

  /// Returns the devices as they are shown, in the order of the request.
  func described(_ tally: DeviceSummary) -> HeardDevices {
    HeardDevices(order.sorted(tally.devices.values.map { described($0, in: tally) }))
  }

  private func described(_ figures: DeviceFigures, in tally: DeviceSummary) -> HeardDevice {
    registry.learn(figures.id, sentFrom: figures.addresses)
    let known = registry[id: figures.id]
    // A beacon's own name and company mostly come in other packets, which have only its address.
    let sender = figures.sender.flatMap { tally.device(sentBy: $0) }
    let names = [known?.name, figures.nameInTrace, figures.advertisedName, sender?.advertisedName]
    return HeardDevice(
      beacon: figures.id,
      name: names.compactMap(\.self).first { !$0.isEmpty && $0 != figures.id },
      company: (figures.company ?? sender?.company).map(companyName),
      kind: figures.kind, sightings: figures.sightings, rate: figures.rate,
      levels: figures.levels.figures,
      statedPower: figures.statedPower ?? known?.measuredPower, first: figures.first,
      last: figures.last, channels: figures.channels, addresses: figures.addresses)
  }

  private func companyName(_ company: UInt16) -> String {
    companies[company]
      ?? "0x" + hexadecimal([UInt8(company >> 8), UInt8(company & 0xFF)], uppercase: true)
  }
}
