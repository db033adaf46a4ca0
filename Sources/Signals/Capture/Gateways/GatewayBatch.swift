internal import Advertising
internal import Sightings
internal import Support

/// The content of one message, in memory that is reused for the next one.
struct GatewayBatch {
  /// A sighting by a gateway.
  struct Entry {
    /// The range of the gateway's name in `bytes`.
    var gateway: Range<Int>
    var rssiKind: Radio.RSSIKind
    var timeKind: Radio.TimeKind
    /// The time of the sighting, nanoseconds since the Unix epoch.
    var time: Int64
    /// The arrival of the message if the time is of the gateway's clock; nil otherwise.
    var arrival: Int64?
    /// The received power in dBm; NaN if it is not available.
    var rssi: Float
    /// The radio channel index; 255 if it is unknown.
    var channel: UInt8 = 255
    var angle = Angle()
    var beacon: Beacon
  }

  /// The beacon of a sighting.
  enum Beacon {
    /// A whole report of a controller, with the range of its data in `bytes`.
    case report(AdvertisingReport, Range<Int>)
    /// Advertising data, by their range in `bytes`.
    case data(DeviceAddress, Range<Int>, eventType: UInt16, isRebuilt: Bool)
    /// A name, with the nominal RSSI at 1 m that the beacon transmits; NaN if it is unknown.
    case name(String, measuredPower: Float)
  }

  /// A message's information on the gateway itself.
  struct Account {
    /// The range of the gateway's name in `bytes`.
    var gateway: Range<Int>
    var radio: Radio
    /// The losses of the gateway; the adapter is not set.
    var losses: [Loss] = []
    var rejected: [Rejected] = []
  }

  /// Names of gateways and advertising data.
  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []
  private(set) var rejected: [GatewayRejection] = []
  private(set) var account: Account?
  private var gateway = 0..<0
  private var rssiKind = Radio.RSSIKind.raw
  private var arrival: Int64 = 0
  /// The direction of the entries that are added from here on.
  var angle = Angle()

  /// Returns the lateness of the newest sighting of a gateway by the gateway's clock, for the first
  /// of its entries; nil for the others. Impossible times count only if there are no others.
  func lateness(ofGatewayBeginningAt index: Int) -> Int64? {
    let gateway = entries[index].gateway
    guard index == 0 || entries[index - 1].gateway != gateway else { return nil }
    var least: Int64?
    for entry in entries[index...].prefix(while: { $0.gateway == gateway }) {
      guard let arrival = entry.arrival else { continue }
      let lateness = GatewayClock.lateness(of: entry.time, arrival: arrival)
      let isBetter = least.map {
        GatewayClock.isPossible(lateness) == GatewayClock.isPossible($0)
          ? lateness < $0 : GatewayClock.isPossible(lateness)
      }
      if isBetter ?? true { least = lateness }
    }
    return least
  }

  /// Starts a message.
  mutating func begin(arrival: Int64) {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    rejected.removeAll(keepingCapacity: true)
    account = nil
    gateway = 0..<0
    rssiKind = .raw
    angle = Angle()
    self.arrival = arrival
  }

  mutating func reject(_ reason: GatewayRejection) { rejected.append(reason) }

  /// Counts the message as a packet, and its refused reports; a message with only an account of its
  /// gateway is not a packet.
  func count(in counts: inout DecodingCounts) {
    let refused = rejected.count(where: \.isOfReport)
    counts.rejectedReports += refused
    let reports = entries.count + refused
    if reports > 0 {
      counts.packetsWithReports += 1
      if reports > 1 { counts.packetsWithSeveralReports += 1 }
    } else if rejected.isEmpty {
      guard account == nil else { return }
      counts.otherEvents.add(.emptyMessage)
    } else {
      counts.rejectedPackets += 1
    }
  }

  /// Sets the gateway of the entries added from here on; returns false, and counts it, for an
  /// invalid name.
  mutating func setGateway(
    _ name: ArraySlice<UInt8>?, suffix: StaticString = "", rssiKind: Radio.RSSIKind
  ) -> Bool {
    guard let name, !name.isEmpty else {
      reject(.missingName)
      return false
    }
    let start = bytes.count
    bytes.append(contentsOf: name)
    bytes.append(contentsOf: suffix.description.utf8)
    gateway = start..<bytes.count
    self.rssiKind = rssiKind
    guard TextLimit.name.admits(bytes.span.extracting(gateway)) else {
      reject(.badName)
      return false
    }
    return true
  }

  /// Returns a Boolean value that is true for a name that a trace can store unchanged; counts any
  /// other as refused.
  mutating func admits(_ name: ArraySlice<UInt8>) -> Bool {
    guard !name.isEmpty else {
      reject(.missingName)
      return false
    }
    guard TextLimit.name.admits(name.span) else {
      reject(.badName)
      return false
    }
    return true
  }

  /// Adds advertising data that a closure appends to the bytes; if it returns false they are
  /// refused.
  ///
  /// - Parameters:
  ///   - address: the text of the address.
  ///   - isRebuilt: whether the gateway omitted parts of the advertisement.
  mutating func addData(
    of address: ArraySlice<UInt8>?, addressType: UInt8 = 0,
    eventType: UInt16 = Sighting.unknownEventType, rssi: JSONElement?, time: GatewayTime?,
    channel: UInt8 = 255, isRebuilt: Bool = false, append: (inout [UInt8]) -> Bool
  ) {
    guard let bits = address.flatMap(addressBits) else { return reject(.badAddress) }
    let start = bytes.count
    guard append(&bytes), bytes.count - start <= Self.longestData else {
      return reject(.badPayload)
    }
    add(
      .data(
        DeviceAddress(bits: bits, type: addressType), start..<bytes.count, eventType: eventType,
        isRebuilt: isRebuilt), rssi: rssi, time: time, channel: channel)
  }

  /// Adds a sighting that has only the beacon's name; nil counts as refused.
  mutating func addName(
    _ name: String?, measuredPower: Float = .nan, rssi: JSONElement?, time: GatewayTime?,
    channel: UInt8 = 255
  ) {
    guard let name, !name.isEmpty else { return reject(.missingName) }
    guard TextLimit.name.admits(name) else { return reject(.badName) }
    add(
      .name(name, measuredPower: measuredPower), rssi: rssi, time: time, channel: channel)
  }

  /// Adds the radio parameters of the gateway, and its losses and refusals.
  ///
  /// - Parameter rejected: the gateway's refused inputs by reason.
  mutating func describe(_ radio: Radio, losses: [Loss], rejected: [Rejected]) {
    account = Account(gateway: gateway, radio: radio, losses: losses, rejected: rejected)
  }

  /// Adds a whole report, whose data a closure appends to the bytes; if it returns false they are
  /// refused.
  mutating func add(
    _ report: AdvertisingReport, timeKind: Radio.TimeKind, append: (inout [UInt8]) -> Bool
  ) {
    let start = bytes.count
    guard append(&bytes), bytes.count - start <= Self.longestData else {
      return reject(.badPayload)
    }
    add(
      .report(report, start..<bytes.count), timeKind: timeKind, time: report.time,
      rssi: report.rssi, channel: report.channel)
  }

  /// Adds a sighting of which only the beacon's name is known; its adapter is ignored.
  mutating func add(_ sighting: GatewaySighting, timeKind: Radio.TimeKind) {
    guard TextLimit.name.admits(sighting.beacon) else { return reject(.badName) }
    angle = sighting.angle
    add(
      .name(sighting.beacon, measuredPower: sighting.measuredPower), timeKind: timeKind,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
  }

  private mutating func add(
    _ beacon: Beacon, timeKind: Radio.TimeKind, time: Int64, rssi: Float, channel: UInt8
  ) {
    entries.append(
      Entry(
        gateway: gateway, rssiKind: rssiKind, timeKind: timeKind, time: time, rssi: rssi,
        channel: channel, angle: angle, beacon: beacon))
  }

  private mutating func add(
    _ beacon: Beacon, rssi: JSONElement?, time: GatewayTime?, channel: UInt8
  ) {
    var level = Float.nan
    if let rssi {
      guard let number = rssi.number else { return reject(.badRSSI) }
      level = Float(number)
    }
    entries.append(
      Entry(
        gateway: gateway, rssiKind: rssiKind, timeKind: time?.kind ?? .arrival,
        time: time?.time ?? arrival, arrival: time == nil ? nil : arrival, rssi: level,
        channel: channel, angle: angle, beacon: beacon))
  }

  /// The maximum length of the advertising data in a report, in bytes.
  private static let longestData = 1650
}
