internal import Sightings

/// Turns the kernel's running count of dropped packets into losses.
struct DropCount {
  private var last: UInt32 = 0
  private var pending: UInt64 = 0

  /// Takes the count of a socket, modulo 2^32; nil where the kernel does not state.
  mutating func note(_ count: UInt32?) {
    guard let count else { return }
    pending += UInt64(count &- last)
    last = count
  }

  /// A new socket counts from zero.
  mutating func restart() { last = 0 }

  /// What was lost since the last call.
  mutating func take() -> [TransportLoss] {
    guard pending > 0 else { return [] }
    defer { pending = 0 }
    return [TransportLoss(reason: .overflow, dropped: pending)]
  }
}
