internal import Sightings

/// What the monitor channel has stated about each adapter.
struct MonitoredAdapters {
  /// Before the adapters' own names.
  var prefix = ""

  private struct State {
    var controller = ""
    /// Whether the sink knows it, as it is now.
    var isDescribed = false
    /// Whether anything came from it, so that its absence matters.
    var isHeard = false
    /// Since when it is off or gone.
    var absentSince: Int64?
  }

  private var states: [UInt16: State] = [:]

  /// Takes what a packet states about its adapter.
  ///
  /// - Returns: the time in which it was off or gone, when it is back.
  mutating func note(_ packet: MonitorPacket, of index: UInt16, time: Int64) -> Loss? {
    switch packet {
    case .identity(let address, let manufacturer):
      let controller = "\(address), manufacturer \(manufacturer)"
      if states[index, default: State()].controller != controller {
        states[index, default: State()].controller = controller
        states[index, default: State()].isDescribed = false
      }
    case .off, .disappeared:
      guard states[index]?.isHeard == true, states[index]?.absentSince == nil else { return nil }
      states[index]?.absentSince = time
    case .on:
      guard let since = states[index]?.absentSince else { return nil }
      states[index]?.absentSince = nil
      return Loss(adapter: index, reason: .unplugged, start: min(since, time), end: time)
    case .appeared, .command, .event, .other: break
    }
    return nil
  }

  /// What the sink must know before the next event of an adapter; nil when it knows.
  mutating func takeDescription(of index: UInt16) -> (name: String, radio: Radio)? {
    guard states[index]?.isDescribed != true else { return nil }
    states[index, default: State()].isDescribed = true
    states[index, default: State()].isHeard = true
    var radio = Radio()
    radio.adapter = "hci\(index)"
    radio.controller = states[index]?.controller ?? ""
    radio.timeKind = .kernel
    return (prefix.isEmpty ? "hci\(index)" : "\(prefix)/hci\(index)", radio)
  }

  /// The absences that have not ended.
  mutating func takeOpenLosses(until end: Int64) -> [Loss] {
    states.keys.sorted().compactMap { index in
      guard let since = states[index]?.absentSince else { return nil }
      states[index]?.absentSince = nil
      return Loss(adapter: index, reason: .unplugged, start: min(since, end), end: end)
    }
  }
}
