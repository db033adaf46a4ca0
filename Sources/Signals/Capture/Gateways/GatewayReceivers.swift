internal import Sightings

/// The gateways seen so far, numbered in order of appearance.
struct GatewayReceivers {
  private var names = NameTable()
  private var radios: [Radio] = []
  private var clocks: [GatewayClock] = []
  /// For each gateway, true if its clock was reported as wrong and not as right again since.
  private var hasBadClock: [Bool] = []
  private var isToldRight: [Bool] = []
  /// The number of gateways with a wrong clock, and of those that the sink was informed of.
  private var badClocks = 0
  private var toldBadClocks = 0
  /// The source of the messages, such as `mqtt://broker/ruuvi/#`.
  private let place: String

  /// The maximum number of gateways; more are refused.
  static let most = Int(UInt16.max)
  /// The number of gateways whose wrong clock is reported by name; the others are only counted.
  static let namedBadClocks = 3

  init(place: String) { self.place = place }

  var count: Int { names.count }

  /// Returns the number of an entry's gateway, which is described to the sink if it is new or
  /// changed its radio parameters; nil if there are too many gateways. If the gateway's clock is
  /// wrong the entry gets the time of arrival.
  ///
  /// - Parameter lateness: the lateness of the gateway's newest sighting in the message, for the
  ///   first of its entries; nil for the others, and without times of its clock.
  mutating func number<Sink: CaptureSink & ~Copyable>(
    of entry: inout GatewayBatch.Entry, _ name: Span<UInt8>, lateness: Int64?, _ sink: inout Sink
  ) throws -> UInt16? {
    guard let (index, isNew) = intern(name) else { return nil }
    let adapter = UInt16(index)
    if let arrival = entry.arrival {
      if let lateness { clocks[index].note(lateness, arrival: arrival) }
      let own = GatewayClock.lateness(of: entry.time, arrival: arrival)
      if clocks[index].isWrong(for: own) { (entry.time, entry.timeKind) = (arrival, .arrival) }
    }
    var radio = radios[index]
    let rssiKind = Self.worse(radio.rssiKind, entry.rssiKind)
    if isNew || radio.rssiKind != rssiKind || radio.timeKind != entry.timeKind {
      if radio.adapter.isEmpty { radio.adapter = place }
      radio.rssiKind = rssiKind
      radio.timeKind = entry.timeKind
      radios[index] = radio
      try sink.notice(.receiver(adapter: adapter, name: names.names[index], radio: radio))
    }
    if lateness != nil { try noteClock(of: index, &sink) }
    return adapter
  }

  /// Notes once that a clock is wrong, and once that it is right again.
  private mutating func noteClock<Sink: CaptureSink & ~Copyable>(
    of index: Int, _ sink: inout Sink
  ) throws {
    let isWrong = clocks[index].offset != nil
    if isWrong, !hasBadClock[index] {
      hasBadClock[index] = true
      badClocks += 1
      guard badClocks <= Self.namedBadClocks else { return }
      toldBadClocks = badClocks
      try sink.notice(
        .message(
          "the clock of gateway \(names.names[index]) is wrong (\(clocks[index].offsetText)): times of arrival "
            + "are used instead"))
    } else if !isWrong, hasBadClock[index], !isToldRight[index] {
      isToldRight[index] = true
      guard badClocks <= Self.namedBadClocks else { return }
      try sink.notice(
        .message(
          "the clock of gateway \(names.names[index]) is right again: its own times are used"))
    }
  }

  /// Returns the number of a gateway with an account, which is described to the sink if it is new
  /// or changed; nil if there are too many gateways.
  mutating func number<Sink: CaptureSink & ~Copyable>(
    of name: Span<UInt8>, listening current: Radio, _ sink: inout Sink
  ) throws -> UInt16? {
    guard let (index, isNew) = intern(name) else { return nil }
    var radio = current
    if radio.adapter.isEmpty { radio.adapter = place }
    radio.rssiKind = Self.worse(radios[index].rssiKind, current.rssiKind)
    if isNew || !Radio.isSame(radios[index], radio) {
      radios[index] = radio
      try sink.notice(.receiver(adapter: UInt16(index), name: names.names[index], radio: radio))
    }
    return UInt16(index)
  }

  /// Reports to the sink how many more gateways have a wrong clock since the last report.
  mutating func noteBadClocks<Sink: CaptureSink & ~Copyable>(to sink: inout Sink) throws {
    let more = badClocks - toldBadClocks
    guard more > 0 else { return }
    toldBadClocks = badClocks
    try sink.notice(
      .message(
        "the clocks of \(more) more gateways are wrong: times of arrival are used instead; "
          + "time_kind of /receivers is \"arrival\" for them"))
  }

  /// Returns the kind of levels of a receiver that sends two, such as two gateways of one name: a
  /// smoothed level must not count as a raw one.
  private static func worse(_ a: Radio.RSSIKind, _ b: Radio.RSSIKind) -> Radio.RSSIKind {
    for kind in [Radio.RSSIKind.filtered, .last] where a == kind || b == kind { return kind }
    return .raw
  }

  /// Returns the index of a name, which is added if it is new; nil if there are too many.
  private mutating func intern(_ name: Span<UInt8>) -> (index: Int, isNew: Bool)? {
    if names.count == Self.most, !isKnown(name) { return nil }
    let (index, isNew) = names.intern(name)
    if isNew {
      radios.append(Radio())
      clocks.append(GatewayClock())
      hasBadClock.append(false)
      isToldRight.append(false)
    }
    return (index, isNew)
  }

  private func isKnown(_ name: Span<UInt8>) -> Bool {
    names.find(String(decoding: name.indices.map { name[$0] }, as: UTF8.self)) != nil
  }
}
