public import Proximity
public import Registries
public import TracePipelines

/// A beacon at a receiver, as the output of a watch shows it.
public struct WatchedBeacon: Sendable {
  /// The identity of the beacon.
  public var id: String
  /// The name of the receiver.
  public var receiver: String
  /// The name of the trace.
  public var trace: String
  /// The name in the registry or in the trace; nil if neither has one.
  public var name: String?
  /// The entry in the registry; nil if there is none.
  public var registered: RegisteredBeacon?
  /// The address that sent it first; nil if it is not known.
  public var sender: UInt64?
  /// The kind of its identity; empty if it is not known.
  public var kind = ""
  /// The time at which it was first heard, in nanoseconds since the Unix epoch.
  public var first: Int64?
  /// The channels on which it was heard, as far as receivers report them.
  public var channels: Set<UInt8> = []

  /// Creates a beacon at a receiver.
  public init(
    id: String, receiver: String, trace: String, name: String? = nil,
    registered: RegisteredBeacon? = nil
  ) {
    (self.id, self.receiver, self.trace) = (id, receiver, trace)
    (self.name, self.registered) = (name, registered)
  }

  /// Identifies the beacon at the receiver in the trace.
  public var key: String { "\(trace)\n\(receiver)\n\(id)" }

  /// The name, or the identity if there is no name.
  public var label: String { name ?? id }
}

/// The output of the findings of a watch: lines, a table, a screen.
public protocol WatchOutput {
  /// Takes a change.
  mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws

  /// Takes the rangings of all regions at the end of a period.
  mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon) throws

  /// Takes the progress of the search for a beacon, once per period.
  mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws

  /// Takes the arrival of a node at a place, or its departure.
  ///
  /// - Parameter name: the node's name in the registry; nil if it has none.
  mutating func take(_ event: PlaceEvent, name: String?) throws

  /// Does the work that is due by the wall clock; returns false when the user ends the watch.
  mutating func tick() throws -> Bool

  /// A Boolean value that is true if rangings are needed: for thousands of beacons they take time.
  var wantsRangings: Bool { get }

  /// A Boolean value that is true if the user has paused the display; a replay waits meanwhile.
  var isPaused: Bool { get }

  /// Finishes the output after the last finding.
  mutating func finish() throws
}

extension WatchOutput {
  public var isPaused: Bool { false }
  public mutating func take(_ event: PlaceEvent, name: String?) throws {}
  public mutating func tick() throws -> Bool { true }
  public mutating func finish() throws {}
}

/// Several outputs, each of which gets everything.
public struct WatchOutputs: WatchOutput {
  private var outputs: [any WatchOutput]

  /// Creates one output from several.
  ///
  /// - Parameter outputs: the outputs; nil ones are left out.
  public init(_ outputs: [(any WatchOutput)?]) { self.outputs = outputs.compactMap(\.self) }

  public var wantsRangings: Bool { outputs.contains { $0.wantsRangings } }
  public var isPaused: Bool { outputs.contains { $0.isPaused } }

  public mutating func take(
    _ event: ProximityEvent, of beacon: WatchedBeacon, region: String?
  ) throws {
    for index in outputs.indices { try outputs[index].take(event, of: beacon, region: region) }
  }

  public mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    for index in outputs.indices where outputs[index].wantsRangings {
      try outputs[index].take(rangings, of: trace, regions: regions, at: time, beacon)
    }
  }

  public mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    for index in outputs.indices { try outputs[index].take(seek, of: beacon) }
  }

  public mutating func take(_ event: PlaceEvent, name: String?) throws {
    for index in outputs.indices { try outputs[index].take(event, name: name) }
  }

  public mutating func tick() throws -> Bool {
    var goesOn = true
    for index in outputs.indices { goesOn = try outputs[index].tick() && goesOn }
    return goesOn
  }

  public mutating func finish() throws {
    for index in outputs.indices { try outputs[index].finish() }
  }
}
