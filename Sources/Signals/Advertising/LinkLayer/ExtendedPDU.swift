extension LinkLayerDecoder {
  /// Decodes an ADV_EXT_IND, AUX_ADV_IND, AUX_SCAN_RSP or AUX_CHAIN_IND, see `ExtendedHeader`.
  ///
  /// | PDU | on channels | what becomes of it |
  /// |---|---|---|
  /// | ADV_EXT_IND without pointer | 37 to 39 | a report without data |
  /// | ADV_EXT_IND with pointer | 37 to 39 | counted as pointer; it lends address and power to the next |
  /// | AUX_ADV_IND, AUX_SCAN_RSP | 0 to 36 | a report, with the RSSI and the channel of this PDU |
  /// | AUX_CHAIN_IND | 0 to 36 | its data are joined to that report |
  ///
  /// An ADV_EXT_IND with a pointer is not a report. A controller makes one report of an
  /// advertisement, from its AUX_ADV_IND, and none of the pointers to it: up to three ADV_EXT_IND,
  /// mostly without an address, point to one AUX_ADV_IND. A row for each would count the
  /// advertisement several times, under names that no controller would report.
  ///
  /// The type is ADV_EXT_IND on channels 37 to 39 and any of the others elsewhere; which one is
  /// known from the sniffer, or else from earlier PDUs. Without a channel, a pointer without data
  /// is taken as ADV_EXT_IND, because no other PDU has this form.
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 6, part B, sections 2.3.1, 2.3.4 and 4.4.2;
  /// volume 4, part E, section 7.7.65.13.
  mutating func decodeExtended<Sink: ReportSink & ~Copyable>(
    _ pdu: Span<UInt8>, _ reception: LinkLayerReception, time: Int64, request: DeviceAddress?,
    into sink: inout Sink
  ) throws {
    let header: ExtendedHeader
    do throws(Rejection) { header = try ExtendedHeader(pdu) } catch {
      return counts.rejectPacket(error)
    }
    while let late = pending.removeExpired(at: time) { try deliverIncomplete(late, into: &sink) }
    let data = pdu.extracting(header.dataStart..<pdu.count)
    if reception.isPrimary ?? (header.isPointer && data.isEmpty) {
      try decodePrimary(header, data, reception, time: time, into: &sink)
    } else if reception.contents == .auxiliary(.sync) {
      pass(.periodicAdvertising)
    } else if var set = removePending(continuedBy: header, reception) {
      counts.packetsWithReports += 1
      counts.joinedFragments += 1
      set.append(data)
      try keepOrDeliver(set, followedBy: header, at: time, into: &sink)
    } else {
      guard
        let report = auxiliaryReport(header, reception, time: time, request: request)
      else { return counts.rejectPacket(.unknownSender) }
      counts.packetsWithReports += 1
      if let unfinished = removePending(startedBy: report, header) {
        try deliverIncomplete(unfinished, into: &sink)
      }
      guard header.isPointer else { return try deliver(report, payload: data, into: &sink) }
      var set = FragmentSet(first: report)
      set.dataInformation = header.dataInformation
      set.append(data)
      try keepOrDeliver(set, followedBy: header, at: time, into: &sink)
    }
  }

  /// Stores the target of an AUX_SCAN_REQ: the next PDU of that address is its AUX_SCAN_RSP.
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 2.3.2.1.
  mutating func noteScanRequest(_ pdu: Span<UInt8>, _ reception: LinkLayerReception) {
    guard reception.isPrimary != true, pdu.count == 14 else { return }
    scanRequest = DeviceAddress(bits: pdu.deviceAddressBits(at: 8), type: pdu[0] >> 7)
  }

  private mutating func decodePrimary<Sink: ReportSink & ~Copyable>(
    _ header: ExtendedHeader, _ data: Span<UInt8>, _ reception: LinkLayerReception, time: Int64,
    into sink: inout Sink
  ) throws {
    if let channel = header.nextChannel {
      counts.packetsWithReports += 1
      counts.pointers += 1
      guard let dataInformation = header.dataInformation else { return }
      return pointers.insert(
        ExtendedPointers.Pointer(
          time: time, dataInformation: dataInformation, channel: channel, address: header.address,
          phy: reception.phy, txPower: header.txPower))
    }
    guard let address = header.address else { return counts.rejectPacket(.unknownSender) }
    counts.packetsWithReports += 1
    var report = AdvertisingReport(
      time: time, address: address, rssi: reception.rssi, eventType: header.eventType)
    report.channel = reception.channel
    report.primaryPHY = reception.phy
    report.sid = header.sid
    report.txPower = header.txPower ?? 127
    try deliver(report, payload: data, into: &sink)
  }

  /// Returns the report that an AUX_ADV_IND or AUX_SCAN_RSP starts, or `nil` if its sender is
  /// unknown.
  private func auxiliaryReport(
    _ header: ExtendedHeader, _ reception: LinkLayerReception, time: Int64, request: DeviceAddress?
  ) -> AdvertisingReport? {
    guard reception.contents != .auxiliary(.chain) else { return nil }
    let pointer = pointers.pointer(
      to: header.dataInformation, channel: reception.channel, time: time)
    let isKnownStart = pointer != nil || reception.contents == .auxiliary(.advertisement)
    let anonymous = isKnownStart ? DeviceAddress(bits: 0, type: DeviceAddress.anonymousType) : nil
    guard let address = header.address ?? pointer?.address ?? anonymous else { return nil }
    let isResponse =
      reception.contents == .auxiliary(.scanResponse)
      || reception.contents == .unknown && header.address != nil && header.address == request
    var report = AdvertisingReport(
      time: time, address: address, rssi: reception.rssi,
      // A response belongs to a scannable advertisement, which HCI reports although the PDU does
      // not contain it.
      eventType: header.eventType | (isResponse ? 0x0A : 0))
    report.channel = reception.channel
    report.primaryPHY = pointer?.phy ?? (reception.phy == 3 ? 3 : 1)
    report.secondaryPHY = reception.phy
    report.sid = header.sid
    report.txPower = header.txPower ?? pointer?.txPower ?? 127
    return report
  }

  /// Removes and returns the advertisement that an AUX_CHAIN_IND continues.
  private mutating func removePending(
    continuedBy header: ExtendedHeader, _ reception: LinkLayerReception
  ) -> FragmentSet? {
    guard !pending.isEmpty, header.address == nil else { return nil }
    if case .auxiliary(.scanResponse) = reception.contents { return nil }
    let pointers = pointers
    return pending.removeFirst { set in
      guard set.nextChannel == reception.channel || reception.channel == 255 else { return false }
      guard let known = header.dataInformation else { return true }
      // After a newer pointer to the same data the PDU is a new start.
      return set.dataInformation == known
        && !pointers.hasPointer(to: known, channel: reception.channel, after: set.latest)
    }
  }

  /// Removes and returns the unfinished advertisement that its sender starts again.
  private mutating func removePending(
    startedBy report: AdvertisingReport, _ header: ExtendedHeader
  ) -> FragmentSet? {
    pending.isEmpty
      ? nil
      : pending.removeFirst {
        $0.dataInformation == header.dataInformation && $0.isContinued(by: report)
      }
  }

  /// Stores an advertisement that continues, or delivers a complete one.
  private mutating func keepOrDeliver<Sink: ReportSink & ~Copyable>(
    _ set: FragmentSet, followedBy header: ExtendedHeader, at time: Int64, into sink: inout Sink
  ) throws {
    var set = set
    guard let channel = header.nextChannel else {
      if set.isOversized {
        set.report.dataStatus = 2
        counts.note(.oversizedData)
      }
      return try deliver(set.report, payload: set.data.span, into: &sink)
    }
    if pending.isFull, let oldest = pending.removeOldest() {
      try deliverIncomplete(oldest, into: &sink)
    }
    set.nextChannel = channel
    pending.insert(set, at: time)
  }

  /// Delivers the received part of an advertisement whose rest never came.
  mutating func deliverIncomplete<Sink: ReportSink & ~Copyable>(
    _ set: FragmentSet, into sink: inout Sink
  ) throws {
    var set = set
    counts.note(.incompleteData)
    if set.isOversized { counts.note(.oversizedData) }
    set.report.dataStatus = 1
    try deliver(set.report, payload: set.data.span, into: &sink)
  }
}

/// The common payload of all extended advertising PDUs.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | bits 0 to 5 length of the header; 6 and 7 mode: 0 neither, 1 connectable, 2 scannable |
/// | 1 | 1 | which fields follow, absent where the length is 0 |
/// | | 6 | bit 0: advertiser's address |
/// | | 6 | bit 1: address it is directed to, not kept |
/// | | 1 | bit 2: constant tone, not kept |
/// | | 2 | bit 3: data information: 12 bits of data identifier, 4 of set identifier |
/// | | 3 | bit 4: pointer to the next PDU: bits 0 to 5 its channel; the rest is not kept |
/// | | 18 | bit 5: periodic advertising, not kept |
/// | | 1 | bit 6: transmit power in dBm, signed |
/// | | | what is left of the header is for controllers, not kept |
/// | 1 + n | | advertising data, 0 to 254 |
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 2.3.4.
struct ExtendedHeader {
  /// The event type: bits 0 connectable, 1 scannable, 2 directed.
  private(set) var eventType: UInt16
  private(set) var address: DeviceAddress?
  private(set) var dataInformation: UInt16?
  /// The channel of the following PDU, if there is one.
  private(set) var nextChannel: UInt8?
  private(set) var txPower: Int8?
  /// The offset of the advertising data in the PDU.
  private(set) var dataStart: Int

  /// A Boolean value that is true if another PDU follows.
  var isPointer: Bool { nextChannel != nil }

  /// The set identifier, 255 if there is none.
  var sid: UInt8 { dataInformation.map { UInt8($0 >> 12) } ?? 0xFF }

  /// - Parameter pdu: The PDU, starting with its two header bytes.
  init(_ pdu: Span<UInt8>) throws(Rejection) {
    guard pdu.count > 2 else { throw .badLength }
    guard pdu[2] >> 6 < 3 else { throw .reservedEventType }
    eventType = UInt16(pdu[2] >> 6)
    dataStart = 3 + Int(pdu[2] & 0x3F)
    guard dataStart <= pdu.count else { throw .badLength }
    guard dataStart > 3 else { return }
    let fields = pdu[3]
    var end = 4
    /// Returns the offset of a field, if it is present.
    func start(of bit: UInt8, length: Int) -> Int? {
      guard fields & 1 << bit != 0 else { return nil }
      defer { end += length }
      return end
    }
    let address = start(of: 0, length: 6)
    let target = start(of: 1, length: 6)
    _ = start(of: 2, length: 1)
    let dataInformation = start(of: 3, length: 2)
    let pointer = start(of: 4, length: 3)
    _ = start(of: 5, length: 18)
    let txPower = start(of: 6, length: 1)
    guard end <= dataStart else { throw .badLength }
    if target != nil { eventType |= 1 << 2 }
    if let address { self.address = pdu.advertiser(at: address) }
    if let dataInformation { self.dataInformation = pdu.littleEndian16(at: dataInformation) }
    if let pointer { nextChannel = pdu[pointer] & 0x3F }
    if let txPower { self.txPower = Int8(bitPattern: pdu[txPower]) }
  }
}

/// The recent ADV_EXT_IND PDUs, which announce an advertisement and may contain its sender.
///
/// Bounded to 64, each for the longest distance to the announced PDU, 8191 times 300 µs.
struct ExtendedPointers: Sendable {
  static let capacity = 64
  static let patience: Int64 = 2_500_000_000

  /// The information in one of them.
  struct Pointer: Sendable {
    var time: Int64
    var dataInformation: UInt16
    /// The channel of the announced PDU.
    var channel: UInt8
    var address: DeviceAddress?
    var phy: UInt8
    var txPower: Int8?
  }

  private var pointers: [Pointer] = []

  /// Adds one, replacing an earlier one of the same advertisement or else the oldest.
  mutating func insert(_ pointer: Pointer) {
    if let index = pointers.firstIndex(where: { $0.dataInformation == pointer.dataInformation }) {
      pointers.remove(at: index)
    } else if pointers.count == Self.capacity {
      pointers.removeFirst()
    }
    pointers.append(pointer)
  }

  /// Returns a Boolean value that is true if one received after a time announces a PDU.
  func hasPointer(to dataInformation: UInt16, channel: UInt8, after time: Int64) -> Bool {
    pointers.contains {
      $0.dataInformation == dataInformation && (channel == 255 || channel == $0.channel)
        && $0.time > time
    }
  }

  /// Returns the one that announces a PDU.
  ///
  /// - Parameter channel: The PDU's channel, 255 if it is unknown.
  func pointer(to dataInformation: UInt16?, channel: UInt8, time: Int64) -> Pointer? {
    pointers.last {
      let age = time.subtractingReportingOverflow($0.time)
      return $0.dataInformation == dataInformation && (channel == 255 || channel == $0.channel)
        && !age.overflow && (0...Self.patience).contains(age.partialValue)
    }
  }
}
