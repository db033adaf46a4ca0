internal import Advertising

/// A sink that continues when a trace builder removes beacons and addresses that have left.
package protocol ForgettingSink: SightingSink, ~Copyable {
  /// The rows of the tables that are in use, such as beacons in sight, which the builder keeps.
  var rowsInUse: RowsInUse { get }

  /// Applies the new numbers of beacons and addresses.
  ///
  /// - Parameter catalogue: The remaining tables.
  mutating func renumber(_ renumbering: Renumbering, in catalogue: Catalogue)
}

/// The number of beacons, and of addresses, that stages without a file keep after they left.
package let beaconsKeptLive = 2048

/// The rows of a catalogue's tables to which a sink still refers.
package struct RowsInUse: Sendable {
  package var beacons: Set<UInt32> = []
  package var advertisers: Set<UInt32> = []

  package init() {}
}

/// The new numbers of beacons and addresses after a trace builder removed some.
///
/// The remaining ones keep their order.
package struct Renumbering: Sendable {
  /// The new numbers, by old number; `Sighting.none` for a removed one.
  private let beacons: [UInt32]
  private let advertisers: [UInt32]

  init(beacons kept: [Int], of beaconCount: Int, advertisers keptAdvertisers: [Int], of count: Int)
  {
    beacons = Self.numbers(kept, of: beaconCount)
    advertisers = Self.numbers(keptAdvertisers, of: count)
  }

  private static func numbers(_ kept: [Int], of count: Int) -> [UInt32] {
    var numbers = [UInt32](repeating: Sighting.none, count: count)
    for (new, old) in kept.enumerated() { numbers[old] = UInt32(new) }
    return numbers
  }

  /// Returns the new number of a beacon, or `nil` if it was removed.
  package func beacon(_ old: UInt32) -> UInt32? { Self.number(old, in: beacons) }

  /// Returns the new number of an address, or `nil` if it was removed.
  package func advertiser(_ old: UInt32) -> UInt32? { Self.number(old, in: advertisers) }

  /// Returns the same link with its new number, or `nil` if its beacon was removed.
  package func link(_ old: Link) -> Link? {
    beacon(old.beacon).map { Link(beacon: $0, receiver: old.receiver, trace: old.trace) }
  }

  /// Returns the values of the remaining links, with their new numbers.
  package func links<Value>(_ values: [Link: Value]) -> [Link: Value] {
    Dictionary(
      uniqueKeysWithValues: values.lazy.compactMap { link, value in
        self.link(link).map { ($0, value) }
      })
  }

  private static func number(_ old: UInt32, in numbers: [UInt32]) -> UInt32? {
    guard old < numbers.count, numbers[Int(old)] != Sighting.none else { return nil }
    return numbers[Int(old)]
  }
}

/// The numbers of rows from which on those that left are removed.
struct MostRows: Sendable {
  private let fewest: Int
  private(set) var beacons: Int
  private(set) var advertisers: Int
  /// The limit for places and stays of a stream, which have already been used.
  let truth: Int

  /// - Parameter fewest: The number of rows that are always kept; `nil` removes none.
  init(fewest: Int?) {
    self.fewest = fewest ?? .max
    (beacons, advertisers) = (fewest.map { 2 * $0 } ?? .max, fewest.map { 2 * $0 } ?? .max)
    truth = fewest == nil ? .max : 65_536
  }

  /// Waits until there are twice as many rows as were kept.
  mutating func limit(to keptBeacons: Int, _ keptAdvertisers: Int) {
    beacons = 2 * max(fewest, keptBeacons)
    advertisers = 2 * max(fewest, keptAdvertisers)
  }
}

/// The last receptions of beacons and addresses, counted in sightings, so that wrong clocks have no
/// effect.
struct Recency: Sendable {
  private var sightings = 0
  private var beacons: [Int] = []
  private var advertisers: [Int] = []
  private let fewest: Int

  /// - Parameter fewest: The number of beacons, and of addresses, that are always kept.
  init(fewest: Int) { self.fewest = fewest }

  /// Records sightings.
  mutating func note(_ rows: borrowing SightingColumns) {
    for row in 0..<rows.count {
      sightings += 1
      Self.set(&beacons, Int(rows.beacon[row]), sightings)
      if rows.advertiser[row] != Sighting.none {
        Self.set(&advertisers, Int(rows.advertiser[row]), sightings)
      }
    }
  }

  private static func set(_ heard: inout [Int], _ number: Int, _ time: Int) {
    while heard.count <= number { heard.append(0) }
    heard[number] = time
  }

  /// Returns the rows to keep, in order: those in use, and the latest ones.
  ///
  /// An address is also kept if it was received since any beacon in use was.
  mutating func choose(
    _ used: RowsInUse, of catalogue: borrowing Catalogue
  ) -> (beacons: [Int], advertisers: [Int]) {
    Self.set(&beacons, catalogue.beacons.count, 0)
    Self.set(&advertisers, catalogue.advertisers.count, 0)
    beacons.removeLast(beacons.count - catalogue.beacons.count)
    advertisers.removeLast(advertisers.count - catalogue.advertisers.count)
    let oldest = used.beacons.map { beacons[Int($0)] }.min() ?? .max
    let kept = (
      beacons: chosen(beacons, used.beacons, since: .max),
      advertisers: chosen(advertisers, used.advertisers, since: oldest)
    )
    beacons = kept.beacons.map { beacons[$0] }
    advertisers = kept.advertisers.map { advertisers[$0] }
    return kept
  }

  private func chosen(_ heard: [Int], _ used: Set<UInt32>, since time: Int) -> [Int] {
    let latest = heard.count > fewest ? heard.sorted(by: >)[fewest - 1] : 0
    let first = min(latest, time)
    return heard.indices.filter { heard[$0] >= first || used.contains(UInt32($0)) }
  }
}

extension TraceBuilder where Sink: ForgettingSink & ~Copyable {
  /// Removes the beacons and addresses that left, once there are many, between two blocks.
  ///
  /// A beacon that returns is a new one. Memory is proportional to the beacons in use.
  package mutating func forgetThoseThatLeft() {
    guard
      catalogue.beacons.count >= mostRows.beacons
        || catalogue.advertisers.count >= mostRows.advertisers
        || catalogue.truth.count + catalogue.stays.count >= mostRows.truth,
      waitingRows == 0,
      let kept = recency?.choose(sink.rowsInUse, of: catalogue)
    else { return }
    mostRows.limit(to: kept.beacons.count, kept.advertisers.count)
    let renumbering = Renumbering(
      beacons: kept.beacons, of: catalogue.beacons.count, advertisers: kept.advertisers,
      of: catalogue.advertisers.count)
    keep(beacons: kept.beacons, advertisers: kept.advertisers, renumbering)
    sink.renumber(renumbering, in: catalogue)
  }
}

extension TraceBuilder where Sink: ~Copyable {
  private mutating func keep(
    beacons keptBeacons: [Int], advertisers keptAdvertisers: [Int], _ renumbering: Renumbering
  ) {
    func renumbered(_ beacon: UInt32) -> UInt32 { renumbering.beacon(beacon) ?? Sighting.none }
    catalogue.beacons = keptBeacons.map { catalogue.beacons[$0] }
    catalogue.advertisers = keptAdvertisers.map { catalogue.advertisers[$0] }
    catalogue.revisedBeacons = 0..<0
    beacons = IdentityTable(catalogue.beacons.map(\.id))
    advertisers = AddressTable()
    for address in catalogue.advertisers { _ = advertisers.intern(address) }
    senders = keptAdvertisers.map { old in
      var sender = senders[old]
      sender.ownBeacon = renumbered(sender.ownBeacon)
      sender.namedBeacon = renumbered(sender.namedBeacon)
      return sender
    }
    payloads.renumber(renumbering)
    forgetLevels()
    openStays = OpenStays()
    catalogue.stays.removeAll()
    catalogue.rooms.removeAll()
    // The last two show if a node stands still.
    catalogue.truth = catalogue.truth.suffix(2).compactMap { point in
      guard point.role == .beacon else { return point }
      var point = point
      guard let number = renumbering.beacon(point.node) else { return nil }
      point.node = number
      return point
    }
    keepSenders(renumbering)
  }

  /// Keeps the senders whose beacon and address remain.
  private mutating func keepSenders(_ renumbering: Renumbering) {
    latestSenders = .init(repeating: .max)
    var pairs: Set<UInt64> = []
    for pair in knownSenders {
      if let advertiser = renumbering.advertiser(UInt32(pair >> 32)),
        let beacon = renumbering.beacon(UInt32(truncatingIfNeeded: pair))
      {
        pairs.insert(UInt64(advertiser) << 32 | UInt64(beacon))
      }
    }
    knownSenders = pairs
    let addresses = Set(catalogue.advertisers.map(\.bits))
    catalogue.senders = catalogue.senders.compactMap { sender in
      guard addresses.contains(sender.address) else { return nil }
      return renumbering.beacon(sender.beacon).map {
        BeaconSender(beacon: $0, address: sender.address)
      }
    }
  }
}
