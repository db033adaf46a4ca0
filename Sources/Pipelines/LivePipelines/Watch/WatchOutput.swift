package import Proximity
package import Registries

/// A beacon at a receiver, as users read of it.
package struct WatchedBeacon: Sendable {
  package var id: String
  package var receiver: String
  package var trace: String
  /// As the registry or the trace names it.
  package var name: String?
  package var registered: RegisteredBeacon?
  /// The address that sent it first; nil where it is not known.
  package var sender: UInt64?
  /// The kind of its identity; empty if not known.
  package var kind = ""
  /// The time at which it was first heard, nanoseconds since the Unix epoch.
  package var first: Int64?
  /// The channels it was heard on, as far as receivers state them.
  package var channels: Set<UInt8> = []

  package init(
    id: String, receiver: String, trace: String, name: String? = nil,
    registered: RegisteredBeacon? = nil
  ) {
    (self.id, self.receiver, self.trace) = (id, receiver, trace)
    (self.name, self.registered) = (name, registered)
  }

  /// Identifies the beacon at the receiver in the trace.
  package var key: String { "\(trace)\n\(receiver)\n\(id)" }

  /// Its name where it has one.
  package var label: String { name ?? id }
}

/// The output of the findings of a watch: lines, a table, a screen.
package protocol WatchOutput {
  /// Something changed.
  mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws

  /// A period is over.
  mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon) throws

  /// Takes the state of the search for a beacon; once a period.
  mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws

  /// Does what is due by the wall clock; false when the user ends the watch.
  mutating func tick() throws -> Bool

  /// A Boolean value that is true if rangings are needed: for thousands of beacons they take time.
  var wantsRangings: Bool { get }

  /// A Boolean value that is true if the user wants to look at what there is; a replay waits
  /// meanwhile.
  var isPaused: Bool { get }

  mutating func finish() throws
}

extension WatchOutput {
  package var isPaused: Bool { false }
  package mutating func tick() throws -> Bool { true }
  package mutating func finish() throws {}
}

/// Several outputs, each of which gets everything.
package struct WatchOutputs: WatchOutput {
  private var outputs: [any WatchOutput]

  /// - Parameter outputs: nil = none there.
  package init(_ outputs: [(any WatchOutput)?]) { self.outputs = outputs.compactMap(\.self) }

  package var wantsRangings: Bool { outputs.contains { $0.wantsRangings } }
  package var isPaused: Bool { outputs.contains { $0.isPaused } }

  package mutating func take(
    _ event: ProximityEvent, of beacon: WatchedBeacon, region: String?
  ) throws {
    for index in outputs.indices { try outputs[index].take(event, of: beacon, region: region) }
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    for index in outputs.indices where outputs[index].wantsRangings {
      try outputs[index].take(rangings, of: trace, regions: regions, at: time, beacon)
    }
  }

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    for index in outputs.indices { try outputs[index].take(seek, of: beacon) }
  }

  package mutating func tick() throws -> Bool {
    var goesOn = true
    for index in outputs.indices { goesOn = try outputs[index].tick() && goesOn }
    return goesOn
  }

  package mutating func finish() throws {
    for index in outputs.indices { try outputs[index].finish() }
  }
}
