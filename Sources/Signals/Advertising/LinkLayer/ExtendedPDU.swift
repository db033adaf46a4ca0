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
  /// An ADV_EXT_IND that points elsewhere is not a report. A controller makes one report of an
  /// advertisement, of its AUX_ADV_IND, and none of the pointers to it: up to three ADV_EXT_IND,
  /// mostly without an address, point to one AUX_ADV_IND. A row for each would count the
  /// advertisement several times, and by names that no controller would show.
  ///
  /// The type states ADV_EXT_IND on channels 37 to 39 and any of the others elsewhere; which one is
  /// known from the sniffer, or else from the PDUs before. Without a channel, a pointer without
  /// data is taken as ADV_EXT_IND, for no other PDU is made so.
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

  /// Remembers whom an AUX_SCAN_REQ asks: the next PDU of that address is its AUX_SCAN_RSP.
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

  /// The report that an AUX_ADV_IND or AUX_SCAN_RSP begins; nil where it is not known who sent it.
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
      || reception.contents == .unstated && header.address != nil && header.address == request
    var report = AdvertisingReport(
      time: time, address: address, rssi: reception.rssi,
      // A response is to a scannable advertisement, and states it in HCI though not on the air.
      eventType: header.eventType | (isResponse ? 0x0A : 0))
    report.channel = reception.channel
    report.primaryPHY = pointer?.phy ?? (reception.phy == 3 ? 3 : 1)
    report.secondaryPHY = reception.phy
    report.sid = header.sid
    report.txPower = header.txPower ?? pointer?.txPower ?? 127
    return report
  }

  /// Takes out the advertisement that an AUX_CHAIN_IND continues.
  private mutating func removePending(
    continuedBy header: ExtendedHeader, _ reception: LinkLayerReception
  ) -> FragmentSet? {
    guard !pending.isEmpty, header.address == nil else { return nil }
    if case .auxiliary(.scanResponse) = reception.contents { return nil }
    let pointers = pointers
    return pending.removeFirst { set in
      guard set.nextChannel == reception.channel || reception.channel == 255 else { return false }
      guard let known = header.dataInformation else { return true }
      // After a newer pointer to the same data the PDU is a new beginning.
      return set.dataInformation == known
        && !pointers.hasPointer(to: known, channel: reception.channel, after: set.latest)
    }
  }

  /// Takes out the advertisement that has ended unfinished, for its sender begins it again.
  private mutating func removePending(
    startedBy report: AdvertisingReport, _ header: ExtendedHeader
  ) -> FragmentSet? {
    pending.isEmpty
      ? nil
      : pending.removeFirst {
        $0.dataInformation == header.dataInformation && $0.isContinued(by: report)
      }
  }

  /// Keeps an advertisement of which more is announced; delivers one that is whole.
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

  /// Delivers what there is of an advertisement whose rest never came.
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
