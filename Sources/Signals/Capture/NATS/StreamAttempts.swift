internal import CNATS
import Support

/// The message of a stream that a capture has in flight alone, and how many captures ended at it.
///
/// It is a key beside the lease, written before the message is taken. So the next capture finds it
/// whatever ended this one, a crash included. A message at which three captures ended is skipped:
/// no message may stop a stream for ever.
struct StreamAttempts {
  /// Captures that end at a message before it is skipped.
  static let most = 3

  private let store: OpaquePointer
  private let key: String
  private let created: Int64
  private var known: (sequence: UInt64, count: Int) = (0, 0)

  /// - Parameters:
  ///   - lease: which the capture has as long as this value lives.
  ///   - created: when the stream was created: one that is created again has other messages.
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

  /// Notes that a message is taken alone, unless it is to be skipped.
  ///
  /// - Returns: true if it is to be taken.
  mutating func begin(_ sequence: UInt64) -> Bool {
    if known.sequence != sequence { known = (sequence, 0) }
    guard known.count < Self.most else { return false }
    known.count += 1
    write()
    return true
  }

  /// Takes the note back where a capture ends for a reason that is not the message.
  mutating func takeBack() {
    known.count = max(0, known.count - 1)
    write()
  }

  /// A note that cannot be written costs more captures until the message is skipped.
  private func write() {
    var revision: UInt64 = 0
    _ = kvStore_PutString(
      &revision, store, key, "\(UInt64(bitPattern: created)) \(known.sequence) \(known.count)")
  }
}

extension Error {
  /// Returns true unless a disk, a device, a server or a permission is at fault.
  var mayBeOfAMessage: Bool {
    guard let error = self as? RSSIError else { return true }
    return [.badInput, .protocolViolation, .failed].contains(error.kind)
  }
}
