/// A table of distinct advertising data, numbered and passed on once, in bounded memory.
///
/// It has two generations: when the young one is full the old one is dropped and the young one
/// becomes old. Any payload among the last `capacity` distinct ones is found; one that returns
/// after so many others gets a second number, so that telemetry with a counter cannot exhaust the
/// memory.
struct PayloadTable: Sendable {
  /// The information in a payload about its sender.
  enum Meaning: Sendable {
    /// Not decoded yet.
    case unknown
    /// An identity of this beacon.
    case beacon(UInt32)
    /// Telemetry of the beacon that its address named.
    case telemetry
    /// No identity.
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

  /// The payloads that are new since `removeNew`.
  private(set) var new = NewPayloads()

  /// - Parameters:
  ///   - capacity: The number of distinct payloads per generation.
  ///   - byteCapacity: The number of bytes per generation.
  init(capacity: Int = 1 << 17, byteCapacity: Int = 1 << 23) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
  }

  /// Returns the slot of the payload, valid until the next call.
  ///
  /// - Parameter guess: A slot that is compared first, such as that of the sender's previous
  ///   payload; it may be out of date.
  mutating func intern(_ payload: Span<UInt8>, probably guess: Int = .max) -> Int {
    if let slot = young.table.find(payload, probably: guess) { return slot }
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

  /// Returns the payload's number in the trace.
  func number(at slot: Int) -> UInt32 { young.numbers[slot] }

  subscript(meaning slot: Int) -> Meaning {
    get { young.meanings[slot] }
    set { young.meanings[slot] = newValue }
  }

  /// Applies the new numbers of beacons.
  mutating func renumber(_ renumbering: Renumbering) {
    young.renumber(renumbering)
    old.renumber(renumbering)
  }

  /// Clears the list of new payloads, once they are stored.
  mutating func removeNew() {
    new.bytes.removeAll(keepingCapacity: true)
    new.lengths.removeAll(keepingCapacity: true)
  }
}
