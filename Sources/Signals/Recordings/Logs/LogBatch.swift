internal import Advertising
internal import Sightings
internal import Support

/// The content of one line or packet of a text, in memory that is reused for the next one.
struct LogBatch {
  /// A sighting of which only the beacon's name is known.
  struct NamedReport {
    var time: Int64
    /// The received power in dBm; NaN if it is not available.
    var rssi: Float
    var beacon: String
    /// The RSSI at 1 m in dBm that the beacon advertises; NaN if there is none.
    var measuredPower = Float.nan
    /// The radio channel index; 255 if it is unknown.
    var channel: UInt8 = 255
    /// The number of the receiver.
    var adapter: UInt16 = 0
    var angle = Angle()
  }

  /// A true place in metres; the floor is empty if it is unknown.
  struct Place {
    var time: Int64 = 0
    var x, y, z: Double
    var floor: String
  }

  enum Item {
    /// An HCI event, or a packet of a sniffer with its header, by its range in `bytes`.
    case packet(LinkLayerFraming?, time: Int64, adapter: UInt16, Range<Int>)
    /// A report, with the range of its data in `bytes`.
    case report(AdvertisingReport, Range<Int>)
    case named(NamedReport)
    /// The name of the receiver with a number; of number 0 unless the user names it.
    case receiver(UInt16, String, Radio.RSSIKind)
    /// The place of a receiver.
    case anchor(String, name: String, Place)
    /// The true place of a beacon, or of the receiver if there is no name.
    case truth(String?, Place)
  }

  /// Packets and advertising data.
  var bytes: [UInt8] = []
  private(set) var items: [Item] = []
  /// The counts of the whole text, without the packets that are passed on as such.
  var counts = DecodingCounts()
  private var receivers = NameTable()
  private var isNamed = false

  /// The largest length of advertising data.
  private static let longestData = 1650

  /// Starts the next line.
  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
  }

  /// Adds a packet, which its decoder counts.
  mutating func add(
    packet framing: LinkLayerFraming?, time: Int64, adapter: UInt16, _ range: Range<Int>
  ) {
    items.append(.packet(framing, time: time, adapter: adapter, range))
  }

  /// Adds a report whose data are the bytes from an offset on; returns `false` if they are too long.
  mutating func add(_ report: AdvertisingReport, dataFrom start: Int) -> Bool {
    guard bytes.count - start <= Self.longestData else { return false }
    items.append(.report(report, start..<bytes.count))
    counts.sightings += 1
    return true
  }

  /// Adds a sighting; returns `false` for a name that a trace cannot store.
  mutating func add(_ report: NamedReport) -> Bool {
    guard !report.beacon.isEmpty, TextLimit.name.admits(report.beacon) else { return false }
    items.append(.named(report))
    counts.sightings += 1
    return true
  }

  mutating func add(_ item: Item) { items.append(item) }

  /// Names the receiver of reports without one, once.
  mutating func nameReceiver(_ name: String) {
    if !isNamed { items.append(.receiver(0, name, .raw)) }
    isNamed = true
  }

  /// Returns the number of a named receiver; nil for a name that a trace cannot store.
  ///
  /// - Parameter kind: The kind of its levels.
  mutating func adapter(
    named name: ArraySlice<UInt8>, kind: Radio.RSSIKind = .raw
  ) -> UInt16? {
    guard !name.isEmpty, TextLimit.name.admits(name.span) else { return nil }
    guard receivers.count < Int(UInt16.max) - 1 || receivers.find(name.span) != nil else {
      return nil
    }
    let (index, isNew) = receivers.intern(name.span)
    guard let number = UInt16(exactly: index + 1) else { return nil }
    if isNew { items.append(.receiver(number, receivers.names[index], kind)) }
    return number
  }

  /// Counts a line, or all lines of a packet, with one report, whole or not.
  mutating func count(_ isWhole: Bool) {
    if isWhole { counts.packetsWithReports += 1 } else { counts.rejectPacket(.badLine) }
  }
}

/// A reader of the lines of one kind of text.
protocol LogParser {
  /// A sentence for users on the times of the text; nil if they are of the Unix epoch.
  var timeNote: String? { get }

  /// Reads a line or an object.
  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch)

  /// Ends the text: a packet whose lines were read may be complete only now.
  mutating func finish(into batch: inout LogBatch)
}

extension LogParser {
  var timeNote: String? { nil }
  mutating func finish(into batch: inout LogBatch) {}
}
