import Advertising
import Sightings

/// Adds up the sightings of each device in one file: memory grows with devices and payloads, not
/// with sightings.
final class DeviceTally: SightingSink {
  private(set) var devices: [DeviceFigures] = []
  private var numbers: [String: Int] = [:]
  private var file = File()

  /// The tables of one file while it is read, by the file's own numbers.
  private struct File {
    var payloads = PayloadDescriptions()
    /// The beacons by number; nil for those without a sighting so far.
    var beacons: [Beacon?] = []
    /// Spans of other traces than a beacon's latest, by beacon and trace.
    var otherSpans: [UInt64: SightingSpan] = [:]

    struct Beacon {
      let device: Int
      var span: SightingSpan
      var payload = Sighting.none
      var advertiser = Sighting.none
    }

    /// Puts a beacon's span aside and returns the one of another trace.
    mutating func exchange(
      _ span: SightingSpan, of beacon: Int, for trace: UInt16
    ) -> SightingSpan {
      let key = UInt64(beacon) << 16
      otherSpans[key | UInt64(span.trace)] = span
      return otherSpans.removeValue(forKey: key | UInt64(trace)) ?? SightingSpan(trace: trace)
    }
  }

  func append(_ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue) throws {
    file.payloads.add(payloads)
    while file.beacons.count < catalogue.beacons.count { file.beacons.append(nil) }
    for row in 0..<rows.count { add(rows, row, catalogue) }
  }

  private func add(_ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue) {
    let (number, time, trace) = (Int(rows.beacon[row]), rows.time[row], rows.trace[row])
    var beacon = file.beacons[number] ?? open(catalogue.beacons[number], trace)
    if beacon.span.trace != trace {
      beacon.span = file.exchange(beacon.span, of: number, for: trace)
    }
    beacon.span.add(time)
    if beacon.advertiser != rows.advertiser[row] {
      beacon.advertiser = rows.advertiser[row]
      if let sender = catalogue.sender(beacon.advertiser) {
        devices[beacon.device].take(sender: sender)
      }
    }
    devices[beacon.device].add(time: time, level: rows.rssi[row], channel: rows.channel[row])
    // A repeated description is not newer.
    if beacon.payload != rows.payload[row] {
      beacon.payload = rows.payload[row]
      if let said = file.payloads[beacon.payload] { devices[beacon.device].learn(said, at: time) }
    }
    if rows.txPower[row] != 127 {
      devices[beacon.device].learn(txPower: rows.txPower[row], at: time)
    }
    file.beacons[number] = beacon
  }

  /// Begins a beacon of the file that is received for the first time.
  private func open(_ node: Node, _ trace: UInt16) -> File.Beacon {
    let device = numbers[node.id] ?? devices.count
    if device == devices.count {
      numbers[node.id] = device
      devices.append(DeviceFigures(id: node.id, kind: node.kind))
    }
    return File.Beacon(device: device, span: SightingSpan(trace: trace))
  }

  /// Takes the names and powers in the tables of the file.
  func endFile(_ catalogue: Catalogue) {
    for (number, beacon) in file.beacons.enumerated() {
      guard let beacon else { continue }
      let node = catalogue.beacons[number]
      devices[beacon.device].end(beacon.span)
      devices[beacon.device].learn(
        name: node.name, measuredPower: node.measuredPower,
        sender: catalogue.sender(beacon.advertiser))
    }
    for (key, span) in file.otherSpans {
      if let beacon = file.beacons[Int(key >> 16)] { devices[beacon.device].end(span) }
    }
  }
}

/// The descriptions of devices in the payloads of a file, four bytes per payload.
///
/// Payloads that differ only in a counter or a temperature share a description.
struct PayloadDescriptions {
  private var distinct: [DeviceDescription] = [DeviceDescription()]
  private var numbers: [DeviceDescription: UInt32] = [DeviceDescription(): 0]
  private var numbersByPayload: [UInt32] = []

  /// Takes the payloads that are numbered next.
  mutating func add(_ payloads: NewPayloads) {
    var start = 0
    for length in payloads.lengths {
      let end = start + Int(length)
      add(DeviceDescription(payload: payloads.bytes.span.extracting(start..<end)))
      start = end
    }
  }

  private mutating func add(_ description: DeviceDescription) {
    let number = numbers[description] ?? UInt32(distinct.count)
    if number == distinct.count {
      numbers[description] = number
      distinct.append(description)
    }
    numbersByPayload.append(number)
  }

  /// Returns the description in a payload; nil for an empty one, and for a number out of range.
  subscript(payload: UInt32) -> DeviceDescription? {
    guard payload < numbersByPayload.count, numbersByPayload[Int(payload)] > 0 else { return nil }
    return distinct[Int(numbersByPayload[Int(payload)])]
  }
}
