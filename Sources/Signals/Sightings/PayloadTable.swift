/// Advertising data, each distinct one numbered and handed on once, in bounded memory.
///
/// Two generations: when the young one is full the old one is forgotten and the young one becomes
/// old. Any payload among the last `capacity` distinct ones is found; one that comes back after so
/// many others gets a second number, so that telemetry with a counter in it cannot eat the memory.
struct PayloadTable: Sendable {
  /// The statement of a payload about the beacon that sent it.
  enum Meaning: Sendable {
    /// Not looked at yet.
    case unknown
    /// It names this beacon.
    case beacon(UInt32)
    /// It is telemetry of whichever beacon its address named.
    case telemetry
    /// It names nothing.
    case other
  }

  private struct Generation: Sendable {
    var table = ByteTable()
    var numbers: [UInt32] = []
    var meanings: [Meaning] = []

    mutating func removeAll() {
      table.removeAll()
      numbers.removeAll(keepingCapacity: true)
      meanings.removeAll(keepingCapacity: true)
    }

    mutating func renumber(_ renumbering: Renumbering) {
      for slot in meanings.indices {
        guard case .beacon(let beacon) = meanings[slot] else { continue }
        meanings[slot] = renumbering.beacon(beacon).map(Meaning.beacon) ?? .unknown
      }
    }
  }

  private var young = Generation()
  private var old = Generation()
  private var next: UInt32 = 0
  private let capacity: Int
  private let byteCapacity: Int

  /// The payloads that were new since `removeNew`.
  private(set) var new = NewPayloads()

  /// - Parameters:
  ///   - capacity: distinct payloads a generation holds.
  ///   - byteCapacity: bytes a generation holds.
  init(capacity: Int = 1 << 17, byteCapacity: Int = 1 << 23) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
  }

  /// The slot of the payload until the next call.
  mutating func intern(_ payload: Span<UInt8>) -> Int {
    if let slot = young.table.find(payload) { return slot }
    if young.table.count >= capacity || young.table.byteCount >= byteCapacity {
      swap(&young, &old)
      young.removeAll()
    }
    if let slot = old.table.find(payload) {
      young.numbers.append(old.numbers[slot])
      young.meanings.append(old.meanings[slot])
    } else {
      young.numbers.append(next)
      young.meanings.append(.unknown)
      next += 1
      for i in payload.indices { new.bytes.append(payload[i]) }
      new.lengths.append(UInt16(payload.count))
    }
    return young.table.intern(payload).index
  }

  /// The payload's number in the trace.
  func number(at slot: Int) -> UInt32 { young.numbers[slot] }

  subscript(meaning slot: Int) -> Meaning {
    get { young.meanings[slot] }
    set { young.meanings[slot] = newValue }
  }

  /// Takes the numbers that beacons have from now on.
  mutating func renumber(_ renumbering: Renumbering) {
    young.renumber(renumbering)
    old.renumber(renumbering)
  }

  /// Forgets the list of new payloads, once they are stored.
  mutating func removeNew() {
    new.bytes.removeAll(keepingCapacity: true)
    new.lengths.removeAll(keepingCapacity: true)
  }
}
