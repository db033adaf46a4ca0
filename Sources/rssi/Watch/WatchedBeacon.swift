import Registries

/// What people are told of a beacon at a receiver.
struct WatchedBeacon {
  var id: String
  var receiver: String
  var trace: String
  /// As the registry or the trace calls it.
  var name: String?
  var registered: RegisteredBeacon?

  /// What it is told apart by.
  var key: String { "\(trace)\n\(receiver)\n\(id)" }

  /// What a person reads: its name where it has one.
  var label: String { name ?? id }
}
