import Advertising
import Sightings

/// The selection in one file, by the numbers of its tables.
struct FileSelection {
  private let selection: SightingSelection
  private var takesBeacon: [Bool] = []
  /// The selection of kinds, by beacon.
  private var isOfKind: [Bool] = []
  private var takesReceiver: [Bool] = []
  private var takesTrace: [Bool] = []
  /// The selection of senders, by address; empty if no address is selected.
  private var takesSender: [Bool] = []
  private var addresses: [UInt64] = []
  /// The selected times, by trace; nil before its first sighting.
  private(set) var spans: [Range<Int64>?] = []

  /// The number of sightings of each beacon, selected or not.
  private(set) var beacons: [Int] = []
  private(set) var receivers: [Int] = []
  private(set) var traces: [Int] = []
  /// The selected addresses that sent something.
  private(set) var senders: Set<UInt64> = []
  private(set) var times: ClosedRange<Int64>?

  init(_ selection: SightingSelection) { self.selection = selection }

  /// Takes new rows of the tables.
  mutating func learn(_ catalogue: Catalogue) {
    for node in catalogue.beacons[beacons.count...] {
      let hasKind =
        selection.kinds.isEmpty || selection.kinds.contains { $0.rawValue == node.kind }
      let isChosen =
        selection.beacons.isEmpty || selection.beacons.contains { $0.matches(node.id) }
      takesBeacon.append(isChosen && hasKind)
      // A selected sender needs a beacon of a selected kind, whatever its name.
      isOfKind.append(hasKind)
      beacons.append(0)
    }
    for node in catalogue.receivers[receivers.count...] {
      takesReceiver.append(selection.receivers.isEmpty || selection.receivers.contains(node.id))
      receivers.append(0)
    }
    for name in catalogue.traces[traces.count...] {
      takesTrace.append(selection.traces.isEmpty || selection.traces.contains(name))
      spans.append(nil)
      traces.append(0)
    }
    guard selection.needsSenders else { return }
    let chosen = Set(selection.beacons.compactMap(\.address))
    addresses = catalogue.advertisers.map(\.bits)
    for address in addresses[takesSender.count...] { takesSender.append(chosen.contains(address)) }
  }

  /// Returns whether a row is selected; counts its names.
  mutating func takes(_ rows: borrowing SightingColumns, _ row: Int) -> Bool {
    let (time, beacon) = (rows.time[row], Int(rows.beacon[row]))
    let (receiver, trace) = (Int(rows.receiver[row]), Int(rows.trace[row]))
    beacons[beacon] += 1
    receivers[receiver] += 1
    traces[trace] += 1
    let known = times ?? time...time
    if !known.contains(time) || times == nil {
      times = min(known.lowerBound, time)...max(known.upperBound, time)
    }
    let isSender = takes(sender: row < rows.advertiser.count ? rows.advertiser[row] : .max)
    let span = spans[trace] ?? selection.span(from: time)
    if spans[trace] == nil { spans[trace] = span }
    return span.contains(time) && takesTrace[trace] && takesReceiver[receiver]
      && (takesBeacon[beacon] || isSender && isOfKind[beacon])
  }

  private mutating func takes(sender: UInt32) -> Bool {
    guard Int(sender) < takesSender.count, takesSender[Int(sender)] else { return false }
    senders.insert(addresses[Int(sender)])
    return true
  }
}
