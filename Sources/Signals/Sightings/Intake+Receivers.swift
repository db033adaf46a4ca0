package import Support

// What receivers are, where they stand, and what they lost.
extension Intake where Sink: ~Copyable {
  /// Names the receiver behind an adapter's number and shows how it listens.
  ///
  /// - Throws: `RSSIError` beyond 65,535 receivers.
  package mutating func describe(
    adapter: UInt16, name: String, radio: Radio
  ) throws(RSSIError) {
    let utf8 = Array(name.utf8)
    let index = try receiver(utf8.span)
    adapterReceivers[adapter] = index
    lastReceiver = nil
    catalogue.receivers[Int(index)].radio = radio
  }

  /// States that a receiver stood at a place from a time to a time; a later call moves the end.
  ///
  /// - Parameters:
  ///   - x, y, z: metres; z may be NaN.
  package mutating func stand(
    receiver: UInt16, x: Double, y: Double, z: Double, during span: ClosedRange<Int64>
  ) {
    func point(_ time: Int64) -> TruthPoint {
      TruthPoint(
        time: time, role: .receiver, node: UInt32(receiver), trace: currentTrace, x: x, y: y, z: z)
    }
    let first = standingTruth[receiver] ?? catalogue.truth.count
    if standingTruth[receiver] == nil {
      standingTruth[receiver] = first
      catalogue.truth += [point(span.lowerBound), point(span.upperBound)]
    }
    catalogue.truth[first] = point(span.lowerBound)
    catalogue.truth[first + 1] = point(span.upperBound)
  }

  /// Adds a time in which something was lost; beyond the most that a trace keeps it is only
  /// counted.
  package mutating func append(_ gap: Gap) {
    guard catalogue.gaps.count < Gap.most else { return reject("too-many-gaps") }
    catalogue.gaps.append(gap)
  }

  /// Adds a time in which the receiver behind an adapter's number lost something.
  ///
  /// - Throws: `RSSIError` beyond 65,535 receivers.
  package mutating func lost(_ loss: Loss) throws {
    if chosenTimes != nil {
      guard let span = spans[currentTrace], loss.end >= span.lowerBound,
        loss.start < span.upperBound
      else { return }
    }
    append(
      Gap(
        start: loss.start, end: loss.end, receiver: try receiver(adapter: loss.adapter),
        reason: loss.reason, dropped: loss.dropped))
  }

  /// Adds a reading of the clock.
  package mutating func append(_ reading: ClockReading) { catalogue.clock.append(reading) }

  /// The receiver behind an adapter's number.
  ///
  /// - Throws: `RSSIError` beyond 65,535 receivers.
  package mutating func receiver(adapter: UInt16) throws(RSSIError) -> UInt16 {
    if let lastReceiver, lastReceiver.adapter == adapter { return lastReceiver.index }
    let index: UInt16
    if let known = adapterReceivers[adapter] {
      index = known
    } else {
      let name = Array((receiverName ?? "hci\(adapter)").utf8)
      index = try receiver(name.span)
      adapterReceivers[adapter] = index
    }
    lastReceiver = (adapter, index)
    return index
  }
}
