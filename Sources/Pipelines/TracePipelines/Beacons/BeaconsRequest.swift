import Inputs
package import Registries
import Sightings
package import Support
import TraceStore

/// Which sightings to list the devices of.
package struct BeaconsRequest: Sendable {
  /// Traces, recordings and tables; - is NDJSON on the standard input.
  package var inputs: [String]
  package var selection = SightingSelection()
  /// Names and powers of beacons.
  package var registry = Registry()
  package var companies = CompanyNames()
  package var order = DeviceOrder.sightings

  package init(inputs: [String]) { self.inputs = inputs }

  /// Reads the inputs, in constant memory in the number of sightings.
  ///
  /// - Throws: `RSSIError` for an input that cannot be read or that is there twice.
  package func devices(log: any ActivityLog) throws -> HeardDevices {
    try requireDistinctInputs()
    let tally = DeviceTally()
    let rows = RowSelection(selection)
    let sink = SelectingSink(rows, into: tally)
    let progress = FilesProgress("beacons", inputs, log: log)
    defer { progress.finish() }
    for (index, input) in inputs.enumerated() {
      let catalogue = try forEachBlock(
        of: input, [.time, .link, .rssi, .dwell, .payload, .channel, .radio],
        progress: progress.file(index), note: log.note, into: sink)
      rows.endFile(catalogue)
      tally.endFile(catalogue)
    }
    try rows.requireSightings()
    return HeardDevices(order.sorted(tally.devices.map { described($0, in: tally) }))
  }

  private func described(_ figures: DeviceFigures, in tally: DeviceTally) -> HeardDevice {
    let known = registry[id: figures.id]
    // A beacon's own name and company mostly come in other packets, of its address alone.
    let sender = figures.sender.flatMap { tally.device(sentBy: $0) }
    let names = [known?.name, figures.nameInTrace, figures.advertisedName, sender?.advertisedName]
    return HeardDevice(
      beacon: figures.id,
      name: names.compactMap(\.self).first { !$0.isEmpty && $0 != figures.id },
      company: (figures.company ?? sender?.company).map(companyName),
      kind: figures.kind, sightings: figures.sightings, rate: figures.rate,
      levels: figures.levels.figures,
      statedPower: figures.statedPower ?? known?.measuredPower, first: figures.first,
      last: figures.last, channels: figures.channels)
  }

  private func companyName(_ company: UInt16) -> String {
    companies[company]
      ?? "0x" + hexadecimal([UInt8(company >> 8), UInt8(company & 0xFF)], uppercase: true)
  }

  private func requireDistinctInputs() throws(RSSIError) {
    var names: [FileIdentity: String] = [:]
    for input in inputs where input != "-" {
      guard let file = FileIdentity(path: input) else { continue }
      if let other = names[file] {
        throw RSSIError(
          .usage, "\(other) and \(input) are the same file: its sightings count once")
      }
      names[file] = input
    }
    guard inputs.count(where: { $0 == "-" }) < 2 else {
      throw RSSIError(.usage, "- is there twice: the standard input is read once")
    }
  }
}
