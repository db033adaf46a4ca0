internal import CNATS
import Support

/// The message of a stream that a capture is handling alone, and the number of captures that ended
/// at it.
///
/// It is a key beside the lease, written before the message is handled, so that the next capture
/// finds it after any end, including a crash. A message at which three captures ended is skipped,
/// so that no message can block a stream for ever.
struct StreamAttempts {
  /// The number of captures that may end at a message before it is skipped.
  static let most = 3

  private let store: OpaquePointer
  private let key: String
  private let created: Int64
  private var known: (sequence: UInt64, count: Int) = (0, 0)

  /// - Parameters:
  ///   - lease: the lease, held during the lifetime of this value.
  ///   - created: the creation time of the stream: a recreated stream has other messages.
  init(beside lease: borrowing StreamLease, created: Int64) {
    (store, key, self.created) = (lease.store, lease.key + ".in-flight", created)
    var entry: OpaquePointer?
    guard kvStore_Get(&entry, store, key) == NATS_OK, let entry else { return }
    defer { kvEntry_Destroy(entry) }
    let words = kvEntry_ValueString(entry).map { String(cString: $0) } ?? ""
    let numbers = words.split(separator: " ").compactMap { UInt64($0) }
    guard numbers.count == 3, numbers[0] == UInt64(bitPattern: created) else { return }
    known = (numbers[1], Int(clamping: numbers[2]))
  }

  /// Notes that a message is handled alone, unless it is to be skipped.
  ///
  /// - Returns: true if it is to be handled.
  mutating func begin(_ sequence: UInt64) -> Bool {
    if known.sequence != sequence { known = (sequence, 0) }
    guard known.count < Self.most else { return false }
    known.count += 1
    write()
    return true
  }

  /// Removes the note if a capture ends for a reason other than the message.
  mutating func takeBack() {
    known.count = max(0, known.count - 1)
    write()
  }

  /// If writing fails, more captures may end before the message is skipped.
  private func write() {
    var revision: UInt64 = 0
    _ = kvStore_PutString(
      &revision, store, key, "\(UInt64(bitPattern: created)) \(known.sequence) \(known.count)")
  }
}

extension Error {
  /// Returns a Boolean value that is true unless a disk, a device, a server or a permission caused
  /// the error.
  var mayBeOfAMessage: Bool {
    guard let error = self as? RSSIError else { return true }
    return [.badInput, .protocolViolation, .failed].contains(error.kind)
  }
}
