/// A beacon at a receiver in a trace, by their rows in the tables, in one word.
public struct Link: Hashable, Sendable {
  /// The trace, the receiver and the beacon, from the highest bits to the lowest.
  @usableFromInline let bits: UInt64

  /// Creates a link from rows of the catalogue.
  @inlinable public init(beacon: UInt32, receiver: UInt16, trace: UInt16) {
    bits = UInt64(trace) &<< 48 | UInt64(receiver) &<< 32 | UInt64(beacon)
  }

  /// The row of the beacon in the catalogue.
  @inlinable public var beacon: UInt32 { UInt32(truncatingIfNeeded: bits) }
  /// The row of the receiver in the catalogue.
  @inlinable public var receiver: UInt16 { UInt16(truncatingIfNeeded: bits &>> 32) }
  /// The row of the trace in the catalogue.
  @inlinable public var trace: UInt16 { UInt16(truncatingIfNeeded: bits &>> 48) }

  @inlinable public static func == (a: Link, b: Link) -> Bool { a.bits == b.bits }
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(bits) }

  /// Returns the hash of the word, which takes half as long as that of a struct that contains it.
  @inlinable public func _rawHashValue(seed: Int) -> Int { bits._rawHashValue(seed: seed) }
}

extension SightingColumns {
  /// Returns the link of a row.
  @inlinable package func link(_ row: Int) -> Link {
    Link(beacon: beacon[row], receiver: receiver[row], trace: trace[row])
  }
}
