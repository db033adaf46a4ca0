/// Advertising data, each distinct one numbered and handed on once, in bounded memory.
///
/// Two generations: when the young one is full the old one is forgotten and the young one becomes
/// old. Any payload among the last `capacity` distinct ones is found; one that comes back after so
/// many others gets a second number, so that telemetry with a counter in it cannot eat the memory.
public struct PayloadTable: Sendable {
  /// What is known of a payload: its number in the trace and what a caller remembers about it.
  public struct Entry: Sendable {
    public var number: UInt32
    public var note: UInt64
  }

  private var young = ByteTable()
  private var youngEntries: [Entry] = []
  private var old = ByteTable()
  private var oldEntries: [Entry] = []
  private var next: UInt32 = 0
  private let capacity: Int
  private let byteCapacity: Int

  /// The bytes and lengths of the payloads that were new since `takeNew`.
  public private(set) var newBytes: [UInt8] = []
  public private(set) var newLengths: [UInt16] = []

  /// - Parameters:
  ///   - capacity: distinct payloads a generation holds.
  ///   - byteCapacity: bytes a generation holds.
  public init(capacity: Int = 1 << 17, byteCapacity: Int = 1 << 23) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
  }

  /// The entry of a payload; `note` is asked for only when it is new.
  public mutating func intern(
    _ payload: Span<UInt8>, note: (Span<UInt8>) -> UInt64
  ) -> Entry {
    if let index = young.find(payload) { return youngEntries[index] }
    if young.count >= capacity || young.byteCount >= byteCapacity {
      swap(&young, &old)
      swap(&youngEntries, &oldEntries)
      young.removeAll()
      youngEntries.removeAll(keepingCapacity: true)
    }
    let entry: Entry
    if let index = old.find(payload) {
      entry = oldEntries[index]
    } else {
      entry = Entry(number: next, note: note(payload))
      next += 1
      for i in payload.indices { newBytes.append(payload[i]) }
      newLengths.append(UInt16(payload.count))
    }
    _ = young.intern(payload)
    youngEntries.append(entry)
    return entry
  }

  /// Forgets the list of new payloads, once they are stored.
  public mutating func removeNew() {
    newBytes.removeAll(keepingCapacity: true)
    newLengths.removeAll(keepingCapacity: true)
  }
}
